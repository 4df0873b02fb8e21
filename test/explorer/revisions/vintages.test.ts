import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VintageColumns } from '../../../src/columns/point-columns.js';
import { frameAsOf, triangleOf, vintagesOf } from '../../../src/explorer/revisions/vintages.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { columnsOf as columnsOfRows, packColumns } from '../../columns/rows.js';
import { chooseRevisions } from '../../store/conformance/revision-rules.js';

const DAY_MS = 86_400_000;
const SERIES = [1, 2].map((region_id) => ({
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  source_id: 3,
  frequency_id: 1,
  unit_id: 4,
}));

interface Vintage {
  readonly series: number;
  readonly day: number;
  readonly reported: number | null;
  readonly available: number;
  readonly value: number | null;
}

const vintage: fc.Arbitrary<Vintage> = fc.record({
  series: fc.integer({ min: 0, max: 1 }),
  day: fc.integer({ min: 0, max: 3 }),
  reported: fc.option(fc.integer({ min: 5, max: 8 }), { nil: null }),
  available: fc.integer({ min: 5, max: 12 }),
  value: fc.option(fc.integer({ min: 0, max: 99 }), { nil: null }),
});

/** A store has one row for each series, period, reporting and available date. */
const vintages = fc.uniqueArray(vintage, {
  maxLength: 30,
  selector: ({ series, day, reported, available }) => `${series} ${day} ${reported} ${available}`,
});

function columnsOf(list: readonly Vintage[]): VintageColumns {
  const rows = list.map(({ series, day, reported, available, value }) => ({
    series,
    startMs: day * DAY_MS,
    endMs: day * DAY_MS,
    value,
    unitId: 4,
    reportingMs: reported === null ? null : reported * DAY_MS,
    availableMs: available * DAY_MS,
  }));
  return columnsOfRows(rows) as VintageColumns;
}

const names = {
  metrics: new Map([[1, 'Yield']]),
  items: new Map([[2, 'Corn']]),
  regions: new Map([
    [1, 'Iowa'],
    [2, 'Ohio'],
  ]),
  frequencies: new Map([[1, 'daily']]),
  sources: new Map([[3, 'Desk']]),
  units: new Map([[4, 't']]),
};

function frameOf(list: readonly Vintage[], show_available_date: boolean) {
  const all = chooseRevisions(columnsOf(list), {
    history: 'complete',
    startMs: null,
    endMs: null,
    atMs: null,
    sinceMs: null,
  });
  return longFrame({ series: SERIES, runs: packColumns(all) }, { names, show_available_date });
}

describe('what was known on a date', () => {
  it('is what a service answers for at_time, of every history', () => {
    fc.assert(
      fc.property(vintages, fc.integer({ min: 4, max: 13 }), (list, at) => {
        const local = frameAsOf(frameOf(list, true), at * DAY_MS);
        const chosen = chooseRevisions(columnsOf(list), {
          history: 'latest',
          startMs: null,
          endMs: null,
          atMs: at * DAY_MS,
          sinceMs: null,
        });
        const served = longFrame({ series: SERIES, runs: packColumns(chosen) }, { names });
        expect(local.toRows()).toEqual(served.toRows());
      }),
    );
  });

  it('changes on the dates of vintages alone', () => {
    const frame = frameOf(
      [
        { series: 0, day: 0, reported: null, available: 5, value: 1 },
        { series: 0, day: 0, reported: null, available: 9, value: 2 },
      ],
      true,
    );
    expect(vintagesOf(frame).days).toEqual(['1970-01-06', '1970-01-10']);
    expect(frameAsOf(frame, 5 * DAY_MS - 1).numRows).toBe(0);
  });

  it('tells in a triangle what was not known yet, what was null, and what changed', () => {
    const frame = frameOf(
      [
        { series: 0, day: 0, reported: null, available: 5, value: 1 },
        { series: 0, day: 0, reported: null, available: 6, value: null },
        { series: 0, day: 1, reported: null, available: 6, value: 7 },
      ],
      true,
    );
    const { rows, unit } = triangleOf(frame, ['1970-01-06', '1970-01-07']);
    expect(unit).toBe('t');
    expect(rows.map(({ values }) => values)).toEqual([
      [undefined, 7],
      [1, Number.NaN],
    ]);
  });
});
