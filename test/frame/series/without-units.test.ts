import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { toRows } from '../../../src/frame/formats/rows.js';
import { readProvenance, withProvenance } from '../../../src/frame/table/provenance.js';
import { frameSeries } from '../../../src/frame/table/series-view.js';
import { anomaly } from '../../../src/frame/verbs/anomaly.js';
import { rollingMean } from '../../../src/frame/verbs/rolling-mean.js';
import { yearOverYear } from '../../../src/frame/verbs/year-over-year.js';
import { PROVENANCE } from '../points.js';
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

describe.each(UNITLESS)('%s has no unit', (_, verb, values) => {
  test('in the rows of a long frame', () => {
    const table = verb(withProvenance(longOf(YEARS), PROVENANCE));
    const rows = toRows(table);
    expect(rows.map(({ unit_id, unit_name }) => [unit_id, unit_name])).toEqual(
      values.map(() => [null, null]),
    );
    rows.forEach(({ value }, row) => {
      if (values[row] === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(values[row]!, 12);
    });
    expect(frameSeries(table)).toHaveLength(1);
    expect(readProvenance(table)).toEqual({ ...PROVENANCE, units: [] });
  });

  test('in headings and metadata of a wide frame', () => {
    const before = withProvenance(wideOf(YEARS), PROVENANCE);
    const unit = before.schema.fields[1]!.metadata.get('unit_name')!;
    const table = verb(before);
    const { name, metadata } = table.schema.fields[1]!;
    expect(before.schema.fields[1]!.name).toBe(`${name} | ${unit}`);
    expect([...metadata.keys()].filter((key) => key.startsWith('unit'))).toEqual([]);
    expect(metadata.get('metric_id')).toBe(before.schema.fields[1]!.metadata.get('metric_id'));
    expect(frameSeries(table)[0]!.unit_id).toBeNull();
    expect(readProvenance(table)!.units).toEqual([]);
  });

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
