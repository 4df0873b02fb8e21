import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file beside its place and moves it there when it is whole. A device or pipe is written to directly.
 * @returns the bytes written
 * @throws the signal's reason when aborted; what the pieces fail with; the errors of the disk, with the path that was asked for
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
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path }) : error;
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
