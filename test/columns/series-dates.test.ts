import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epochAt, epochWords, setEpoch } from '../../src/columns/series-dates.js';

const dates = fc.array(
  fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -3, max: 3 }).map((high) => high * 4_294_967_296),
  ),
  { minLength: 1 },
);

test('dates are written and read as pairs of words', () => {
  fc.assert(
    fc.property(dates, (given) => {
      const column = new BigInt64Array(given.length + 1).fill(-1n);
      given.forEach((ms, i) => {
        setEpoch(epochWords(column), i, ms);
      });
      expect([...column]).toEqual([...given.map(BigInt), -1n]);
      const shifted = epochWords(column.subarray(1));
      expect(given.slice(1).map((_, i) => epochAt(shifted, i) + 0)).toEqual(
        given.slice(1).map((ms) => ms + 0),
      );
    }),
  );
});
