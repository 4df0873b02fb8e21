import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyRegionStore } from '../../store-templates.js';
import { runCommand, temporaryFolder, words } from '../capture.js';

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

it('converts from units that sources define, and asks which one a name means', async () => {
  await copyRegionStore(store);
  await importFarm('Farm A', 0.025);
  const goats = words`--metric ${'Production quantity'} --item Goats --region ${'Story County'}`;
  const points = ['points', ...goats, '--source', 'Farm A', '--store', store, '--json'];
  const [kilograms] = JSON.parse((await runCommand([...points, '--unit', 'kg'])).stdout);
  expect(kilograms.value).toBe(100);
  const [sacks] = JSON.parse((await runCommand([...points, '--unit', 'sack'])).stdout);
  expect(sacks.value).toBe(4);
  await importFarm('Farm B', 0.05);
  const unclear = await runCommand([...points, '--unit', 'sack']);
  expect(unclear).toMatchObject({ code: 2, stdout: '' });
  expect(unclear.stderr).toMatch(
    /several units are called "sack": \d+ \(factor 0\.\d+\), \d+ \(factor 0\.\d+\); specify one by its id/,
  );
});
