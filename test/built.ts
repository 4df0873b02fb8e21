import { execFileSync } from 'node:child_process';

/** Begins the variables of scripts that ran: each of eight projects would ask again, a second each time. */
export const RAN = 'CROPFRAME_TEST_RAN_';

/** Runs a script of npm, once for all projects. */
export function runOnce(script: string): void {
  if (process.env[RAN + script] !== undefined) return;
  execFileSync('npm', ['run', '--silent', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.env[RAN + script] = 'true';
}

/** Builds `dist` when it is out of date, before the tests of a project that start the package. */
export const setup = (): void => runOnce('build');
