import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { countRuns, firstSeed, listCounts, tellFigures } from '../../endurance.js';
import { importVintages } from '../../store/conformance/sample-data.js';
import { newStoreAddress } from '../fresh-store.js';
import { askStore } from './asked-store.js';
import { type Case, cases, worlds } from './cases.js';
import { Oracle } from './oracle.js';

const SEED = firstSeed(20_261_122);
const CASES = countRuns({ quick: 600 });
const CASES_A_WORLD = 150;
/** Cases that are asked at the same time. */
const AT_ONCE = 6;

describe('random selections', () => {
  it('have the same answer on DuckDB, on three shards of ClickHouse, and by definition', async () => {
    const asked = new Map<string, number>();
    let empty = 0;
    for (let world = 0; world * CASES_A_WORLD < CASES; world++) {
      const seed = SEED + world;
      const [imports] = fc.sample(worlds, { seed, numRuns: 1 });
      const wanted = fc.sample(cases, {
        seed,
        numRuns: Math.min(CASES_A_WORLD, CASES - world * CASES_A_WORLD),
      });
      const oracle = new Oracle();
      const address = await newStoreAddress();
      const stores = await Promise.all([openStore(':memory:'), openStore(address)]);
      try {
        for (const vintages of imports!) {
          oracle.import(vintages);
          await Promise.all(stores.map((store) => importVintages(store, vintages)));
        }
        for (let at = 0; at < wanted.length; at += AT_ONCE)
          await Promise.all(
            wanted.slice(at, at + AT_ONCE).map(async (one, i) => {
              const name = `seed ${seed}, case ${at + i}`;
              const expected = await compare(stores, oracle, { one, name });
              asked.set(one.asked, (asked.get(one.asked) ?? 0) + 1);
              if (Array.isArray(expected) && expected.length === 0) empty++;
            }),
          );
        for (const store of stores) expect(await store.findFaults()).toEqual([]);
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    }
    tellFigures(`${CASES} selections: ${listCounts(asked)}; ${empty} of them select nothing`);
    expect(empty).toBeLessThan(CASES / 3);
  }, 800_000);
});

async function compare(
  stores: readonly Store[],
  oracle: Oracle,
  { one, name }: { one: Case; name: string },
): Promise<unknown> {
  const expected = oracle.answer(one);
  for (const store of stores) {
    const { engine } = store;
    const found = await askStore(store, one).catch((error: unknown) => ({ error }));
    expect(found, `${engine}, ${name}: ${JSON.stringify(one)}`).toEqual(expected);
  }
  return expected;
}
