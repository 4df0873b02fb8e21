import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { fileFailure } from '../../model/arguments/file-failure.js';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** How a file is written. */
interface WritingOptions {
  readonly signal?: AbortSignal | undefined;
  /** The caller's name for the path, for error messages; default `path`. */
  readonly argument?: string | undefined;
}

/**
 * Writes a temporary file in the same folder and renames it to `path` when it is complete. Writes to a device or pipe
 * directly.
 * @returns the number of bytes
 * @throws ArgumentError that names the path when it cannot be written; the signal's reason when aborted; the errors of the
 * pieces
 */
export async function writeWhole(
  path: string,
  pieces: Pieces,
  { signal, argument = 'path' }: WritingOptions = {},
): Promise<number> {
  try {
    return await (isSpecial(path) ? writeTo : writeAndRename)(path, pieces, signal);
  } catch (error) {
    throw fileFailure(error, { path, argument, to: 'write' });
  }
}

/** Whether a path is there and is no file, such as a device, a pipe or a folder. */
function isSpecial(path: string): boolean {
  return existsSync(path) && !statSync(path).isFile();
}

async function writeAndRename(
  path: string,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<number> {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    const bytes = await writeTo(unfinished, pieces, signal);
    await rename(unfinished, path);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeTo(path: string, pieces: Pieces, signal: AbortSignal | undefined): Promise<number> {
  const file: FileHandle = await open(path, 'w');
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
