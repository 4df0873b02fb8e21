import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from './checks.js';
import { cellFailures, comparableOutputs, type Notebook, notebookOf, outputText } from './notebook.js';
import { createWorkspace, type Workspace } from './workspace.js';

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

describe('the kernel', () => {
  it('imports the package by its name, native add-ons and Arrow tables of the same class', async () => {
    const executed = await workspace.execute(
      'imports.ipynb',
      notebookOf(
        "import { DuckDBInstance } from '@duckdb/node-api';\n" +
          "const connection = await (await DuckDBInstance.create(':memory:')).connect();\n" +
          "console.log((await connection.runAndReadAll('SELECT 6 * 7 AS answer')).getRows());",
        "import * as cropframe from 'cropframe';\nconsole.log(Object.keys(cropframe).length > 0);",
        "import { openEmbedded } from 'cropframe/embedded';\nconsole.log(typeof openEmbedded);",
      ),
    );
    expect(cellFailures(executed)).toEqual([]);
    expect(outputText(executed)).toMatch(/42[\s\S]*true[\s\S]*function/);
  });

  it('keeps every output, in its cell, however late it comes out', async () => {
    const late = "({ [Symbol.for('Jupyter.display')]: async () => ({ 'text/html': '<b>late</b>' }) })";
    const lines = "for (let i = 0; i < 300; i++) console.log('line ' + i);";
    const executed = await workspace.execute(
      'late.ipynb',
      notebookOf("'first'", lines, late, lines, "'last'"),
    );
    const shown = executed.cells.map((cell) => outputText({ ...executed, cells: [cell] }).trim());
    const all = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n');
    expect(shown).toEqual(['"first"', all, '<b>late</b>', all, '"last"']);
  });

  it('shows values that know how to show themselves', async () => {
    const shown = "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/html': '<b>maize</b>' }) })";
    const executed = await workspace.execute('display.ipynb', notebookOf(shown));
    expect(outputText(executed)).toContain('<b>maize</b>');
  });
});

describe('a failing cell', () => {
  it('is named with its code and its error, and the cells after it still run', async () => {
    const sources = ['console.log("before");', 'throw new RangeError("too hot");', 'console.log("after");'];
    const executed = await workspace.execute('failing.ipynb', notebookOf(...sources));
    expect(cellFailures(executed)).toEqual([
      expect.stringMatching(/^code cell 2: RangeError: too hot\nthrow new RangeError/),
    ]);
    expect(outputText(executed)).toMatch(/before[\s\S]*after/);
  });

  it('is an import of what the package does not export, too', async () => {
    const executed = await workspace.execute('missing.ipynb', notebookOf("import 'cropframe/not-there';"));
    expect(cellFailures(executed)).toHaveLength(1);
  });
});
