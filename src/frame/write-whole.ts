import { existsSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file beside its place and moves it there when it is whole. A device or pipe is written to directly.
 * @throws the signal's reason when aborted; the errors of the disk, with the path that was asked for
 */
export async function writeWhole(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(path) && !statSync(path).isFile()) return writeFile(path, pieces, { signal });
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, pieces, { signal });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (signal?.aborted) throw signal.reason;
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path }) : error;
  }
}
