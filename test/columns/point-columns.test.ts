import { expect, test } from 'vitest';
import { availableRows, NO_AVAILABLE_DATE, NO_UNIT_ID, unitRows } from '../../src/columns/point-columns.js';

test('unitRows marks the rows that have a unit, among those that count', () => {
  const units = Int32Array.of(7, NO_UNIT_ID, 9, NO_UNIT_ID);
  expect(unitRows(units, 4)).toEqual(Uint8Array.of(0b0101));
  expect(unitRows(units, 3)).toEqual(Uint8Array.of(0b0101));
  expect(unitRows(units, 2)).toEqual(Uint8Array.of(0b0001));
  expect(unitRows(units, 1)).toBeNull();
  expect(unitRows(Int32Array.of(7, 9), 2)).toBeNull();
});

test('availableRows marks the rows that became available, among those that count', () => {
  const dates = BigInt64Array.of(1n, NO_AVAILABLE_DATE, 3n, 4n);
  expect(availableRows(dates, 4)).toEqual(Uint8Array.of(0b1101));
  expect(availableRows(dates, 2)).toEqual(Uint8Array.of(0b0001));
  expect(availableRows(dates, 1)).toBeNull();
});
