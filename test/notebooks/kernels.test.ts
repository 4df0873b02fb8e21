import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkQuickstart } from './checks/quickstart.js';
import { cellFailures, comparableOutputs, type Notebook } from './notebook.js';
import { createWorkspace } from './workspace.js';

const NAME = '01-quickstart.ipynb';
const SAVED = JSON.parse(
  readFileSync(join(fileURLToPath(new URL('../../notebooks', import.meta.url)), NAME), 'utf8'),
) as Notebook;

it('the first notebook runs without an error, and shows what it was saved with', async () => {
  const workspace = await createWorkspace();
  try {
    const executed = await workspace.execute(NAME, SAVED);
    expect(cellFailures(executed)).toEqual([]);
    expect(comparableOutputs(executed)).toEqual(comparableOutputs(SAVED));
    await checkQuickstart({ notebook: executed, folder: workspace.folder });
  } finally {
    await workspace.close();
  }
});
