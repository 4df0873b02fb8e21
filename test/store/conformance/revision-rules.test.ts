import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../../src/columns/bitmap.js';
import type { VintageColumns } from '../../../src/columns/point-columns.js';
import { columnsOf, valuesOf } from '../../columns/rows.js';
import { chooseRevisions, mergeVintages } from './revision-rules.js';

const RULE = { history: 'latest', startMs: null, endMs: null, atMs: null, sinceMs: null } as const;

interface Row {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly reportingMs: number | null;
  readonly availableMs: number;
  readonly series?: number;
  readonly unitId?: number;
  readonly metadata?: string | null;
}

const vintagesOf = (rows: readonly Partial<Row>[]): VintageColumns => {
  const columns = columnsOf(
    rows.map((row) => ({
      series: 0,
      startMs: 0,
      endMs: row.startMs ?? 0,
      value: 0,
      unitId: 1,
      reportingMs: null,
      availableMs: 1,
      ...row,
    })),
  );
  return { ...columns, available_date: columns.available_date ?? new BigInt64Array(columns.length) };
};

const row: fc.Arbitrary<Row> = fc.record({
  startMs: fc.integer({ min: 0, max: 3 }),
  endMs: fc.integer({ min: 3, max: 5 }),
  value: fc.option(fc.integer({ min: 0, max: 3 })),
  reportingMs: fc.option(fc.integer({ min: 0, max: 3 })),
  availableMs: fc.integer({ min: 1, max: 6 }),
});

