import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackPoints } from '../../src/columns/packed-points.js';
import { NO_UNIT_ID, type PointColumns } from '../../src/columns/point-columns.js';
import { convertPoints, convertUnits, seriesWithoutUnit } from '../../src/compute/units.js';
import type { ConversionFactor, Unit } from '../../src/model/entity.js';
import { UnitError } from '../../src/model/errors.js';
import { packColumns, valuesOf } from '../columns/rows.js';
import { seriesOf } from '../frame/points.js';
import { runOf } from './runs.js';

const columnsOf = (rows: Parameters<typeof runOf>[0]) => unpackPoints([runOf(rows)]);

const unit = (id: number, baseConvFactor: ConversionFactor): [number, Unit] => [
  id,
  { id, name: `unit ${id}`, namePlural: '', abbreviation: '', baseConvFactor },
];

const UNITS = new Map([
  unit(1, { factor: 1 }),
  unit(2, { factor: 0.45359237 }),
  unit(3, { factor: 5 / 9, offset: -160 / 9 }),
  unit(4, { factor: 1, offset: -273.15 }),
  unit(5, {}),
  unit(6, { factor: 0, offset: 3 }),
]);

/** Points of any units, converted run by run. */
const convertColumns = (columns: PointColumns, targetUnit: number, units: ReadonlyMap<number, Unit>) =>
  unpackPoints(packColumns(columns).map((run) => convertPoints(run, targetUnit, units)));

describe('convertPoints', () => {
  it('applies the formula exactly, value by value', () => {
    const { factor, offset } = { factor: 5 / 9, offset: -160 / 9 };
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e307, max: 1e307 })), (values) => {
        const converted = convertColumns(columnsOf(values.map((value) => ({ value, unitId: 3 }))), 2, UNITS);
        expect(valuesOf(converted)).toEqual(
          values.map((value) => (value * factor + offset - 0) / 0.45359237),
        );
      }),
    );
  });

  it('converts each row from its own unit and keeps every other field', () => {
    const mixed = columnsOf([
      { value: 10, unitId: 1, startMs: 5, reportingMs: 7, availableMs: 9, metadata: '{}' },
      { value: 10, unitId: 2 },
      { value: null, unitId: 2 },
      { value: 10, unitId: NO_UNIT_ID },
      { value: 10, unitId: 1 },
    ]);
    const before = structuredClone(mixed);
    const converted = convertColumns(mixed, 1, UNITS);
    expect(valuesOf(converted)).toEqual([10, 10 * 0.45359237, null, 10, 10]);
    expect([...converted.unit_id]).toEqual([1, 1, 1, NO_UNIT_ID, 1]);
    const same = unpackPoints(packColumns(mixed));
    expect({ ...converted, value: null, unit_id: null }).toEqual({ ...same, value: null, unit_id: null });
    expect(mixed).toEqual(before);
  });

  it('leaves the digits of values in the target unit alone, also beside other units', () => {
    const thirds = new Map([unit(1, { factor: 3 }), unit(2, { factor: 1 })]);
    const mixed = columnsOf([
      { value: 3, unitId: 2 },
      { value: 0.1, unitId: 1 },
    ]);
    expect(valuesOf(convertColumns(mixed, 1, thirds))).toEqual([1, 0.1]);
  });

  it.each([
    ['an unknown unit', 77, 1, 77, 'unit_id 77 is not convertible: there is no such unit'],
    ['an unknown target unit', 1, 88, 88, 'unit_id 88 is not convertible: there is no such unit'],
    ['no factor', 5, 1, 5, 'unit_id 5 is not convertible: unit 5 has no conversion factor'],
    ['a factor of zero', 1, 6, 6, 'unit_id 6 is not convertible: unit 6 has no conversion factor'],
  ])('refuses %s, even where every value is null', (_, unitId, target, reported, message) => {
    const columns = columnsOf([{ value: null, unitId }]);
    expect(() => convertColumns(columns, target, UNITS)).toThrow(
      expect.objectContaining({ unit_id: reported, message }),
    );
  });

  it.each([1.7e308, -1.7e308])(
    'refuses %d, which is beyond a number in the target unit, and names point and unit',
    (value) => {
      const scales = new Map([unit(1, { factor: 1 }), unit(2, { factor: 5 / 9, offset: 255.372 })]);
      const columns = columnsOf([
        { value: 1, unitId: 1 },
        { value: null, unitId: 1 },
        { value, unitId: 1 },
      ]);
      expect(() => convertColumns(columns, 2, scales)).toThrow(UnitError);
      expect(() => convertColumns(columns, 2, scales)).toThrow(
        new RegExp(
          `unit_id 1 is not convertible to unit_id 2: the value ${String(value).replace('+', '\\+')} for \\d{4}-\\d\\d-\\d\\d is too large for a 64-bit float in unit 2; request it in unit 1`,
        ),
      );
    },
  );
});

describe('units that are not stated', () => {
  it('are found in series with a value without a unit', () => {
    const series = [seriesOf(), seriesOf({ region_id: 6 })];
    const find = (rows: readonly { value: number | null; unitId: number }[]) =>
      seriesWithoutUnit({ series, runs: [{ ...runOf(rows), series: 1 }] });
    const [unitless, unitful] = [NO_UNIT_ID, 7];
    expect(find([{ value: 1, unitId: unitful }])).toBeUndefined();
    expect(find([{ value: 1, unitId: unitless }])).toBe(series[1]);
    expect(find([{ value: null, unitId: unitless }])).toBeUndefined();
    const mixed = [
      { value: 1, unitId: unitful },
      { value: null, unitId: unitless },
    ];
    expect(find(mixed)).toBeUndefined();
    expect(find([...mixed, { value: 2, unitId: unitless }])).toBe(series[1]);
    const [run] = packColumns(columnsOf([...mixed, { value: 2, unitId: unitless }]));
    expect(seriesWithoutUnit({ series, runs: [{ ...run!, length: 2 }] })).toBeUndefined();
  });
});

describe('convertUnits', () => {
  it('converts the points and the units of their series', () => {
    const key = {
      metric_id: 1,
      item_id: 1,
      region_id: 1,
      partner_region_id: 0,
      source_id: 1,
      frequency_id: 1,
    };
    const series = [
      { ...key, unit_id: 2 },
      { ...key, unit_id: null },
      { ...key, unit_id: NO_UNIT_ID },
    ];
    const runs = packColumns(columnsOf([{ value: 1, unitId: 2 }]));
    const converted = convertUnits({ series, runs }, 1, UNITS);
    expect(converted.series.map(({ unit_id }) => unit_id)).toEqual([1, null, NO_UNIT_ID]);
    expect(valuesOf(unpackPoints(converted.runs))).toEqual([0.45359237]);
    expect(series[0]!.unit_id).toBe(2);
  });
});
