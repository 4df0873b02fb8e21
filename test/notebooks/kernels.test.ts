import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TSLAB } from '../notebooks-tslab/kernel.js';
import { checkQuickstart } from './checks/quickstart.js';
import { cellFailures, comparableOutputs, type Notebook } from './notebook.js';
import { createWorkspace, denoKernel } from './workspace.js';

const NAME = '01-quickstart.ipynb';
const SAVED = JSON.parse(
  readFileSync(join(fileURLToPath(new URL('../../notebooks', import.meta.url)), NAME), 'utf8'),
) as Notebook;

describe('the first notebook', () => {
  it.each([denoKernel(), TSLAB])('runs without an error under the kernel $name', async (kernel) => {
    const workspace = await createWorkspace(kernel);
    try {
      const executed = await workspace.execute(NAME, SAVED);
      expect(cellFailures(executed)).toEqual([]);
      if (kernel.name === TSLAB.name) return;
      expect(comparableOutputs(executed)).toEqual(comparableOutputs(SAVED));
      await checkQuickstart({ notebook: executed, folder: workspace.folder });
    } finally {
      await workspace.close();
    }
  });
});
