import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/store/open.js';
import type { Store } from '../../../../src/store/store.js';
import { countRuns } from '../../../endurance.js';
import {
  importVintages,
  newPoints,
  putSampleEntities,
  readRows,
  type Vintage,
} from '../../conformance/sample-data.js';

const folder = mkdtempSync(join(tmpdir(), 'direct-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Periods of packed points in the order of the file. */
async function periodsInFile(path: string): Promise<number[][]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const sql = 'SELECT series, start_day, start_ms, days, end_ms FROM packed_point ORDER BY rowid';
  const rows = (await connection.runAndReadAll(sql)).getRows() as number[][];
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** Imports each list in a part of its own. */
async function importParts(store: Store, parts: readonly (readonly Vintage[])[]): Promise<void> {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  for (const part of parts) await transaction.putPoints(newPoints(part));
  await transaction.commit();
}

const vintage: fc.Arbitrary<Vintage> = fc.record({
  of: fc.record({ region_id: fc.constantFrom(21, 22, 211), item_id: fc.constantFrom(2, 3) }),
  day: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0.5, 7.25)),
  days: fc.constantFrom(0, 0, 6, 0.5),
  value: fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
  unit: fc.constantFrom(1, 2),
  reported: fc.constantFrom(null, 60, 61),
  metadata: fc.constantFrom(null, '{"flag":"E"}', '{"flag":"it\'s"}'),
});

describe('points of an import into new series', () => {
  it('are in the order of the layout, whatever order they come in, and as in an import of each alone', async () => {
    let runs = 0;
    const parts = fc.array(fc.array(vintage, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        // One vintage of each period and reporting date, so that none contradicts another.
        const seen = new Set<string>();
        const isNew = (one: Vintage) => {
          const { value: _, unit: __, metadata: ___, ...identity } = one;
          const text = JSON.stringify(identity);
          return seen.size < seen.add(text).size;
        };
        const lists = given.map((part) => part.filter(isNew));
        const path = join(folder, `${runs++}.db`);
        const together = await openStore(path);
        await importParts(together, lists);
        const rows = await readRows(together, { history: 'complete' });
        await together.close();
        const periods = await periodsInFile(path);
        const sorted = [...periods].sort((a, b) => a.map((n, i) => n - b[i]!).find((n) => n !== 0) ?? 0);
        expect(periods).toEqual(sorted);

        const alone = await openStore(':memory:');
        await importVintages(alone, []);
        const flat = lists.flat();
        for (const one of flat) await importVintages(alone, [one], { entities: false });
        expect(describeRows(await readRows(alone, { history: 'complete' }))).toEqual(describeRows(rows));
        await alone.close();
      }),
      { numRuns: countRuns({ quick: 2, all: 20 }) },
    );
  });

  it('keep a remark of their own each, however many they are', async () => {
    const count = 100_500;
    const vintages = Array.from({ length: count }, (_, day) => ({
      of: { region_id: day % 2 === 0 ? 21 : 22 },
      day: count - day,
      value: day,
      metadata: `{"n":${day}}`,
    }));
    const store = await openStore(':memory:');
    await importParts(store, [
      vintages.slice(0, 50_000),
      vintages.slice(50_000, 100_400),
      vintages.slice(100_400),
    ]);
    const rows = await readRows(store);
    expect(rows.length).toBe(count);
    expect(
      rows.every(({ day, value, metadata }) => day === count - value! && metadata === `{"n":${value}}`),
    ).toBe(true);
    await store.close();
  });
});

/** Rows without the number of their series, which depends on the order of imports. */
function describeRows(rows: Awaited<ReturnType<typeof readRows>>): string[] {
  return rows.map(({ series: _, ...row }) => JSON.stringify(row)).sort();
}
