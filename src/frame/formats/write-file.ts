import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a temporary file in the same folder and renames it to `path` when it is complete. Writes to a device or pipe
 * directly.
 * @returns the number of bytes
 * @throws the signal's reason when aborted; the errors of the pieces; the errors of the disk, with `path` as their path
 */
export async function writeWhole(path: string, pieces: Pieces, signal?: AbortSignal): Promise<number> {
  if (existsSync(path) && !statSync(path).isFile()) return writeTo(path, pieces, signal);
  const unfinished = `${path}.${process.pid}.part`;
  try {
    const bytes = await writeTo(unfinished, pieces, signal);
    await rename(unfinished, path);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!(error instanceof Error && 'path' in error)) throw error;
    throw Object.assign(error, { path, message: error.message.replaceAll(unfinished, path) });
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
