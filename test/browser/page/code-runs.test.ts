import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/index.js';
import { parseSeriesKey } from '../../../src/model/series.js';
import { exactRows } from '../../frame/exact-rows.js';
import { PYTHON } from '../../python.js';
import { cornYield } from './farm.js';
import { siteForTests } from './open-site.js';
import { settled, VIEWS } from './views.js';

const run = promisify(execFile);
const ENV = { ...process.env, API_TOKEN: 'none' };

const site = siteForTests();
// Below the package, so that programs find it by its name.
const folder = mkdtempSync(fileURLToPath(new URL('../programs-', import.meta.url)));

afterAll(() => rmSync(folder, { recursive: true }));

/** The programs of a view, by language, as the page gives them. */
async function programsOf(view: keyof typeof VIEWS): Promise<Record<'TypeScript' | 'Python', string>> {
  const { page } = await site.open({ query: VIEWS[view].query });
  await settled(page, VIEWS[view]);
  await page.getByRole('button', { name: 'Code' }).click();
  const texts: string[] = [];
  for (const language of ['TypeScript', 'Python']) {
    await page.getByRole('tab', { name: language }).click();
    texts.push(await page.getByLabel('Program').inputValue());
  }
  return { TypeScript: texts[0]!, Python: texts[1]! };
}

/** A vintage: the first day of its period, its value, and the day on which it became available. */
type Vintage = readonly [start: string, value: number | null, available: string];

const inOrder = (vintages: readonly Vintage[]) => vintages.map((one) => one.join(' ')).sort();
const dayOf = (date: unknown) => String(date).slice(0, 10);

/** The vintages among printed rows. */
function vintagesOf(printed: string): string[] {
  const rows = JSON.parse(printed) as { start_date: string; value: number; available_date: string }[];
  return inOrder(rows.map((row) => [dayOf(row.start_date), row.value, dayOf(row.available_date)]));
}

/** What prints the rows of a program's table as JSON in place of the table; and what asks where there is no `requests`. */
const PRELUDE = `import json, sys, types, urllib.parse, urllib.request
class Table:
    def __init__(self, rows): self.rows = rows
    def from_pylist(rows): return Table(rows)
    def __str__(self): return json.dumps(self.rows)
sys.modules["pyarrow"] = types.SimpleNamespace(Table=Table)
def get(url, params, headers, timeout):
    asked = urllib.request.Request(url + "?" + urllib.parse.urlencode(params, doseq=True), headers=headers)
    text = urllib.request.urlopen(asked, timeout=timeout).read()
    return types.SimpleNamespace(raise_for_status=lambda: None, json=lambda: json.loads(text))
try:
    import requests
except ImportError:
    sys.modules["requests"] = types.SimpleNamespace(get=get)
`;

describe('the programs of Revisions', () => {
  it('give the vintages that the page shows, in each language', async () => {
    const client = createClient({ api_host: site.url, access_token: 'none' });
    client.addSingleDataSeries(parseSeriesKey(cornYield(19))!);
    const frame = await client.getDf({ complete_history: true, show_available_date: true });
    const wanted = inOrder(
      exactRows(frame).map(({ start_date, value, available_date }) => [
        dayOf(start_date),
        value as number,
        dayOf(available_date),
      ]),
    );
    expect(wanted).toHaveLength(57);
    const { TypeScript, Python } = await programsOf('revisions');

    const python = await run(PYTHON, ['-c', PRELUDE + Python], { env: ENV });
    expect(vintagesOf(python.stdout)).toEqual(wanted);

    const printed = TypeScript.replace('console.log(table)', 'console.log(JSON.stringify(table.toRows()))');
    const { code } = transformSync(printed, { loader: 'ts' });
    const file = join(folder, 'revisions.mjs');
    writeFileSync(file, code);
    const typescript = await run(process.execPath, [file], { env: ENV });
    expect(vintagesOf(typescript.stdout)).toEqual(wanted);
  });
});

describe('the programs of a map', () => {
  it('give the figures of all its regions, in Python', async () => {
    const { Python, TypeScript } = await programsOf('map');
    const client = createClient({ api_host: site.url, access_token: 'none' });
    const { metric_id, item_id, frequency_id, source_id } = parseSeriesKey(cornYield(19))!;
    const selection = { metric_id, item_id, source_id, frequency_id };
    const { regions } = await client.facets(selection, { in: 'regions', limit: 10_000 });
    const region_id = regions.filter(({ series }) => series > 0).map(({ id }) => id);
    const table = await client.getDataPointsTable({ ...selection, region_id });
    const figures = (rows: readonly (readonly [region: unknown, start: unknown, value: unknown])[]) =>
      rows.map(([region, start, value]) => `${region} ${dayOf(start)} ${value}`).sort();
    const wanted = figures(exactRows(table).map((row) => [row.region_id, dayOf(row.start_date), row.value]));
    expect(wanted.length).toBeGreaterThan(50);
    expect(TypeScript).toContain('client.getDataPointsTable({');

    const python = await run(PYTHON, ['-c', PRELUDE + Python], { env: ENV, maxBuffer: 1e9 });
    const rows = JSON.parse(python.stdout) as { regionId: number; start_date: string; value: number }[];
    expect(figures(rows.map((row) => [row.regionId, row.start_date, row.value]))).toEqual(wanted);
  });
});
