import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writerIn } from '../../src/charts/language.js';
import { countReports, triangleOf, viewRevisions } from '../../src/charts/revisions.js';
import type { VintageColumns } from '../../src/columns/point-columns.js';
import { longFrame } from '../../src/frame/build/long.js';
import { formatDay } from '../../src/model/time.js';
import { columnsOf as columnsOfRows, packColumns } from '../columns/rows.js';
import { chooseRevisions } from '../store/conformance/revision-rules.js';

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

const answer = (list: readonly Vintage[], history: 'latest' | 'complete', day: number) =>
  chooseRevisions(columnsOf(list), { ...EVERYTHING, history, atMs: (day + 1) * DAY_MS - 1 });

/** Dates the first version of each report as the report, and its corrections later, as services that import at once do. */
function availableWhenReported(list: readonly Vintage[]): Vintage[] {
  const dated = new Map<string, Vintage>();
  for (const one of [...list].sort((a, b) => a.available - b.available)) {
    const { series, day, reported, available } = one;
    const key = `${series} ${day} ${reported}`;
    const first = reported ?? available;
    const at = dated.has(`${key} ${first}`) ? Math.max(first + 1, available) : first;
    dated.set(`${key} ${at}`, { ...one, available: at });
  }
  return [...dated.values()];
}

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

const EVERYTHING = { startMs: null, endMs: null, atMs: null, sinceMs: null };

const frameOf = (list: readonly Vintage[], day = 100) =>
  longFrame(
    { series: SERIES, runs: packColumns(answer(list, 'complete', day)) },
    { names, show_available_date: true },
  );

const servedOn = (list: readonly Vintage[], day: number) =>
  longFrame({ series: SERIES, runs: packColumns(answer(list, 'latest', day)) }, { names })
    .toRows()
    .map(({ start_date, value }) => [Number(start_date), value ?? Number.NaN]);

describe('the triangle of vintages', () => {
  it('has only what was stated on its days, of which the last is what a service answers for at_time', () => {
    fc.assert(
      fc.property(vintages, (all) => {
        const list = availableWhenReported(all.filter(({ series }) => series === 0));
        fc.pre(list.length > 0);
        const { shown, rows } = triangleOf(frameOf(list));
        for (const [at, date] of shown.entries()) {
          const day = Date.parse(date) / DAY_MS;
          for (const { start, values } of rows.filter(({ values }) => values[at] !== undefined)) {
            const stated = list.filter((one) => one.available === day && one.day === start / DAY_MS);
            expect(stated.map(({ value }) => value ?? Number.NaN)).toContainEqual(values[at]);
          }
          const known = rows.flatMap(({ start, values }) => {
            const last = values.slice(0, at + 1).findLast((value) => value !== undefined);
            return last === undefined ? [] : [[start, last]];
          });
          expect(known).toEqual(servedOn(list, day));
        }
      }),
    );
  });

  it('leaves a cell empty where a report did not state the value, and out the periods of older reports', () => {
    const list = [
      { day: 0, reported: 5, value: 10 },
      { day: 0, reported: 6, value: 11 },
      { day: 1, reported: 6, value: 20 },
      { day: 1, reported: 7, value: 21 },
      { day: 2, reported: 8, value: 30 },
    ].map((one) => ({ series: 0, available: one.reported, ...one }));
    const all = triangleOf(frameOf(list));
    expect(all.rows.map(({ values }) => values)).toEqual([
      [10, 11, undefined, undefined],
      [undefined, 20, 21, undefined],
      [undefined, undefined, undefined, 30],
    ]);
    const { total, shown, rows } = triangleOf(frameOf(list), 2);
    expect([total, shown]).toEqual([4, [7, 8].map((day) => formatDay(day * DAY_MS))]);
    expect(rows.map(({ values }) => values)).toEqual([
      [21, undefined],
      [undefined, 30],
    ]);
  });

  it('ends, as the chart does, with what a service answers on a day, whenever reports became available', () => {
    const write = writerIn(['en-GB']);
    fc.assert(
      fc.property(vintages, fc.integer({ min: 5, max: 12 }), (all, day) => {
        const list = all.filter(({ series }) => series === 0);
        const frame = frameOf(list, day);
        fc.pre(frame.numRows > 0);
        const { rows } = triangleOf(frame);
        const valued = rows.filter(({ values }) => values.some((value) => value === 0 || value));
        fc.pre(valued.length > 0);
        const lastOf = (values: readonly (number | undefined)[]) =>
          values.findLast((value) => value !== undefined);
        expect(rows.map(({ start, values }) => [start, lastOf(values)])).toEqual(servedOn(list, day));
        const { lines } = viewRevisions(frame, { write, asof: null }).figure;
        expect(lines.map(({ value }) => value.at(-1))).toEqual(valued.map(({ values }) => lastOf(values)));
        for (const { start } of lines) expect([...start]).toEqual([...start].sort((a, b) => a - b));
      }),
    );
  });

  it('dates reports that were all imported later by the reports, and corrections of them by the import', () => {
    const imported = [30, 20, 10].map((value, i) => ({ value, reported: 7 - i, available: 11 }));
    const corrected = { value: 31, reported: 7, available: 12 };
    const list = [...imported, corrected].map((one) => ({ series: 0, day: 0, ...one }));
    const { total, shown, rows } = triangleOf(frameOf(list));
    expect(total).toBe(4);
    expect(shown).toEqual([5, 6, 7, 12].map((day) => formatDay(day * DAY_MS)));
    expect(rows.map(({ values }) => values)).toEqual([[10, 20, 30, 31]]);
    expect(countReports(frameOf(list))).toEqual({ reports: 4, revisions: 3 });
  });

  it('tells what was not known yet, what was null, and what changed', () => {
    const frame = frameOf([
      { series: 0, day: 0, reported: null, available: 5, value: 1 },
      { series: 0, day: 0, reported: null, available: 6, value: null },
      { series: 0, day: 1, reported: null, available: 6, value: 7 },
    ]);
    const { rows, unit } = triangleOf(frame, 2);
    expect(unit).toBe('t');
    expect(rows.map(({ values }) => values)).toEqual([
      [1, Number.NaN],
      [undefined, 7],
    ]);
  });
});
