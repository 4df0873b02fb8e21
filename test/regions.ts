import { execFileSync } from 'node:child_process';

/** Builds the file of regions when it is out of date, before tests of the sources, which read it. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build:regions'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
