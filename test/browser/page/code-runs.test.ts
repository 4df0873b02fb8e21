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
import { cornYield } from './farm.js';
import { siteForTests } from './open-site.js';
import { textOf } from './saved-file.js';
import { settled, VIEWS } from './views.js';

const run = promisify(execFile);
const ENV = { ...process.env, API_TOKEN: 'none' };

const site = siteForTests();
// Below the package, so that programs find it by its name.
const folder = mkdtempSync(fileURLToPath(new URL('../programs-', import.meta.url)));

afterAll(() => rmSync(folder, { recursive: true }));

/** The rows that the program of a view prints, after it is run. */
async function rowsOfProgram(view: keyof typeof VIEWS): Promise<Record<string, unknown>[]> {
  const { page } = await site.open({ query: VIEWS[view].query });
  await settled(page, VIEWS[view]);
  const program = await textOf(page, 'Code');
  const printed = program.replace(/console\.log\((.*)\);/s, 'console.log(JSON.stringify(($1).toRows()));');
  const file = join(folder, `${view}.mjs`);
  writeFileSync(file, transformSync(printed, { loader: 'ts' }).code);
  const { stdout } = await run(process.execPath, [file], { env: ENV, maxBuffer: 1e9 });
  return JSON.parse(stdout);
}

/** A vintage: the first day of its period, its value, and the day on which it became available. */
type Vintage = readonly [start: string, value: number | null, available: string];

const inOrder = (vintages: readonly Vintage[]) => vintages.map((one) => one.join(' ')).sort();
const dayOf = (date: unknown) => String(date).slice(0, 10);

describe('the program of Revisions', () => {
  it('gives the vintages that the page shows', async () => {
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
    const rows = await rowsOfProgram('revisions');
    expect(
      inOrder(rows.map((row) => [dayOf(row.start_date), row.value as number, dayOf(row.available_date)])),
    ).toEqual(wanted);
  });
});

describe('the program of a map', () => {
  it('gives the figures of all its regions', async () => {
    const rows = await rowsOfProgram('map');
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
    expect(figures(rows.map((row) => [row.region_id, row.start_date, row.value]))).toEqual(wanted);
  });
});
