import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what the package.json of a test folder names, when that has not been done since its lock changed. Install
 * scripts are not run: what such a folder needs comes whole inside the packages.
 * @param folder from the repository's root: `test/notebooks`
 * @returns why that was not possible, or null when they are installed
 */
export async function installOwnPackages(folder: string): Promise<string | null> {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return null;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  console.log(`$ npm ${args.join(' ')}  (in ${folder})`);
  const [status] = await once(spawn('npm', args, { cwd: folder, stdio: 'inherit' }), 'close');
  return status === 0 ? null : `npm ci in ${folder} failed`;
}
