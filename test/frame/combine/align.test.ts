import type { Table } from 'apache-arrow';
import { expect, test } from 'vitest';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, longOf, wideOf, wideValues } from '../verbs.js';

const LEFT = longOf([{}, annual(2000, [1, 2, 3])]);
const RIGHT = wideOf(
  [{ metric_id: 2 }, annual(2001, [20, 30, 40])],
  [{ metric_id: 2, region_id: 6 }, annual(2003, [7])],
);

const ends = (table: Table) => [...table.getChild('end_date')!].map((ms) => new Date(ms).getUTCFullYear());

test.each([
  ['inner', ['2001 2 20 null', '2002 3 30 null']],
  ['outer', ['2000 1 null null', '2001 2 20 null', '2002 3 30 null', '2003 null 40 7']],
  ['left', ['2000 1 null null', '2001 2 20 null', '2002 3 30 null']],
] as const)('%s', (join, rows) => {
  const [left, right] = LEFT.align(RIGHT, { join });
  expect(ends(right)).toEqual(ends(left));
  const columns = [...wideValues(left), ...wideValues(right)];
  const read = ends(left).map((end, at) => [end, ...columns.map((values) => values[at])].map(String));
  expect(read.map((row) => row.join(' '))).toEqual(rows);
});

test('keeps the names of the series', () => {
  const [left, right] = LEFT.align(RIGHT);
  expect(left.schema.fields[1]!.name).toBe('Yield | Corn | Iowa | World | annual | USDA NASS | t/ha');
  expect(right.schema.fields.map(({ name }) => name)).toEqual(RIGHT.schema.fields.map(({ name }) => name));
});

test('refuses an unknown join', () => {
  expect(() => LEFT.align(RIGHT, { join: 'right' as 'left' })).toThrow(ArgumentError);
});
