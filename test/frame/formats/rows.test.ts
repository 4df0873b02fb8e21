import { Field, Float64, Schema, Utf8 } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns, fromRows, toColumns, toRows } from '../../../src/frame/formats/rows.js';
import { runsOf, seriesOf } from '../points.js';
import { anyFrame, contents } from './round-trip.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([
    { series: 0, start: '2000-01-01', end: '2000-12-31', value: 2.5, reporting: '2001-01-12' },
    { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
  ]),
};

describe('rows and columns', () => {
  test('rows round-trip any frame', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(contents(fromRows(toRows(table), { schema: table.schema }))).toEqual(contents(table));
        if (table.numRows > 0) expect(toRows(fromRows(toRows(table)))).toEqual(toRows(table));
      }),
      { numRuns: 60 },
    );
  });

  test('columns round-trip any frame', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(toRows(fromColumns(toColumns(table)))).toEqual(toRows(table));
      }),
      { numRuns: 60 },
    );
  });

  test('a column of one batch is not copied', () => {
    const table = longFrame(POINTS);
    expect(toColumns(table).end_date!.values).toMatchObject({
      buffer: table.getChild('end_date')!.data[0]!.values.buffer,
    });
  });

  test('a field that a row lacks is null, and texts that look like numbers stay texts', () => {
    const table = fromRows([{ code: '007', amount: 1 }, { code: '8' }]);
    expect(toRows(table)).toEqual([
      { code: '007', amount: 1 },
      { code: '8', amount: null },
    ]);
  });

  test('a column of numbers and texts holds texts, in either order', () => {
    expect(toRows(fromRows([{ code: 1 }, { code: 'a' }, { code: null }]))).toEqual([
      { code: '1' },
      { code: 'a' },
      { code: null },
    ]);
    expect(toRows(fromRows([{ code: 'a' }, { code: -0 }]))).toEqual([{ code: 'a' }, { code: '-0' }]);
  });

  test('a schema names the columns, and its metadata and theirs are kept', () => {
    const schema = new Schema(
      [
        new Field('code', new Utf8(), true),
        new Field('amount', new Float64(), true, new Map([['unit', 'ha']])),
      ],
      new Map([['farm', 'Ames']]),
    );
    const table = fromRows([{ amount: 1, code: 7, left: 'out' }], { schema });
    expect(toRows(table)).toEqual([{ code: '7', amount: 1 }]);
    expect([...table.schema.metadata]).toEqual([['farm', 'Ames']]);
    expect([...table.schema.fields[1]!.metadata]).toEqual([['unit', 'ha']]);
    const metadata = new Map([['farm', 'Boone']]);
    expect([...fromColumns(toColumns(table), { metadata }).schema.metadata]).toEqual([...metadata]);
    expect(fromColumns(toColumns(table)).schema.metadata.size).toBe(0);
  });
});
