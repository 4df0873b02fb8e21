import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/store.js';
import { countRuns, firstSeed, listCounts, tellFigures } from '../../../endurance.js';
import { DAY, newPoints, type OpenEmptyStore, putSampleEntities, T0, type Vintage } from '../sample-data.js';
import { askStore } from './asked-store.js';
import { cases, worlds } from './cases.js';
import { Oracle } from './oracle.js';

const SEED = firstSeed(20_261_122);
const CASES = countRuns({ quick: 60, all: 900 });
const CASES_PER_WORLD = countRuns({ quick: 30, all: 60 });
/** Cases that are asked at the same time. */
const AT_ONCE = 6;

async function importInParts(store: Store, vintages: readonly Vintage[], importedMs: number) {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  const half = vintages.length >> 1;
  for (const part of [vintages.slice(0, half), vintages.slice(half)])
    await transaction.putPoints(newPoints(part));
  await transaction.record({ imported: { dataset: 'test', sourceIds: [], importedMs } });
  const { duplicates, conflicts } = await transaction.settle();
  const { added, revised, unchanged } = await transaction.commit();
  return { added, revised, unchanged, duplicates, conflicts };
}

export function describeSelections(open: OpenEmptyStore): void {
  describe('random vintages and selections', () => {
    it('have the counts and the answers that the definitions give', async () => {
      const asked = new Map<string, number>();
      let empty = 0;
      for (let world = 0; world * CASES_PER_WORLD < CASES; world++) {
        const seed = SEED + world;
        const [imports] = fc.sample(worlds, { seed, numRuns: 1 });
        const wanted = fc.sample(cases, { seed, numRuns: CASES_PER_WORLD });
        const oracle = new Oracle();
        const store = await open();
        try {
          for (const [i, vintages] of imports!.entries()) {
            const importedMs = T0 + (8 + i) * DAY;
            const counts = await importInParts(store, vintages, importedMs);
            expect(counts, `seed ${seed}, import ${i}`).toEqual(oracle.import(vintages, importedMs));
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
