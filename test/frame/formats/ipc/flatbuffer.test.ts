import { describe, expect, it } from 'vitest';
import { Flatbuffer, type FlatTable, int64At } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { flatTable, START, TABLE_AT } from './flat-table.js';

/** Fields of each width, a text, a list of numbers and a list of tables: https://flatbuffers.dev/internals/ */
const FIELDS = { uint8: 0, int16: 1, int32: 2, int64: 3, text: 4, numbers: 5, tables: 6, absent: 7 } as const;
const BEYOND = 40;
const table = (change: (view: DataView) => void = () => {}): FlatTable => {
  const bytes = flatTable(
    [
      { width: 1, value: 200 },
      { width: 2, value: -2 },
      { width: 4, value: -3 },
      { width: 8, value: -4 },
      { text: 'ß' },
      { numbers: [7, -8] },
      { tables: 2 },
      null,
    ],
    change,
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Flatbuffer(view, START, bytes.byteLength).root();
};

describe('a table of a flatbuffer', () => {
  it('has the fields that are there, and what is given for those that are not', () => {
    const read = table();
    expect([read.uint8(FIELDS.uint8, 9), read.int16(FIELDS.int16, 9)]).toEqual([200, -2]);
    expect([read.int32(FIELDS.int32, 9), read.int64(FIELDS.int64, 9)]).toEqual([-3, -4]);
    for (const field of [FIELDS.absent, BEYOND]) {
      expect([read.uint8(field), read.int16(field), read.int32(field), read.int64(field)]).toEqual([
        0, 0, 0, 0,
      ]);
      expect([
        read.uint8(field, 1),
        read.int16(field, 2),
        read.int32(field, 3),
        read.int64(field, 4),
      ]).toEqual([1, 2, 3, 4]);
      expect([read.table(field), read.tables(field), read.text(field)]).toEqual([null, [], '']);
      expect(read.vector(field, 1)).toEqual({ at: 0, length: 0 });
      expect(read.int64Place(field)).toBeNull();
    }
    expect(read.text(FIELDS.text)).toBe('ß');
    expect(read.tables(FIELDS.tables).map((one) => one.uint8(0))).toEqual([0, 1]);
  });

  it('says where a number of 64 bits and the place of a field stand', () => {
    let view: DataView = new DataView(new ArrayBuffer(0));
    const read = table((one) => {
      view = one;
    });
    expect(view.getBigInt64(read.int64Place(FIELDS.int64)!, true)).toBe(-4n);
    view.setUint16(read.offsetPlace(FIELDS.uint8)!, 0, true);
    expect([read.uint8(FIELDS.uint8), read.int16(FIELDS.int16)]).toEqual([0, -2]);
    expect(read.offsetPlace(FIELDS.absent)).not.toBeNull();
    expect(read.offsetPlace(FIELDS.absent + 1)).toBeNull();
    expect(read.offsetPlace(BEYOND)).toBeNull();
  });

  it.each([
    ['places of an odd size', (view: DataView) => view.setUint16(START + 4, 21, true)],
    ['places without their sizes', (view: DataView) => view.setUint16(START + 4, 2, true)],
    ['a size without its places', (view: DataView) => view.setUint16(START + 6, 2, true)],
    ['a negative size', (view: DataView) => view.setUint16(START + 6, 0x8000, true)],
    ['places of a negative size', (view: DataView) => view.setUint16(START + 4, 0x8000, true)],
  ])('has no %s', (_, change) => {
    expect(() => table(change)).toThrow(`there is no table at byte ${TABLE_AT}`);
  });

  it.each([
    ['begins before its buffer', (view: DataView) => view.setInt32(TABLE_AT, TABLE_AT - START + 1, true)],
    [
      'has places past its end',
      (view: DataView) => view.setInt32(TABLE_AT, TABLE_AT - view.byteLength + 2, true),
    ],
    ['has more places than there are bytes', (view: DataView) => view.setUint16(START + 4, 0x7ffe, true)],
    ['is longer than its buffer', (view: DataView) => view.setUint16(START + 6, 0x7fff, true)],
    ['is past its end', (view: DataView) => view.setUint32(START, view.byteLength - START - 3, true)],
  ])('is refused where it %s', (_, change) => {
    expect(() => table(change)).toThrow(`the metadata from byte ${START} refers outside itself`);
  });

  it.each([2, 3, 0x7fff])('has no field at %i, outside it', (offset) => {
    const read = table((view) => view.setUint16(START + 8, offset, true));
    expect(() => read.uint8(FIELDS.uint8)).toThrow(`field 0 of the table at byte ${TABLE_AT} is outside it`);
  });

  it('has fields up to its last byte', () => {
    let size = 0;
    const read = table((view) => {
      size = view.getUint16(START + 6, true);
      view.setUint16(START + 8, size - 1, true);
      view.setUint16(START + 10, size - 1, true);
    });
    expect(read.uint8(FIELDS.uint8)).toBeTypeOf('number');
    expect(() => read.int16(FIELDS.int16)).toThrow(ArgumentError);
  });

  it('has lists up to the last byte of its buffer', () => {
    const read = table((view) => {
      const { at } = new Flatbuffer(view, START, view.byteLength).root().vector(FIELDS.numbers, 4);
      view.setUint32(at - 4, view.byteLength - at, true);
    });
    const { at, length } = read.vector(FIELDS.numbers, 1);
    expect(read.vector(FIELDS.numbers, 1)).toEqual({ at, length });
    const longer = table((view) => view.setUint32(at - 4, length + 1, true));
    expect(() => longer.vector(FIELDS.numbers, 1)).toThrow('refers outside itself');
  });

  it('is not read again and again, as tables that share their parts are', () => {
    const read = table();
    const again = (times: number) => {
      for (let i = 0; i < times; i++) read.text(FIELDS.text);
    };
    expect(() => again(10)).not.toThrow();
    expect(() => again(10_000)).toThrow('refers to itself too often');
  });

  it('is read no more than 8 times in all, wherever it stands', () => {
    const buffer = new Flatbuffer(new DataView(new ArrayBuffer(1000)), 900, 910);
    for (let i = 0; i < 8; i++) expect(() => buffer.read(900, 10)).not.toThrow();
    expect(() => buffer.read(900, 1)).toThrow('refers to itself too often');
  });
});

describe('a number of 64 bits', () => {
  const at = (value: bigint) => {
    const view = new DataView(new ArrayBuffer(9));
    view.setBigInt64(1, value, true);
    return int64At(view, 1);
  };

  it('is read as it is, up to what a number holds', () => {
    for (const value of [0n, 1n, -1n, 2n ** 32n, -(2n ** 32n) - 1n, 2n ** 53n - 1n, 1n - 2n ** 53n])
      expect(at(value)).toBe(Number(value));
    for (const value of [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n])
      expect(() => at(value)).toThrow('the number at byte 1 is too large');
  });
});
