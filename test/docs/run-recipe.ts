import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { type CodeBlock, ROOT } from './markdown.js';

/** Makes the packages of the repository those of a folder. */
export function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/**
 * Runs a program of the documentation in a folder, with the sources in place of the package.
 * @returns what it passes to `console.log`, call by call
 */
export async function runRecipe({ line, text }: CodeBlock, folder: string): Promise<unknown[][]> {
  const file = join(folder, `recipe-${line}.ts`);
  writeFileSync(
    file,
    text.replaceAll(/from 'cropframe(?:\/(\w+))?'/g, (_, entry = 'index') => {
      return `from '${pathToFileURL(join(ROOT, 'src', `${entry}.ts`))}'`;
    }),
  );
  const before = process.cwd();
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  process.chdir(folder);
  try {
    await import(/* @vite-ignore */ file);
    return log.mock.calls;
  } finally {
    process.chdir(before);
    log.mockRestore();
  }
}
