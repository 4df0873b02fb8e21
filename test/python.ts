import { existsSync } from 'node:fs';
import { installDebianPackages, succeeds } from './install/debian.js';

/** Debian's Python: another one may come first in the path, without Debian's modules. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** @returns why there is no Python on this machine, or null when there is */
export function preparePython(): string | null {
  return succeeds(PYTHON, '--version') ? null : installDebianPackages(['python3']);
}
