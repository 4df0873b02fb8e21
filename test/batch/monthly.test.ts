import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importTable, outputOf, temporaryFolder } from './scripts.js';

const { folder, remove } = temporaryFolder();
const [store, out, document] = ['farm.duckdb', 'out', 'document.json'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

/** Rain of Iowa by day. */
function importRain(days: Readonly<Record<string, number>>): void {
  const table = join(folder, 'rain.csv');
  const lines = Object.entries(days).map(([day, rain]) => `Iowa,${day},${rain}`);
  writeFileSync(table, `${['place,day,rain', ...lines].join('\n')}\n`);
  importTable(store, table, document);
}

beforeAll(() => {
  const named = {
    item: { name: 'Precipitation' },
    metric: { name: 'Precipitation quantity' },
    unit: { name: 'mm' },
  };
  const start_date = { column: 'day', format: 'YYYY-MM-DD' };
  writeFileSync(
    document,
    JSON.stringify({ source: { name: 'Gauge' }, region: 'place', start_date, values: 'rain', ...named }),
  );
  importRain({ '2012-05-30': 1, '2012-05-31': 2, '2012-06-01': 4, '2012-07-01': 8 });
});
afterAll(remove);

const files = () =>
  readdirSync(join(out, 'points'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .sort();
const written = (file: string) => statSync(join(out, 'points', file)).mtimeMs;

async function sumsByDuckDb(): Promise<unknown[]> {
  const db = await (await DuckDBInstance.create()).connect();
  const from = `read_parquet('${join(out, 'points')}/**/*.parquet', hive_partitioning = true)`;
  const read = await db.runAndReadAll(
    `SELECT year::INT, month::INT, sum(value), count(*)::INT FROM ${from} GROUP BY ALL ORDER BY ALL`,
  );
  return read.getRows();
}

function valuesByParquetWasm(file: string): unknown[] {
  const table = tableFromIPC(readParquet(readFileSync(join(out, 'points', file))).intoIPCStream());
  return [...table.getChild('value')!];
}

it('writes a partition for each month, and later those alone that changed', async () => {
  expect(outputOf('monthly-parquet', store, out)).toContain('3 months written, 0 unchanged; 4 points');
  const [may, june, july] = ['05', '06', '07'].map((month) =>
    join('year=2012', `month=${month}`, 'points.parquet'),
  ) as [string, string, string];
  expect(files()).toEqual([may, june, july]);
  expect(await sumsByDuckDb()).toEqual([
    [2012, 5, 3, 2],
    [2012, 6, 4, 1],
    [2012, 7, 8, 1],
  ]);
  expect(valuesByParquetWasm(may)).toEqual([1, 2]);
  const times = [may, july].map(written);

  expect(outputOf('monthly-parquet', store, out)).toContain('0 months written, 3 unchanged; 4 points');

  // A day of June is revised, and August begins.
  importRain({ '2012-06-01': 5, '2012-08-01': 16 });
  const output = outputOf('monthly-parquet', store, out);
  expect(output).toContain('2 months written, 2 unchanged; 5 points');
  expect([may, july].map(written)).toEqual(times);
  expect(await sumsByDuckDb()).toEqual([
    [2012, 5, 3, 2],
    [2012, 6, 5, 1],
    [2012, 7, 8, 1],
    [2012, 8, 16, 1],
  ]);
  expect(valuesByParquetWasm(june)).toEqual([5]);
});
