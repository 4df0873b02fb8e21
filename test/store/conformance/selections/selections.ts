import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRuns, firstSeed, listCounts, tellFigures } from '../../../endurance.js';
import { importVintages, type OpenEmptyStore } from '../sample-data.js';
import { askStore } from './asked-store.js';
import { cases, worlds } from './cases.js';
import { Oracle } from './oracle.js';

const SEED = firstSeed(20_261_122);
const CASES = countRuns({ quick: 80, all: 600 });
const CASES_PER_WORLD = 150;
/** Cases that are asked at the same time. */
const AT_ONCE = 6;

export function describeSelections(open: OpenEmptyStore): void {
  describe('random selections', () => {
    it('have the answers that the definitions give', async () => {
      const asked = new Map<string, number>();
      let empty = 0;
      for (let world = 0; world * CASES_PER_WORLD < CASES; world++) {
        const seed = SEED + world;
        const [imports] = fc.sample(worlds, { seed, numRuns: 1 });
        const numRuns = Math.min(CASES_PER_WORLD, CASES - world * CASES_PER_WORLD);
        const wanted = fc.sample(cases, { seed, numRuns });
        const oracle = new Oracle();
        const store = await open();
        try {
          for (const vintages of imports!) {
            oracle.import(vintages);
            await importVintages(store, vintages);
          }
          for (let at = 0; at < wanted.length; at += AT_ONCE)
            await Promise.all(
              wanted.slice(at, at + AT_ONCE).map(async (one, i) => {
                const expected = oracle.answer(one);
                const found = await askStore(store, one).catch((error: unknown) => ({ error }));
                expect(found, `seed ${seed}, case ${at + i}: ${JSON.stringify(one)}`).toEqual(expected);
                asked.set(one.asked, (asked.get(one.asked) ?? 0) + 1);
                if (Array.isArray(expected) && expected.length === 0) empty++;
              }),
            );
          expect(await store.findFaults()).toEqual([]);
        } finally {
          await store.close();
        }
      }
      tellFigures(`${CASES} selections: ${listCounts(asked)}; ${empty} of them select nothing`);
      expect(asked.size).toBe(7);
      expect(empty).toBeLessThan(CASES / 3);
    });
  });
}
