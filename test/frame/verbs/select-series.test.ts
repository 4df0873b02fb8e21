import { tableFromArrays } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { selectSeries } from '../../../src/frame/verbs/select-series.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { anyPointSet, NAMES } from '../points.js';
import { annual, longOf, wideOf } from '../verbs.js';

const SERIES = [
  [{}, annual(2000, [1, null])],
  [{ region_id: 6 }, annual(2000, [3])],
  [{ metric_id: 2, region_id: 6 }, annual(2001, [4])],
] as const;

test('selects rows of a long frame', () => {
  const chosen = selectSeries(longOf(...SERIES), { region_id: 6 });
  expect([...chosen.getChild('value')!]).toEqual([3, 4]);
  expect([
    ...selectSeries(longOf(...SERIES), { region_id: [3, 6], metric_id: 1 }).getChild('value')!,
  ]).toEqual([1, null, 3]);
  expect(derivationSteps(chosen)).toEqual(['selectSeries({"region_id":6})']);
});

test('selects columns of a wide frame', () => {
  const chosen = selectSeries(wideOf(...SERIES), ({ names }) => names.get('metric_name') === 'Yield');
  expect(chosen.schema.fields.map(({ metadata }) => metadata.get('region_id'))).toEqual([
    undefined,
    '3',
    '6',
  ]);
  expect(chosen.numRows).toBe(2);
});

test('an empty selection returns an empty frame', () => {
  expect(selectSeries(longOf(...SERIES), { region_id: 77 }).numRows).toBe(0);
  expect(selectSeries(wideOf(...SERIES), { region_id: [] }).numCols).toBe(1);
});

test('agrees with a filter over all rows', () => {
  fc.assert(
    fc.property(anyPointSet(), fc.subarray([3, 6, 8, 99]), (points, region_id) => {
      const table = longFrame(points, { names: NAMES });
      const expected = toRows(table).filter((row) => region_id.includes(row.region_id as number));
      expect(toRows(selectSeries(table, { region_id }))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('refuses a table that is not a frame of series', () => {
  expect(() => selectSeries(tableFromArrays({ a: [1] }), {})).toThrow(ArgumentError);
});
