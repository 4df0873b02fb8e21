import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../model/make-folder.js';
import { isMarkAlive, mark } from './process-mark.js';

/** The mark of this process in the names of its temporary files. */
const OWNER = mark();

/** The end of a temporary name, by the parts of its mark: the process, the machine, and an id. */
const TEMPORARY = /cropframe-(\d+)-(.+)-([\da-f-]{36})-[\da-f]{16}$/;

/**
 * Returns a new name for a temporary file or folder, or an ending for one. The process that uses the name removes it. If
 * that process is killed, `removeAbandonedFiles` does.
 */
export function temporaryName(): string {
  return `cropframe-${OWNER.replaceAll(' ', '-')}-${randomBytes(8).toString('hex')}`;
}

/**
 * Creates a temporary folder that only this user can read, and that the caller removes. Folders of killed processes are
 * removed first.
 * @throws CropframeError with the remedy
 */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<string> {
  await removeAbandonedFiles(parent);
  const path = join(parent, temporaryName());
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    throw temporaryFailure(error);
  });
  return path;
}

/** Removes what killed processes of this user and machine left in a folder under a temporary name. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, ...parts] = TEMPORARY.exec(name) ?? [];
    if (parts.length === 0 || isMarkAlive(parts.join(' '))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    // Root must not follow links that another user may put into a folder meanwhile.
    if (found?.uid === (process.getuid?.() ?? 0))
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
