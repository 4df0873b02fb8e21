import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpackPoints } from '../../src/columns/packed-points.js';
import { takeRows } from '../../src/columns/point-rows.js';
import { areAscending, ascendingRows } from '../../src/columns/row-order.js';
import { runsOf, type TestPoint } from '../frame/points.js';

const batchOf = (points: readonly TestPoint[]) => unpackPoints(runsOf(points));

const DAY = 86_400_000;

/** Periods before and after 1970, of several lengths; few enough for equal ones. */
const points = fc.array(
  fc.record({
    series: fc.nat(2),
    day: fc.integer({ min: -20, max: 20 }),
    days: fc.nat(3),
    value: fc.double(),
  }),
  { maxLength: 40, size: 'max' },
);

const toPoint = ({
  series,
  day,
  days,
  value,
}: {
  series: number;
  day: number;
  days: number;
  value: number;
}) => ({
  series,
  start: day * DAY,
  end: (day + days) * DAY,
  value,
});

const compare = (a: TestPoint, b: TestPoint) =>
  a.series - b.series || Number(a.start) - Number(b.start) || Number(a.end) - Number(b.end);

test('rows are put in order of series, start and end, wherever they are', () => {
  fc.assert(
    fc.property(points, fc.nat(3), (drawn, sorted) => {
      const given = drawn.map(toPoint);
      const runs = [given.slice(0, sorted * 10).sort(compare), given.slice(sorted * 10)].flat();
      const columns = batchOf(runs);
      const { rows, unique } = ascendingRows(columns);
      const wanted = [...runs].sort(compare);
      expect(unique).toBe(wanted.every((point, i) => i === 0 || compare(wanted[i - 1]!, point) < 0));
      expect(areAscending(columns)).toBe(rows === null);
      expect(rows === null).toBe(runs.every((point, i) => i === 0 || compare(runs[i - 1]!, point) < 0));
      if (!unique || rows === null) return;
      const taken = takeRows(columns, rows);
      const expected = batchOf(wanted);
      expect(taken.series).toEqual(expected.series);
      expect(taken.start_date).toEqual(expected.start_date);
      expect(taken.end_date).toEqual(expected.end_date);
      expect(taken.value).toEqual(expected.value);
    }),
  );
});