describe('chooseRevisions', () => {
  it('chooses the latest reporting date (none is the oldest), then the latest available date', () => {
    const vintages = vintagesOf([
      { value: 1, reportingMs: null, availableMs: 9 },
      { value: 2, reportingMs: 5, availableMs: 6 },
      { value: 3, reportingMs: 5, availableMs: 7 },
      { value: 4, reportingMs: 4, availableMs: 8 },
    ]);
    expect(valuesOf(chooseRevisions(vintages, RULE))).toEqual([3]);
    expect(valuesOf(chooseRevisions(vintages, { ...RULE, history: 'reporting' }))).toEqual([1, 4, 3]);
    expect(valuesOf(chooseRevisions(vintages, { ...RULE, history: 'complete' }))).toEqual([1, 4, 2, 3]);
    expect(valuesOf(chooseRevisions(vintages, { ...RULE, atMs: 6 }))).toEqual([2]);
    expect(valuesOf(chooseRevisions(vintages, { ...RULE, sinceMs: 8 }))).toEqual([]);
  });

  it('chooses among the vintages of the wanted periods, and of those what became available since', () => {
    const vintages = vintagesOf(
      [0, 10, 20].map((startMs) => ({
        startMs,
        endMs: startMs + 9,
        value: startMs,
        availableMs: startMs + 1,
      })),
    );
    const choose = (rule: object) => valuesOf(chooseRevisions(vintages, { ...RULE, ...rule }));
    expect(choose({ startMs: 9 })).toEqual([0, 10, 20]);
    expect(choose({ startMs: 10 })).toEqual([10, 20]);
    expect(choose({ endMs: 10 })).toEqual([0, 10]);
    expect(choose({ endMs: 9 })).toEqual([0]);
    expect(choose({ startMs: 12, endMs: 15 })).toEqual([10]);
    expect(choose({ sinceMs: 11 })).toEqual([10, 20]);
    expect(choose({ sinceMs: 11.5 })).toEqual([20]);
    expect(choose({ atMs: 11, sinceMs: 11 })).toEqual([10]);
  });

  it('takes times before 1970 as any other', () => {
    const early = { startMs: -20, endMs: -11, value: 1, availableMs: -10 };
    expect(valuesOf(chooseRevisions(vintagesOf([early]), RULE))).toEqual([1]);
    const reported = [null, -5, -7].map((reportingMs, value) => ({ ...early, value, reportingMs }));
    expect(valuesOf(chooseRevisions(vintagesOf(reported), { ...RULE, history: 'complete' }))).toEqual([
      0, 2, 1,
    ]);
    expect(valuesOf(chooseRevisions(vintagesOf(reported), RULE))).toEqual([1]);
  });

  it('chooses for each series by itself', () => {
    const vintages = vintagesOf(
      [2, 0, 1, 0, 2].map((series, value) => ({ series, value, availableMs: value })),
    );
    expect(valuesOf(chooseRevisions(vintages, { ...RULE, history: 'complete' }))).toEqual([1, 3, 2, 0, 4]);
    expect(valuesOf(chooseRevisions(vintages, RULE))).toEqual([3, 2, 4]);
  });

  it('counts a revision to null', () => {
    const vintages = vintagesOf([
      { value: 1, availableMs: 1 },
      { value: null, availableMs: 2 },
    ]);
    expect(valuesOf(chooseRevisions(vintages, RULE))).toEqual([null]);
  });

  it('does not depend on the order of vintages', () => {
    const distinct = fc.uniqueArray(row, {
      selector: ({ startMs, endMs, reportingMs, availableMs }) =>
        [startMs, endMs, reportingMs, availableMs].join(),
      maxLength: 30,
    });
    const shuffled = distinct.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom('latest', 'reporting', 'complete'), ([one, other], history) => {
        expect(chooseRevisions(vintagesOf(one), { ...RULE, history })).toEqual(
          chooseRevisions(vintagesOf(other), { ...RULE, history }),
        );
      }),
    );
  });

  it('returns one row a period, and none of its vintages is later', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const chosen = chooseRevisions(vintagesOf(rows), RULE);
        const periods = Array.from(chosen.start_date, (start, i) => `${start}-${chosen.end_date[i]}`);
        expect(new Set(periods)).toEqual(new Set(rows.map(({ startMs, endMs }) => `${startMs}-${endMs}`)));
        expect(new Set(periods).size).toBe(periods.length);
        const rank = (reporting: number | null, available: number) => (reporting ?? -1) * 100 + available;
        for (const { startMs, endMs, reportingMs, availableMs } of rows) {
          const i = periods.indexOf(`${startMs}-${endMs}`);
          const valid = isValid(chosen.reporting_valid, i);
          const best = rank(
            valid ? Number(chosen.reporting_date[i]) : null,
            Number(chosen.available_date[i]),
          );
          expect(best).toBeGreaterThanOrEqual(rank(reportingMs, availableMs));
        }
      }),
    );
  });

  it('never reads the future: later vintages change no as-of result', () => {
    fc.assert(
      fc.property(fc.array(row), fc.array(row), fc.integer({ min: 1, max: 6 }), (past, future, atMs) => {
        const known = past.filter(({ availableMs }) => availableMs <= atMs);
        const later = future.map((vintage) => ({ ...vintage, availableMs: atMs + vintage.availableMs }));
        const asOf = { ...RULE, atMs };
        expect(valuesOf(chooseRevisions(vintagesOf([...known, ...later]), asOf))).toEqual(
          valuesOf(chooseRevisions(vintagesOf(known), RULE)),
        );
      }),
    );
  });
});

