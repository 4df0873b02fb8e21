import { copyFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { runCommand } from '../cli/capture.js';
import { copyTemplate } from '../store-templates.js';
import { type CodeBlock, ROOT, readBlocks } from './markdown.js';

/** Makes the packages of the repository those of a folder. */
export function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** Copies the files of the recipes to a folder, and a store that is filled by the commands that their page begins with. */
export async function fillRecipeStore(folder: string): Promise<void> {
  const files = join(ROOT, 'docs', 'recipes');
  for (const name of readdirSync(files)) copyFileSync(join(files, name), join(folder, name));
  await copyTemplate('recipes', join(folder, 'farm.duckdb'), async (draft) => {
    const { text } = readBlocks('docs/recipes.md').find(({ language }) => language === 'sh')!;
    for (const line of text.split('\n')) {
      const [, , ...argv] = line.replace('farm.duckdb', draft).split(' ');
      const { code, stderr } = await runCommand(
        argv.map((word) => (/\.(csv|json)$/.test(word) ? join(folder, word) : word)),
      );
      if (code !== 0) throw new Error(`${line}\n${stderr}`);
    }
  });
}

/**
 * Runs a program of the documentation in a folder, with the sources in place of the package.
 * @returns what it passes to `console.log`, call by call
 */
export async function runRecipe({ line, text }: CodeBlock, folder: string): Promise<unknown[][]> {
  const file = join(folder, `program-${line}.ts`);
  writeFileSync(
    file,
    text.replaceAll(/(from|import) 'cropframe(?:\/(\w+))?'/g, (_, word, entry = 'index') => {
      return `${word} '${pathToFileURL(join(ROOT, 'src', `${entry}.ts`))}'`;
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
