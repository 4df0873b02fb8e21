import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBitmap, setBit } from '../../../src/columns/bitmap.js';
import { type PackedPoints, unpackPoints } from '../../../src/columns/packed-points.js';
import { decodeRuns } from '../../../src/contract/points/read-runs.js';
import { encodeRuns } from '../../../src/contract/points/run-frames.js';
import { anyLists, contentOf, encoded, inPieces, rowsOf, seriesOf } from './points.js';

const SERIES = seriesOf(2);

/** A run of so many points with whatever else. */
const runOf = (length: number, parts: Partial<PackedPoints> = {}): PackedPoints => ({
  series: 0,
  length,
  start_date: { firstMs: 0, stepMs: 1 },
  end_date: null,
  value: Float64Array.from({ length }, (_, i) => i),
  value_valid: null,
  unit_id: 4,
  reporting_date: null,
  available_date: 0,
  metadata: null,
  ...parts,
});

/** Everything about the points of some runs; as one text a point it takes seconds to compare. */
function bytesOf(runs: readonly PackedPoints[]): Buffer {
  const { metadata, ...columns } = unpackPoints(runs.filter(({ length }) => length > 0));
  const arrays = Object.values(columns).filter((column) => ArrayBuffer.isView(column));
  const parts = arrays.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return Buffer.concat([...parts, Buffer.from(JSON.stringify(metadata ?? null))]);
}

/** The messages that arrive: the runs of each. */
async function messagesOf(...lists: PackedPoints[][]): Promise<PackedPoints[][]> {
  const bytes = await encoded(SERIES, lists);
  const { batches } = await decodeRuns(inPieces(bytes, 1 << 20), 'points');
  const messages: PackedPoints[][] = [];
  for await (const runs of batches) messages.push([...runs]);
  expect(bytesOf(messages.flat()).equals(bytesOf(lists.flat()))).toBe(true);
  return messages;
}

/** The number of points of each run of each message. */
const sizesOf = async (...lists: PackedPoints[][]) =>
  (await messagesOf(...lists)).map((runs) => runs.map(({ length }) => length));

describe('lists of runs', () => {
  it('have all that belongs to the points of a run that is cut', async () => {
    const length = 40_001;
    const bits = (isSet: (i: number) => boolean) => {
      const bitmap = emptyBitmap(length);
      for (let i = 0; i < length; i++) if (isSet(i)) setBit(bitmap, i);
      return bitmap;
    };
    const dates = Float64Array.from({ length }, (_, i) => i * i);
    const value_valid = bits((i) => i % 3 !== 0);
    const valid = bits((i) => i % 5 !== 0);
    const run = runOf(length, {
      start_date: Float64Array.from({ length }, (_, i) => i ** 2 % 9999),
      end_date: dates,
      value: Float64Array.from({ length }, (_, i) => (i % 3 === 0 ? Number.NaN : i)),
      value_valid,
      unit_id: Int32Array.from({ length }, (_, i) => i % 4),
      reporting_date: { dates: dates.map((date, i) => (i % 5 === 0 ? 0 : date)), valid },
      available_date: dates,
      metadata: Array.from({ length }, (_, i) => (i % 7 === 0 ? null : String(i % 10))),
    });
    expect(await sizesOf([run])).toEqual([[20_000], [20_001]]);
    const same = runOf(length, { end_date: { firstMs: 9, stepMs: 2 }, reporting_date: 7, available_date: 8 });
    expect(await sizesOf([same])).toEqual([[20_000], [20_001]]);
  });
});

describe('the bytes of an answer', () => {
  it('are decoded to the points that were encoded, whatever is constant in them', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, fc.integer({ min: 1, max: 3000 }), async ({ count, lists }, size) => {
        const series = seriesOf(count);
        const received = JSON.parse(await contentOf(inPieces(await encoded(series, lists), size)));
        expect(received).toEqual([series, lists.flatMap(rowsOf)]);
      }),
    );
  });

  it('are not made ahead of their reader', async () => {
    let lists = 0;
    const chunks = encodeRuns(
      SERIES,
      (async function* () {
        for (; lists < 8; lists++) yield [runOf(16_384)];
      })(),
    );
    expect(lists).toBe(0);
    for (let i = 0; i < 3; i++) await chunks.next();
    expect(lists).toBe(1);
  });

  it('are right where arrays have room after the last row', async () => {
    const room = { value: Float64Array.of(1, Number.NaN, 5, 5, 5), value_valid: Uint8Array.of(0b11101) };
    const start_date = Float64Array.of(5, 3, 9, 9);
    await messagesOf([runOf(2, { ...room, start_date, unit_id: Int32Array.of(1, 0, 9) }), runOf(1)]);
  });
});