describe('mergeVintages', () => {
  const none = vintagesOf([]);

  it('changes nothing when the same vintages are merged again', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const once = mergeVintages(none, vintagesOf(rows));
        const { duplicates, conflicts } = once;
        expect(once.added + once.unchanged + duplicates + conflicts).toBe(rows.length);
        const twice = mergeVintages(once.vintages, vintagesOf(rows));
        const unchanged = rows.length - duplicates - conflicts;
        expect(twice).toMatchObject({ added: 0, revised: 0, unchanged, duplicates, conflicts });
        expect(valuesOf(twice.vintages)).toEqual(valuesOf(once.vintages));
      }),
    );
  });

  it('keeps one of several equal vintages, and none of contradictory ones', () => {
    const merge = (values: readonly number[]) => {
      const incoming = vintagesOf(values.map((value) => ({ value, availableMs: 10 })));
      const { vintages, added, duplicates, conflicts } = mergeVintages(none, incoming);
      return [valuesOf(vintages), added, duplicates, conflicts];
    };
    expect(merge([4, 4, 4])).toEqual([[4], 1, 2, 0]);
    expect(merge([4, 5])).toEqual([[], 0, 0, 2]);
    expect(merge([4, 4, 5])).toEqual([[], 0, 0, 3]);
  });

  it('takes null for a figure, and other units for a contradiction', () => {
    const merge = (rows: readonly Partial<Row>[]) => {
      const { vintages, added, duplicates, conflicts } = mergeVintages(none, vintagesOf(rows));
      return [valuesOf(vintages), added, duplicates, conflicts];
    };
    expect(merge([{ value: null }, { value: null }])).toEqual([[null], 1, 1, 0]);
    expect(merge([{ value: null }, { value: 0 }])).toEqual([[], 0, 0, 2]);
    expect(merge([{ value: 4 }, { value: null }])).toEqual([[], 0, 0, 2]);
    expect(merge([{ value: 4 }, { value: 4, unitId: 2 }])).toEqual([[], 0, 0, 2]);
  });

  it('adds a vintage whose metadata or unit alone differ, also to those that have no metadata', () => {
    const merge = (before: Partial<Row>, after: Partial<Row>) => {
      const held = vintagesOf([{ value: 4, availableMs: 1, ...before }]);
      const { added, vintages } = mergeVintages(held, vintagesOf([{ value: 4, availableMs: 2, ...after }]));
      return [added, vintages.metadata];
    };
    expect(merge({}, {})).toEqual([0, [null]]);
    expect(merge({}, { unitId: 2 })).toEqual([1, [null, null]]);
    expect(merge({ metadata: 'a' }, { metadata: 'a' })).toEqual([0, ['a']]);
    expect(merge({ metadata: 'a' }, { metadata: 'b' })).toEqual([1, ['a', 'b']]);
    expect(merge({}, { metadata: 'b' })).toEqual([1, [null, 'b']]);
    expect(merge({ metadata: 'a' }, {})).toEqual([1, ['a', null]]);
    expect(merge({}, { metadata: null })).toEqual([0, [null]]);
  });

  it('adds a vintage that differs from the one current at its available date', () => {
    const held = mergeVintages(
      none,
      vintagesOf([
        { value: 1, availableMs: 10 },
        { value: 2, availableMs: 20 },
      ]),
    ).vintages;
    const merge = (value: number, availableMs: number) => {
      const { added, vintages } = mergeVintages(held, vintagesOf([{ value, availableMs }]));
      return [added, valuesOf(vintages)];
    };
    expect(merge(1, 15)).toEqual([0, [1, 2]]);
    expect(merge(2, 15)).toEqual([1, [1, 2, 2]]);
    expect(merge(1, 25)).toEqual([1, [1, 2, 1]]);
    expect(merge(2, 25)).toEqual([0, [1, 2]]);
    expect(merge(7, 20)).toEqual([1, [1, 7]]);
    expect(merge(1, 5)).toEqual([1, [1, 1, 2]]);
  });

  it('counts as revised the vintages added to periods that had one', () => {
    const held = mergeVintages(
      none,
      vintagesOf([
        { startMs: 5, endMs: 6 },
        { startMs: 1, endMs: 2 },
      ]),
    ).vintages;
    const count = (rows: readonly Partial<Row>[]) => {
      const { added, revised, unchanged } = mergeVintages(held, vintagesOf(rows));
      return { added, revised, unchanged };
    };
    const later = { value: 7, availableMs: 2 };
    expect(count([{ startMs: 5, endMs: 6, ...later }])).toEqual({ added: 1, revised: 1, unchanged: 0 });
    expect(count([{ startMs: 5, endMs: 7, ...later }])).toEqual({ added: 1, revised: 0, unchanged: 0 });
    const twice = [later, { value: 8, availableMs: 3 }].map((vintage) => ({
      startMs: 3,
      endMs: 4,
      ...vintage,
    }));
    expect(count(twice)).toEqual({ added: 2, revised: 1, unchanged: 0 });
    const repeated = twice.map((vintage) => ({ ...vintage, value: 7 }));
    expect(count(repeated)).toEqual({ added: 1, revised: 0, unchanged: 1 });
    expect(count([...twice, { startMs: 1, endMs: 2, ...later }, { startMs: 5, endMs: 6 }])).toEqual({
      added: 3,
      revised: 2,
      unchanged: 1,
    });
  });
});
