import { inspect } from 'node:util';
import { RecordBatchReader, Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]),
};
const LONG = longFrame(POINTS, { names: NAMES });

const FRAMES: Record<string, () => Table | Promise<Table>> = {
  longFrame: () => LONG,
  wideFrame: () => wideFrame(POINTS, { names: NAMES }),
  withProvenance: () => LONG.withProvenance(PROVENANCE),
  anomaly: () => LONG.anomaly(),
  fromCsv: () => fromCsv(LONG.toCsv()),
  fromArrow: () => fromArrow(LONG.toArrow()),
  fromParquet: async () => fromParquet(await LONG.toParquet()),
  'fromParquet of some columns': async () => fromParquet(await LONG.toParquet(), { columns: ['value'] }),
};

test.each(Object.keys(FRAMES))('console.log and notebooks show the frame of %s', async (name) => {
  const table = await FRAMES[name]!();
  expect(inspect(table)).toMatch(/^(long frame|wide frame|table) · 1 row /);
  const display = Reflect.get(table, Symbol.for('Jupyter.display')).call(table);
  expect(Object.keys(display)).toEqual(['text/html', 'text/plain']);
  expect(display['text/html']).toContain('<table>');
});

describe("Arrow's own", () => {
  test('tables do not change', () => {
    expect(Reflect.has(tableFromArrays({ a: [1] }), Symbol.for('Jupyter.display'))).toBe(false);
  });

  test('functions accept a frame', () => {
    expect(LONG).toBeInstanceOf(Table);
    expect(Table.isTable(LONG)).toBe(true);
    expect(Object.keys(LONG).sort()).toEqual(Object.keys(new Table()).sort());
    expect(Object.prototype.toString.call(LONG)).toBe(Object.prototype.toString.call(new Table()));
    for (const format of ['file', 'stream'] as const) {
      const bytes = tableToIPC(LONG, format);
      expect(frame(tableFromIPC(bytes)).toRows()).toEqual(LONG.toRows());
      expect(RecordBatchReader.from(bytes).next().value?.numRows).toBe(1);
    }
  });

  test('methods that take rows or columns of a frame give what is shown as one', () => {
    for (const table of [LONG.slice(0, 1), LONG.select(['value'])]) {
      expect(table).toBeInstanceOf(Table);
      expect(inspect(table)).toMatch(/^(long frame|table) · 1 row /);
    }
  });
});
