import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { toRows } from '../../../src/frame/formats/rows.js';
import { anomaly } from '../../../src/frame/verbs/anomaly.js';
import { rollingMean } from '../../../src/frame/verbs/rolling-mean.js';
import { yearOverYear } from '../../../src/frame/verbs/year-over-year.js';
import { annual, longOf, wideOf } from '../verbs.js';

const YEARS = [{}, annual(2000, [2, 3, 6])] as const;
const OTHER_UNIT = [{ unit_id: 10 }, annual(2010, [1, 2, 4])] as const;

/** Verbs whose values have no unit, with their values for `YEARS`. */
const UNITLESS: [string, (table: Table) => Table, (number | null)[]][] = [
  ['yearOverYear as a ratio', (table) => yearOverYear(table, { as: 'ratio' }), [null, 1.5, 2]],
  ['yearOverYear in percent', (table) => yearOverYear(table, { as: 'percent' }), [null, 50, 100]],
  ['anomaly in percent', (table) => anomaly(table, { as: 'percent', end_date: '2000-12-31' }), [0, 50, 200]],
  [
    'standardised anomaly',
    (table) => anomaly(table, { as: 'standardised', end_date: '2001-12-31' }),
    [-Math.SQRT1_2, Math.SQRT1_2, 3.5 * Math.SQRT2],
  ],
];

describe.each(UNITLESS)('%s has no unit', (_, verb) => {
  test('and columns that only their units distinguished keep distinct headings', () => {
    const { fields } = verb(wideOf(YEARS, OTHER_UNIT)).schema;
    expect(fields).toHaveLength(3);
    expect(new Set(fields.map(({ name }) => name)).size).toBe(3);
  });
});

test.each([
  ['yearOverYear', yearOverYear],
  ['anomaly', anomaly],
  ['rollingMean', (table: Table) => rollingMean(table, { window: { years: 2 } })],
])('%s in the unit of the series keeps it', (_, verb) => {
  expect(toRows(verb(longOf(YEARS))).map(({ unit_id }) => unit_id)).toEqual([7, 7, 7]);
  const [before, after] = [wideOf(YEARS), verb(wideOf(YEARS))].map((table) => table.schema.fields[1]!);
  expect(after!.name).toBe(before!.name);
  expect(after!.metadata.get('unit_id')).toBe('7');
});
