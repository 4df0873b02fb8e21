import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOwnPackages } from '../../test/install/own-packages.js';
import { gatherPages } from './gather.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = join(ROOT, 'docs', 'site');
const PAGES = join(SITE, 'pages');

/** `npm run docs` builds the site into `docs/site/dist`; with `--serve` it also shows it at port 4173. */
async function main(): Promise<void> {
  const problem = await installOwnPackages('docs/site');
  if (problem !== null) throw new Error(problem);
  gatherPages(ROOT, PAGES);
  run('typedoc', '--options', 'typedoc.json');
  copyFileSync(join(SITE, 'api.md'), join(PAGES, 'api', 'index.md'));
  rmSync(join(SITE, 'dist'), { recursive: true, force: true });
  run('vitepress', 'build');
  console.log('The site is in docs/site/dist; "npm run docs -- --serve" shows it.');
  if (process.argv.includes('--serve')) run('vitepress', 'preview');
}

/** Runs a program of the site's own packages. */
function run(program: string, ...args: string[]): void {
  const { status, error } = spawnSync(join(SITE, 'node_modules', '.bin', program), args, {
    cwd: SITE,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${program} failed${error ? `: ${error.message}` : ''}`);
}

process.chdir(ROOT);
await main();
