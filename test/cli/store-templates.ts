import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable that names a folder for stores that several test files copy. */
export const TEMPLATES = 'CROPFRAME_TEST_TEMPLATES';

/** Makes the folder before the first test of a run, and removes it after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-templates-'));
  process.env[TEMPLATES] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
