import { tableFromArrays } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import type { Frame } from '../../../src/frame/frame.js';
import { frame } from '../../../src/frame/frame.js';
import { ArgumentError } from '../../../src/model/errors.js';
import type { SeriesKey } from '../../../src/model/series.js';
import { exactRows } from '../exact-rows.js';
import { anyPointSet, NAMES, PROVENANCE, seriesOf } from '../points.js';
import { annual, daily, longOf, wideOf, wideValues } from '../verbs.js';

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

describe('keeps of the provenance only what remains:', () => {
  const keys = [{}, { region_id: 6, unit_id: 10, source_id: 8 }, { region_id: 8, source_id: 9 }];
  const entryOf = (key: SeriesKey) => ({
    series: key,
    rows: 1,
    outcome: 'data' as const,
    reason: null,
    truncated: false,
    from_cache: false,
  });
  const source = PROVENANCE.sources[0]!;
  const unit = PROVENANCE.units[0]!;
  const provenance = {
    ...PROVENANCE,
    sources: [source, { ...source, id: 8 }, { ...source, id: 9 }],
    units: [unit, { ...unit, id: 10 }],
    report: keys.map((key) => entryOf(seriesOf(key))),
  };
  const series = keys.slice(0, 2).map((key) => [{ ...key, frequency_id: 9 }, annual(2000, [1])] as const);
  const kept = (table: Frame) => {
    const { sources, units, report } = table.provenance!;
    return {
      sources: sources.map(({ id }) => id),
      units: units.map(({ id }) => id),
      regions: report.map((entry) => entry.series.region_id),
    };
  };

  test.each([longOf(...series), wideOf(...series)])('sources, units and entries of the report', (own) => {
    const table = own.withProvenance(provenance);
    expect(kept(table.selectSeries({ region_id: 6 }))).toEqual({ sources: [8], units: [10], regions: [6] });
    expect(kept(table.selectSeries({}))).toEqual({ sources: [5, 8, 9], units: [7, 10], regions: [3, 6, 8] });
    expect(kept(table.selectSeries(({ unit_id }) => unit_id === 7))).toEqual({
      sources: [5],
      units: [7],
      regions: [3],
    });
  });

  test('a series that failed, where the selection names it', () => {
    const table = longOf(...series).withProvenance(provenance);
    expect(kept(table.selectSeries({ region_id: 8 }))).toEqual({ sources: [9], units: [], regions: [8] });
  });

  test('the entry of a resampled series', () => {
    const report = [
      entryOf(seriesOf({ frequency_id: 1 })),
      entryOf(seriesOf({ region_id: 6, frequency_id: 1 })),
    ];
    const days = daily('2004-01-01', new Array(31).fill(1));
    const table = longOf([{ frequency_id: 1 }, days]).withProvenance({ ...provenance, report });
    const months = table.resample({ to: 'monthly', how: 'mean' });
    expect(kept(months.selectSeries({ region_id: 3, frequency_id: 6 })).regions).toEqual([3]);
  });
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
