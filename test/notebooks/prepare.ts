import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebianPackages, succeeds } from '../install/debian.js';
import { installOwnPackages } from '../install/own-packages.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** What speaks to a kernel; none of Debian's kernels is used. */
const DEBIAN_PACKAGE = 'python3-jupyter-client';

/**
 * A Python that has Jupyter's client: the system's before any other on PATH, for which Debian installs nothing.
 * @returns null when there is none
 */
export function findPython(): string | null {
  const candidates = ['/usr/bin/python3', 'python3'];
  return candidates.find((candidate) => succeeds(candidate, '-c', 'import jupyter_client')) ?? null;
}

/** The Deno binary that the package beside this file brings. */
export function findDeno(): string {
  // Deno's launcher links the binary into place when its install script was not allowed to run.
  const launcher = join(HERE, 'node_modules', '.bin', 'deno');
  const { stdout } = spawnSync(launcher, ['eval', 'console.log(Deno.execPath())'], { encoding: 'utf8' });
  return stdout.trim();
}

/**
 * Installs what executes notebooks: Jupyter's client from Debian, and a kernel from npm into its folder of tests.
 * @param folder from the repository's root
 * @returns why they cannot be executed on this machine, or null when they can
 */
export async function prepareNotebooks(folder = 'test/notebooks'): Promise<string | null> {
  if (findPython() === null) {
    const reason = installDebianPackages([DEBIAN_PACKAGE]);
    if (reason !== null) return reason;
  }
  return installOwnPackages(folder);
}
