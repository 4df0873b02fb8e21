import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, lineOf as plainLine, thinRows } from '../../src/charts/lines.js';
import { DAY_MS, formatDay } from '../../src/model/time.js';

const lineOf = (days: readonly number[], values: readonly number[]): Line => ({
  label: '',
  unit: '',
  metric: '',
  item: '',
  region: '',
  start: Float64Array.from(days, (day) => day * DAY_MS),
  end: Float64Array.from(days, (day) => day * DAY_MS),
  value: Float64Array.from(values),
  periodDays: 1,
});

describe('thinned rows', () => {
  it('keep the first, lowest, highest and last value of every pixel column, in order', () => {
    const series = fc.uniqueArray(fc.nat(3000), { minLength: 1, maxLength: 400 }).chain((days) =>
      fc
        .array(fc.integer({ min: -50, max: 50 }), { minLength: days.length, maxLength: days.length })
        .map((values) =>
          lineOf(
            [...days].sort((a, b) => a - b),
            values,
          ),
        ),
    );
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 60 }), (line, columns) => {
        const [from, to] = [line.start[0]!, line.end.at(-1)! + DAY_MS];
        const rows = [...thinRows(line, { from, to, columns })];
        expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
        const columnOf = (row: number) => Math.floor((line.start[row]! - from) / ((to - from) / columns));
        const extremes = (of: readonly number[]) => {
          const byColumn = new Map<number, number[]>();
          for (const row of of) byColumn.set(columnOf(row), [...(byColumn.get(columnOf(row)) ?? []), row]);
          return [...byColumn.values()].map((ofColumn) => {
            const values = ofColumn.map((row) => line.value[row]!);
            return [ofColumn[0], ofColumn.at(-1), Math.min(...values), Math.max(...values)];
          });
        };
        expect(extremes(rows)).toEqual(extremes([...line.value.keys()]));
      }),
    );
  });
});

it.each([
  [
    'dekads',
    ['2024-02-10', '2024-02-20', '2024-02-29', '2024-03-10'],
    ['2024-02-01', '2024-02-11', '2024-02-21', '2024-03-01'],
  ],
  ['months', ['2024-01-31', '2024-02-29', '2024-03-31'], ['2024-01-01', '2024-02-01', '2024-03-01']],
])('values of %s without first days begin on those of the calendar', (_, ends, starts) => {
  const end = Float64Array.from(ends, (day) => Date.parse(day));
  const { start } = plainLine({ start: null, end, value: end }, { label: '', metric: '', unit: '' });
  expect(Array.from(start, formatDay)).toEqual(starts);
});
