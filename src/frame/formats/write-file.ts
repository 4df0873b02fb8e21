import { constants, existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { fileFailure } from '../../model/file-failure.js';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

interface WritingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly argument?: string | undefined;
}

/**
 * Writes to a temporary file in the same folder, renames it to `path` when it is complete, and returns its size in
 * bytes. Devices and pipes are written to directly.
 * @throws ArgumentError that names the path if it cannot be written; the signal's reason if aborted; `pieces`' errors
 */
export async function writeWhole(
  path: string,
  pieces: Pieces,
  { signal, argument = 'path' }: WritingOptions = {},
): Promise<number> {
  try {
    return await (existsSync(path) && !statSync(path).isFile()
      ? writeTo(path, pieces, { signal, flags: 'w' })
      : writeAndRename(path, pieces, signal));
  } catch (error) {
    throw fileFailure(error, { path, argument, to: 'write' });
  }
}

async function writeAndRename(
  path: string,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<number> {
  // The random name cannot be predicted, so an attacker cannot place a link to another file there.
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  try {
    const bytes = await writeTo(unfinished, pieces, { signal, flags: 'wx' });
    await rename(unfinished, path);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeTo(
  path: string,
  pieces: Pieces,
  { signal, flags }: { signal: AbortSignal | undefined; flags: 'w' | 'wx' },
): Promise<number> {
  const file = flags === 'wx' ? await open(path, flags) : await openSpecial(path, signal);
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      await file.writeFile(piece);
      bytes += Buffer.byteLength(piece);
    }
    signal?.throwIfAborted();
    return bytes;
  } finally {
    await file.close();
  }
}

const READER_WAIT_MS = 50;

/** Opens a device, or a pipe as soon as it has a reader. A blocking open would also wait but could not be aborted. */
async function openSpecial(path: string, signal: AbortSignal | undefined): Promise<FileHandle> {
  if (!statSync(path).isFIFO()) return open(path, 'w');
  for (;;) {
    signal?.throwIfAborted();
    const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENXIO') throw error;
        return null;
      },
    );
    // The probe is closed last, because the reader would otherwise see the end of the file.
    if (probe !== null) return open(path, 'w').finally(() => probe.close());
    await new Promise((resolve) => setTimeout(resolve, READER_WAIT_MS));
  }
}
