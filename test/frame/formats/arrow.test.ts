import { Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { describeFrame } from '../../../src/frame/display/describe.js';
import { fromArrow, toArrowFile, toArrowStream } from '../../../src/frame/formats/arrow.js';
import { readProvenance } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { countRuns } from '../../endurance.js';
import { batchOf, NAMES, PROVENANCE, seriesOf } from '../points.js';
import { anyFrame, contents } from './round-trip.js';

const DAILY = {
  series: [seriesOf()],
  batches: [batchOf([0, 1, 2].map((day) => ({ series: 0, start: day, end: day, value: day })))],
};

describe('Arrow IPC', () => {
  test('the file format round-trips any frame, with provenance and a valid checksum', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        const read = fromArrow(toArrowFile(table));
        expect(contents(read)).toEqual(contents(table));
        expect(readProvenance(read)).toEqual(readProvenance(table));
        expect(describeFrame(read).checksum.state).toBe('verified');
      }),
      { numRuns: countRuns({ quick: 60, few: 15 }) },
    );
  });

  test('the stream format round-trips any frame', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(contents(fromArrow(toArrowStream(table)))).toEqual(contents(table));
      }),
      { numRuns: countRuns({ quick: 60, few: 15 }) },
    );
  });

  test('equal frames are written as equal bytes', () => {
    const bytes = () => toArrowFile(longFrame(DAILY, { names: NAMES, provenance: PROVENANCE }));
    expect(bytes()).toEqual(bytes());
  });

  test('name columns of different frames fit into one table', () => {
    const [one, other] = [NAMES, { ...NAMES, regions: new Map([[3, 'Ohio']]) }].map(
      (names) => longFrame(DAILY, { names }).getChild('region_name')!,
    );
    const both = fromArrow(toArrowFile(new Table({ one: one!, other: other! })));
    expect(contents(both).rows[0]).toEqual({ one: 'Iowa', other: 'Ohio' });
  });

  test('date columns that share an array are both written, also by Arrow', () => {
    const [batch] = DAILY.batches;
    const shared = { series: DAILY.series, batches: [{ ...batch!, end_date: batch!.start_date }] };
    expect(contents(fromArrow(toArrowFile(longFrame(shared))))).toEqual(contents(longFrame(DAILY)));
    expect(tableFromIPC(tableToIPC(longFrame(shared), 'stream')).numRows).toBe(3);
  });

  test('columns of another table that share a buffer are all written', () => {
    const value = longFrame(DAILY).getChild('value')!;
    const table = new Table({ one: value, other: value });
    expect(contents(fromArrow(toArrowStream(table))).rows).toEqual(contents(table).rows);
  });

  test('a changed value invalidates the checksum', () => {
    const read = fromArrow(toArrowFile(longFrame(DAILY, { provenance: PROVENANCE })));
    read.getChild('value')!.data[0]!.values[1] = 99;
    expect(describeFrame(read).checksum.state).toBe('differs');
  });

  test.each([
    ['no Arrow', new TextEncoder().encode('{"error":"not found","message":"…"}')],
    ['nothing', new Uint8Array()],
    ['half a file', toArrowFile(longFrame(DAILY)).subarray(0, 300)],
  ])('refuses %s', (_, bytes) => {
    expect(() => fromArrow(bytes)).toThrow(ArgumentError);
  });
});
