import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { resolveUnits, type UnitClient } from '../../src/saved/unit-choice.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';

const folder = temporaryFolder();
const store = join(folder, 'farms.duckdb');

/** A table of one farm, whose sacks have a mass of their own. */
async function importFarm(name: string, tonnesPerSack: number): Promise<void> {
  const document = {
    source: { name },
    define: { items: { Goats: {} }, units: { sack: { dimension: 'mass', factor: tonnesPerSack } } },
    region: { name: 'Story County, Iowa' },
    metric: { name: 'Production quantity' },
    item: { name: 'Goats' },
    unit: { name: 'sack' },
    start_date: { column: 'year', format: 'YYYY' },
    values: 'sacks',
  };
  const [table, path] = [join(folder, `${name}.csv`), join(folder, `${name}.json`)];
  writeFileSync(table, 'year,sacks\n2020,4\n');
  writeFileSync(path, JSON.stringify(document));
  const imported = await runCommand(['import', path, table, '--store', store, '--json']);
  expect(imported).toMatchObject({ code: 0 });
}

const POINTS = [
  '--metric',
  'Production quantity',
  '--item',
  'Goats',
  '--region',
  'Story County',
  '--store',
  store,
];

it('converts from units that sources define, and asks which one a name means', async () => {
  await importFarm('Farm A', 0.025);
  const points = ['points', ...POINTS, '--source', 'Farm A', '--json'];
  const [kilograms] = JSON.parse((await runCommand([...points, '--unit', 'kg'])).stdout);
  expect(kilograms.value).toBe(100);
  const [sacks] = JSON.parse((await runCommand([...points, '--unit', 'sack'])).stdout);
  expect(sacks.value).toBe(4);
  await importFarm('Farm B', 0.05);
  const unclear = await runCommand([...points, '--unit', 'sack']);
  expect(unclear).toMatchObject({ code: 2, stdout: '' });
  expect(unclear.stderr).toMatch(
    /several units are called "sack": \d+ \(factor 0\.\d+\), \d+ \(factor 0\.\d+\); give the id/,
  );
});

it('asks once for the units of a metric and an item, however many series have them', async () => {
  const unit = {
    id: 5,
    name: 'tonne',
    namePlural: 'tonnes',
    abbreviation: 't',
    baseConvFactor: { factor: 1 },
  };
  const getAllowedUnits = vi.fn(async () => [5]);
  const client = { getAllowedUnits, lookup: async () => ({ 5: unit }) } as unknown as UnitClient;
  const key = { metric_id: 1, partner_region_id: 0, frequency_id: 9, source_id: 4 };
  const series = [2, 2, 2, 3].map((item_id, at) => ({ ...key, item_id, region_id: at }));
  expect(await resolveUnits(client, 't', { series })).toBe(5);
  expect(getAllowedUnits.mock.calls).toEqual([
    [1, 2, { signal: undefined }],
    [1, 3, { signal: undefined }],
  ]);
});
