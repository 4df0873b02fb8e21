import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CropframeError } from '../model/errors.js';
import { isSystemError, systemReason } from '../model/file-failure.js';
import { isMarkAlive, mark } from './process-mark.js';

const OWNER = mark();

/** Matches the end of a temporary file's name. The groups are the creating process's id, host name and random id. */
const TEMPORARY = /cropframe-(\d+)-(.+)-([\da-f-]{36})-[\da-f]{16}$/;

/** Returns a unique name or suffix for a temporary file, by which `removeAbandonedFiles` can recognize the file. */
export function temporaryName(): string {
  return `cropframe-${OWNER.replaceAll(' ', '-')}-${randomBytes(8).toString('hex')}`;
}

/** Creates a temporary folder that only this user can read. The caller must remove it. @throws CropframeError */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<string> {
  await removeAbandonedFiles(parent);
  const path = join(parent, temporaryName());
  await mkdir(path, { mode: 0o700 }).catch((cause: unknown) => {
    if (!isSystemError(cause)) throw cause;
    const reason = cause.code === 'ENOENT' ? 'it does not exist' : systemReason(cause);
    const message = `temporary files cannot be written to ${tmpdir()}: ${reason}; set TMPDIR to another folder`;
    throw new CropframeError('store', message, { cause });
  });
  return path;
}

/** Runs a step with a temporary folder, and then removes the folder. */
export async function withTemporaryFolder<Result>(
  step: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder();
  return step(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

/** Removes this user's temporary files from a folder if the process that created them on this machine has ended. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, ...parts] = TEMPORARY.exec(name) ?? [];
    if (parts.length === 0 || isMarkAlive(parts.join(' '))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    // Other users' files are skipped, so that root never follows a link that another user creates in the folder.
    if (found?.uid === (process.getuid?.() ?? 0))
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
