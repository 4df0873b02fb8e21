import { tableFromArrays } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { frame } from '../../../src/frame/frame.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { anyPointSet, NAMES, PROVENANCE } from '../points.js';
import { annual, longOf, wideOf, wideValues } from '../verbs.js';

test('a wide selection has the values of a long one', () => {
  const values = fc.array(fc.option(fc.integer({ min: 1, max: 9 })), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 1, maxLength: 4 }),
      fc.subarray([0, 1, 2, 3]),
      (all, region_id) => {
        const series = all.map((one, at) => [{ region_id: at }, annual(2000 + at, one)] as const);
        const wide = wideOf(...series).selectSeries({ region_id });
        const known = exactRows(longOf(...series).selectSeries({ region_id })).filter(
          ({ value }) => value !== null,
        );
        const held = wideValues(wide).flatMap((column) => column.filter((value) => value !== null));
        expect(held).toEqual(known.map(({ value }) => value));
        expect(exactRows(wide).map(({ end_date }) => end_date)).toEqual(
          [...new Set(known.map(({ end_date }) => end_date))].sort(),
        );
      },
    ),
  );
});

test('a selection has its sources and units, and the report of the whole', () => {
  const keys = [{}, { region_id: 6, unit_id: 10, source_id: 8 }];
  const [source, unit] = [PROVENANCE.sources[0]!, PROVENANCE.units[0]!];
  const provenance = {
    ...PROVENANCE,
    sources: [source, { ...source, id: 8, name: 'Other' }, { ...source, id: 9, name: 'Unused' }],
    units: [unit, { ...unit, id: 10 }],
  };
  const series = keys.map((key) => [{ ...key, frequency_id: 9 }, annual(2000, [1])] as const);
  for (const own of [longOf(...series), wideOf(...series)]) {
    const chosen = own.withProvenance(provenance).selectSeries({ region_id: 6 });
    const { sources, units, report } = chosen.summary();
    expect([sources.map(({ id }) => id), units.map(({ id }) => id)]).toEqual([[8], [10]]);
    expect(chosen.credit).toMatch(/^Other/);
    expect(report!.series).toBe(PROVENANCE.report.length);
  }
});

test('agrees with a filter over all rows', () => {
  fc.assert(
    fc.property(anyPointSet(), fc.subarray([3, 6, 8, 99]), (points, region_id) => {
      const table = longFrame(points, { names: NAMES });
      const expected = exactRows(table).filter((row) => region_id.includes(row.region_id as number));
      expect(exactRows(table.selectSeries({ region_id }))).toEqual(expected);
    }),
  );
});

test('refuses a table that is not a frame of series', () => {
  expect(() => frame(tableFromArrays({ a: [1] })).selectSeries({})).toThrow(ArgumentError);
});
