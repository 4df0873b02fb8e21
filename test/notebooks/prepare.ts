import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebianPackages, succeeds } from '../verify/debian.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The Debian packages that execute a notebook; no kernel but Deno's is used. */
const DEBIAN_PACKAGES = ['jupyter-nbconvert', 'jupyter-client', 'python3-ipykernel'];

/**
 * The nbconvert to use: the system's before any other on PATH, which may belong to a Python without Jupyter.
 * @returns null when there is none
 */
export function findNbconvert(): string | null {
  const candidates = ['/usr/bin/jupyter-nbconvert', 'jupyter-nbconvert'];
  return candidates.find((candidate) => succeeds(candidate, '--version')) ?? null;
}

/** The Deno binary that the package beside this file brings. */
export function findDeno(): string {
  // Deno's launcher links the binary into place when its install script was not allowed to run.
  const launcher = join(HERE, 'node_modules', '.bin', 'deno');
  const { stdout } = spawnSync(launcher, ['eval', 'console.log(Deno.execPath())'], { encoding: 'utf8' });
  return stdout.trim();
}

/**
 * Installs what executes the notebooks: Jupyter's nbconvert from Debian, and Deno from npm into this folder.
 * @returns why the notebooks cannot be executed on this machine, or null when they can
 */
export function prepareNotebooks(): string | null {
  if (findNbconvert() === null) {
    const reason = installDebianPackages(DEBIAN_PACKAGES);
    if (reason !== null) return reason;
  }
  return isDenoInstalled() || installDeno() ? null : 'npm ci in test/notebooks failed';
}

function isDenoInstalled(): boolean {
  const installed = join(HERE, 'node_modules', '.package-lock.json');
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(HERE, 'package-lock.json')).mtimeMs
  );
}

function installDeno(): boolean {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  console.log(`$ npm ${args.join(' ')}  (in test/notebooks)`);
  return spawnSync('npm', args, { cwd: HERE, stdio: 'inherit' }).status === 0;
}
