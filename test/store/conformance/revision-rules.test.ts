import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VintageColumns } from '../../../src/columns/point-columns.js';
import { chooseRevisions, mergeVintages } from './revision-rules.js';
import { DAY, EVERYTHING, newPoints, rowsOf, T0, type Vintage } from './sample-data.js';

const NONE = newPoints([]).columns as VintageColumns;
const merge = (held: VintageColumns, vintages: readonly Vintage[], importedDay: number) =>
  mergeVintages(held, newPoints(vintages).columns, T0 + importedDay * DAY);

type Rule = Partial<Parameters<typeof chooseRevisions>[1]>;
const rowsBy = (held: VintageColumns, rule: Rule) =>
  rowsOf(chooseRevisions(held, { ...EVERYTHING, ...rule }));
const valuesBy = (held: VintageColumns, rule: Rule) => rowsBy(held, rule).map(({ value }) => value);

const figure = (available: number, value: number | null, more: Partial<Vintage> = {}): Vintage => {
  return { day: 0, value, available, ...more };
};
const FIGURES: readonly Vintage[] = [
  figure(11, 1, { reported: 10 }),
  figure(11, null, { day: 1, reported: 10, metadata: '{"note":"withheld"}' }),
  figure(11, 3, { day: 2 }),
];

/** An import, with what it adds, revises and leaves unchanged, and its day; by default, a late one. */
type Import = readonly [
  vintages: readonly Vintage[],
  counts?: readonly number[] | null,
  importedDay?: number,
];

interface Example {
  readonly rule: string;
  readonly imports: readonly Import[];
  /** The values of all vintages, and of the latest ones. */
  readonly leave: readonly [complete: readonly (number | null)[], latest: readonly (number | null)[]];
}

const EXAMPLES: readonly Example[] = [
  {
    rule: 'the same figures again change nothing, also later',
    imports: [
      [FIGURES, [3, 0, 0]],
      [FIGURES, [0, 0, 3]],
      [FIGURES.map((one) => ({ ...one, available: 500 })).reverse(), [0, 0, 3]],
    ],
    leave: [
      [1, null, 3],
      [1, null, 3],
    ],
  },
  {
    rule: 'a figure that is said again with a date of its own stays, so that the order does not matter',
    imports: [[[figure(10, 5)]], [[figure(40, 5)]], [[figure(30, 6)]]],
    leave: [[5, 6, 5], [5]],
  },
  {
    rule: 'another value, unit or remark is another vintage',
    imports: [
      [FIGURES],
      [
        [
          { ...FIGURES[0]!, unit: 2, available: 20 },
          { ...FIGURES[1]!, metadata: null, available: 20 },
          { ...FIGURES[2]!, value: null, available: 20 },
          figure(20, 4, { day: 3 }),
        ],
        [4, 3, 0],
      ],
    ],
    leave: [
      [1, 1, null, null, 3, null, 4],
      [1, null, null, 4],
    ],
  },
  {
    rule: 'older vintages do not become the latest',
    imports: [
      [[figure(51, 5, { reported: 50 })]],
      [
        [figure(90, 3, { reported: 30 }), figure(40, 4, { reported: 50 })],
        [2, 2, 0],
      ],
    ],
    leave: [[3, 4, 5], [5]],
  },
  {
    rule: 'one of equal points counts, and none of contradictory ones',
    imports: [
      [
        [figure(7, 1), figure(7, 1)],
        [1, 0, 0],
      ],
      [
        [
          ...[3, 4].map((value) => figure(7, value)),
          ...[null, 4].map((value) => figure(7, value, { day: 1 })),
          ...[1, 2].map((unit) => figure(7, 3, { day: 2, unit })),
        ],
        [0, 0, 0],
      ],
      [[figure(7, 3)], [1, 1, 0]],
    ],
    leave: [[1, 3], [3]],
  },
  {
    // What was known from day 10 to day 20 is past: its correction would change answers, or hide the figure of day 20.
    rule: 'only the newest of several corrections counts, and those of one moment count one after another',
    imports: [
      [[figure(10, 1), figure(20, 2)]],
      [[figure(10, 8), figure(20, 2)], [0, 0, 2], 30],
      [[figure(20, 3)], null, 20],
      [[figure(20, 4)], null, 20],
    ],
    leave: [[1, 2, 3, 4], [4]],
  },
];

describe('revisions', () => {
  it.each(EXAMPLES)('$rule', ({ imports, leave }) => {
    let held = NONE;
    for (const [vintages, wanted, importedDay = 500] of imports) {
      const { vintages: merged, added, revised, unchanged } = merge(held, vintages, importedDay);
      if (wanted) expect([added, revised, unchanged]).toEqual(wanted);
      held = merged;
    }
    expect([valuesBy(held, { history: 'complete' }), valuesBy(held, {})]).toEqual(leave);
  });

  it.each([
    ['a report', { reported: 5, available: 6 }, [1, 2, 2, 1, 3]],
    ['a figure with an available date alone', { available: 6 }, [1, 2, 2, 2, 3]],
    ['a figure without dates', {}, [1, 2, 2, 1, 3]],
  ])('keep %s as it was readable when it is corrected, repeated and corrected back', (_, dates, expected) => {
    let held = NONE;
    for (const [i, value] of [1, 2, 2, 1, 3].entries())
      held = merge(held, [figure(10 + 2 * i, value, dates)], 10 + 2 * i).vintages;
    for (const day of expected.keys())
      for (const later of [0, 1])
        expect(valuesBy(held, { atMs: T0 + (10 + 2 * day + later) * DAY })).toEqual([expected[day]]);
  });

  /** Reports as agencies release them: each is available from the day after its date. */
  const reports: fc.Arbitrary<Vintage[]> = fc.array(
    fc
      .record({
        day: fc.integer({ min: 0, max: 5 }),
        value: fc.integer({ min: 0, max: 3 }),
        reported: fc.integer({ min: 4, max: 6 }),
      })
      .map((report) => ({ ...report, available: report.reported + 1 })),
    { maxLength: 8 },
  );

  it('never change the figure that a report had at a time, whatever is imported later', () => {
    fc.assert(
      fc.property(fc.array(reports, { minLength: 2, maxLength: 5 }), (batches) => {
        let held = NONE;
        const answers = new Map<string, unknown>();
        for (const [i, batch] of batches.entries()) {
          held = merge(held, batch, 8 + i).vintages;
          for (let day = 5; day <= 8 + i; day++)
            for (const row of rowsBy(held, { history: 'reporting', atMs: T0 + day * DAY })) {
              const report = JSON.stringify([day, row.day, row.reported]);
              expect(row).toEqual(answers.get(report) ?? row);
              answers.set(report, row);
            }
        }
      }),
      { numRuns: 25 },
    );
  });
});
