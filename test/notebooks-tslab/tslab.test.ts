import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellFailures, type Notebook, notebookOf, outputText } from '../notebooks/notebook.js';
import { createWorkspace, type Workspace } from '../notebooks/workspace.js';
import { TSLAB } from './kernel.js';

const FOLDER = fileURLToPath(new URL('../../notebooks', import.meta.url));
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.ipynb'));

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace(TSLAB);
});
afterAll(() => workspace?.close());

const FRAME = `import { openEmbedded } from 'cropframe/embedded';
const { client, close } = await openEmbedded({ demo: true });
await client.addDataSeries({ metric: 'Temperature', item: 'Temperature max', region: 'Seattle' });
await client.addDataSeries({ metric: 'Temperature', item: 'Temperature min', region: 'Seattle' });
const long = await client.getDf({ include_names: true });
const wide = await client.getDf({ compress_format: true });
close().then(() => undefined);`;

it('shows a frame as a table: shape, units, sources, first and last rows, a small line of each series', async () => {
  const html = "import { display } from 'tslab';\ndisplay.html(wide.toHtml());".replace('\\\n', '\n');
  const executed = await workspace.execute('frames.ipynb', notebookOf(FRAME, 'long', 'wide', html));
  const [, ofLong, ofWide, asHtml] = executed.cells.map((cell) => outputText({ ...executed, cells: [cell] }));
  for (const [shown, shape] of [
    [ofLong, 'long frame · 2,922 rows × 18 columns · 2 series'],
    [ofWide, 'wide frame · 1,461 rows × 3 columns · 2 series'],
  ]) {
    expect(shown).toContain(shape);
    expect(shown).toContain('units: °C');
    expect(shown).toContain('sources: NOAA daily weather');
    expect(shown).toMatch(/^2012-01-01 .*12\.8/m);
    expect(shown).toMatch(/^2015-12-31 .*-?\d/m);
    expect(shown).toMatch(/Temperature max.*[▁▂▃▄▅▆▇█]{5}/);
  }
  expect(asHtml).toContain('<table>');
  expect(asHtml).toContain('Temperature min');
});

it.each(NAMES)('runs %s without an error', async (name) => {
  const given = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Notebook;
  const executed = await workspace.execute(name, given);
  expect(cellFailures(executed)).toEqual([]);
  for (const cell of executed.cells.filter(({ cell_type }) => cell_type === 'code'))
    expect(outputText({ ...executed, cells: [cell] })).not.toBe('');
});

it('says of a failing cell what failed, and runs the cells after it', async () => {
  const sources = ["console.log('before');", 'for await (const one of []) console.log(one);', "'after'"];
  const executed = await workspace.execute('failing.ipynb', notebookOf(...sources));
  expect(cellFailures(executed)).toEqual([expect.stringMatching(/code cell 2: .*SyntaxError: Unexpected/s)]);
  expect(outputText(executed)).toMatch(/before[\s\S]*after/);
});
