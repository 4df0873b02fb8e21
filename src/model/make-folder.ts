import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFailure } from './file-failure.js';

/**
 * Creates a folder and its missing parents. Node's `recursive` option is not used, because it loops forever if an
 * existing folder rejects new entries with ENOENT, as `/proc` does.
 * @param mode the mode of every new folder
 * @throws the operating system's error if the folder cannot be created
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isFolder = (place: string) =>
      stat(place)
        .then((found) => found.isDirectory())
        .catch(() => false);
    if (code !== 'ENOENT' && (await isFolder(path))) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(path, mode);
  }
}

/** Creates the folder for a file. @throws ArgumentError that names the file, if the folder cannot be created */
export async function makeFolderOf(path: string, argument: string): Promise<void> {
  await makeFolder(dirname(path)).catch((error: unknown) => {
    throw fileFailure(error, { path, argument, to: 'write' });
  });
}
