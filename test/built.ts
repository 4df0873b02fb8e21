import { execFileSync } from 'node:child_process';

/** Builds `dist` when it is out of date, before the tests of a project that start the package. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
