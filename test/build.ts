import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds `dist` when it is missing or older than a source file: scripts import the package by its name. */
export function buildPackage(): void {
  if (newest(join(ROOT, 'src')) <= oldestBuilt()) return;
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const built = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...entries.map((entry) => statSync(join(folder, entry)).mtimeMs));
}

function oldestBuilt(): number {
  const entry = join(ROOT, 'dist/index.js');
  return existsSync(entry) ? statSync(entry).mtimeMs : 0;
}
