import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-files.js';
import { listMarkdown, readBlocks } from './markdown.js';
import { fillRecipeStore, linkPackages, runRecipe } from './run-recipe.js';

/** Programs that open the store of the guides or read its tables, and run as they stand. Recipes have a test of their own. */
const PROGRAMS = listMarkdown()
  .filter((file) => file !== 'docs/recipes.md')
  .flatMap(readBlocks)
  .filter(
    ({ language, text }) =>
      language === 'ts' && /openEmbedded\({ path: 'farm.duckdb'|'futures.csv'/.test(text),
  );

/** They read a table that the page does not give. */
const OTHER_FILES = /ames\.csv/;

const folder = temporaryFolder();
beforeAll(async () => {
  linkPackages(folder);
  await fillRecipeStore(folder);
});
describe('the programs of the guides', () => {
  it('are there', () => {
    expect(PROGRAMS.length).toBeGreaterThan(7);
  });

  it.each(
    PROGRAMS.filter(({ text }) => !OTHER_FILES.test(text)).map(
      (program) => [`${program.file}:${program.line}`, program] as const,
    ),
  )('run: %s', async (_, program) => {
    const isWhole = program.text.includes('close()') || !program.text.includes('openEmbedded');
    const text = isWhole ? program.text : closing(program.text);
    await expect(runRecipe({ ...program, text }, folder)).resolves.toBeInstanceOf(Array);
  });
});

/** Cells of a notebook, and programs that end there, leave the store open. */
function closing(text: string): string {
  return `${text.replace('const { client }', 'const { client, close }')}\nawait close();`;
}
