import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../notebooks/checks.js';
import { cellFailures, comparableOutputs, type Notebook } from '../notebooks/notebook.js';
import { createWorkspace, type Workspace } from '../notebooks/workspace.js';

const FOLDER = fileURLToPath(new URL('../../notebooks', import.meta.url));
const NAMES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.ipynb')) : [];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace?.close());

describe('every notebook', () => {
  it('has a check of its figures', () => {
    expect(NAMES.sort()).toEqual(Object.keys(CHECKS).sort());
  });

  it.each(NAMES)(
    '%s runs without an error, and shows what it was saved with and what others compute',
    async (name) => {
      const given = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Notebook;
      const executed = await workspace.execute(name, given);
      expect(cellFailures(executed)).toEqual([]);
      expect(comparableOutputs(executed)).toEqual(comparableOutputs(given));
      await CHECKS[name]!({ notebook: executed, folder: workspace.folder });
    },
  );
});
