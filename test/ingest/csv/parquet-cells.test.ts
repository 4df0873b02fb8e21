import {
  Bool,
  DateDay,
  Decimal,
  Dictionary,
  Float64,
  Int32,
  Int64,
  makeData,
  makeVector,
  TimestampMicrosecond,
  TimestampSecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { cellTexts } from '../../../src/ingest/csv/parquet-cells.js';

const NOON = Date.UTC(1931, 5, 7, 12);
const DAY = Date.UTC(1931, 5, 7);

describe('cellTexts', () => {
  it.each([
    ['nothing', vectorFromArray([null, null]), ['', '']],
    ['texts', vectorFromArray(['a', null, ''], new Utf8()), ['a', '', '']],
    [
      'dictionaries',
      vectorFromArray(['a', null, 'a'], new Dictionary(new Utf8(), new Int32())),
      ['a', '', 'a'],
    ],
    ['whole numbers', vectorFromArray([-1, null, 2], new Int32()), ['-1', '', '2']],
    ['long numbers', vectorFromArray([2n ** 53n + 1n, null], new Int64()), ['9007199254740993', '']],
    ['numbers', vectorFromArray([0.1, Number.NaN, null, 1e21], new Float64()), ['0.1', '', '', '1e+21']],
    ['days', vectorFromArray([new Date(DAY), null], new DateDay()), ['1931-06-07', '']],
    [
      'seconds',
      vectorFromArray([NOON, DAY], new TimestampSecond()),
      ['1931-06-07T12:00:00.000Z', '1931-06-07'],
    ],
    [
      'microseconds',
      vectorFromArray([NOON, DAY], new TimestampMicrosecond()),
      ['1931-06-07T12:00:00.000Z', '1931-06-07'],
    ],
  ])('gives %s as a delimited table would', (_, column, texts) => {
    expect(cellTexts(column)).toEqual(texts);
  });

  it('gives decimals with all their digits', () => {
    const words = (value: bigint): number[] =>
      [0n, 32n, 64n, 96n].map((shift) => Number((BigInt.asUintN(128, value) >> shift) & 0xffffffffn));
    const data = Uint32Array.from([-5n, 123_456_789_012_345_678_901n, 0n].flatMap(words));
    const decimals = (scale: number) =>
      makeVector(makeData({ type: new Decimal(scale, 38, 128), length: 3, data }));
    expect(cellTexts(decimals(2))).toEqual(['-0.05', '1234567890123456789.01', '0.00']);
    expect(cellTexts(decimals(0))).toEqual(['-5', '123456789012345678901', '0']);
  });

  it('leaves instants beyond the calendar as numbers', () => {
    expect(cellTexts(vectorFromArray([9e15], new TimestampSecond()))).toEqual(['9000000000000000']);
  });

  it('refuses what a table of figures has no use for', () => {
    expect(cellTexts(vectorFromArray([true], new Bool()))).toBeNull();
  });
});
