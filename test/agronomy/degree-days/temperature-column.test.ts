import { Float64, makeData, makeVector, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberColumn } from '../../../src/agronomy/degree-days/temperature-column.js';
import { ArgumentError } from '../../../src/model/errors.js';

const NAN = Number.NaN;

describe('numberColumn', () => {
  it('does not copy a typed array or a vector of one chunk without nulls', () => {
    const values = Float64Array.of(1, 2, 3);
    expect(numberColumn(values, 'tmin')).toBe(values);
    const vector = makeVector(makeData({ type: new Float64(), data: values }));
    expect(numberColumn(vector, 'tmin').buffer).toBe(values.buffer);
  });

  it('turns nulls into NaN, in slices and in chunks, whatever their values', () => {
    const cell = fc.option(fc.double({ noNaN: true }));
    const lists = fc.array(fc.array(cell, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lists, fc.nat(5), (chunks, from) => {
        const [first, ...others] = chunks.map((chunk) => vectorFromArray(chunk, new Float64()));
        const vector = first!.concat(...others).slice(from);
        const expected = Float64Array.from(chunks.flat().slice(from), (value) => value ?? NAN);
        expect(numberColumn(vector, 'tmin')).toEqual(expected);
      }),
    );
  });

  it('does not change the vector', () => {
    const vector = vectorFromArray([1, null, 3], new Float64());
    numberColumn(vector, 'tmin');
    expect([...vector]).toEqual([1, null, 3]);
  });

  it('takes absent and empty bitmaps for columns without nulls', () => {
    const chunk = { length: 2, offset: 0, values: Float64Array.of(1, 2, 9) };
    for (const nullBitmap of [undefined, null, new Uint8Array()]) {
      const data = [{ ...chunk, nullBitmap }];
      expect(numberColumn({ length: 2, data }, 'tmin')).toEqual(Float64Array.of(1, 2));
      expect(numberColumn({ length: 4, data: [...data, ...data] }, 'tmin')).toEqual(
        Float64Array.of(1, 2, 1, 2),
      );
    }
  });

  it.each([
    [{ length: 0, data: [null] }],
    [{ length: 1, data: 'values' }],
    [{ length: 2, data: [{ length: 1, offset: 0, values: Float64Array.of(1) }, { values: [2] }] }],
  ])('refuses the chunks of %o', (column) => {
    expect(() => numberColumn(column as never, 'tmax')).toThrow(/^tmax must be a Float64Array/);
  });

  it.each([[[1, 2]], [null], [undefined], [Float32Array.of(1)], [vectorFromArray(['a', 'b'])]])(
    'refuses %o and names the argument',
    (column) => {
      const attempt = () => numberColumn(column as unknown as Float64Array, 'tmax');
      expect(attempt).toThrow(ArgumentError);
      expect(attempt).toThrow(/^tmax must be a Float64Array/);
    },
  );
});
