import { describe, expect, it } from 'vitest';
import { unpackLists } from '../../../src/columns/packed-points.js';
import {
  allSeries,
  DAY,
  dailyPoints,
  EVERYTHING,
  type OpenEmptyStore,
  putSampleEntities,
  T0,
} from './sample-data.js';

const REGIONS = [21, 22, 29];
/** Three imports of so many points of known series are more than stay as they arrive. */
const POINTS = 12_000;

/** What importing again and again leaves, of more points than stay as they arrive. */
export function describeSorting(open: OpenEmptyStore): void {
  describe('many vintages', () => {
    it('are unchanged by sorting the point tables', async () => {
      const store = await open();
      for (const [value, from] of [0, -20_000, 20_000, 0].entries()) {
        const transaction = await store.begin();
        if (value === 0) await putSampleEntities(transaction);
        for (const region_id of REGIONS) {
          const days = { days: POINTS, from, available: value };
          await transaction.putPoints(dailyPoints({ region_id }, days, () => value));
        }
        await transaction.commit();
      }
      const series = await allSeries(store);
      /** The points of all series as one text. */
      const read = async (history: 'latest' | 'complete') => {
        let found = '';
        for await (const { length, ...columns } of unpackLists(
          store.points({ ...EVERYTHING, history, series }),
        ))
          for (let row = 0; row < length; row++)
            found += `${columns.series[row]} ${columns.start_date[row]} ${columns.value[row]}\n`;
        return found;
      };
      const expected = (values: readonly number[]) => {
        const parts = [[-20_000, [1]] as const, [0, values] as const, [20_000, [2]] as const];
        let text = '';
        for (const position of REGIONS.keys())
          for (const [from, ofPeriod] of parts)
            for (let i = 0; i < POINTS; i++)
              for (const value of ofPeriod) text += `${position} ${T0 + (from + i) * DAY} ${value}\n`;
        return text;
      };
      expect((await read('latest')) === expected([3])).toBe(true);
      expect((await read('complete')) === expected([0, 3])).toBe(true);
      await store.close();
    });
  });
}
