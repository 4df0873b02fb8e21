import type { RecordBatch, Table } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { describe, expect, it } from 'vitest';
import { longFrame } from '../../../../src/frame/build/long.js';
import { fromParquet } from '../../../../src/frame/formats/parquet/read-parquet.js';
import { writeParquet } from '../../../../src/frame/formats/parquet/write-parquet.js';
import { frame } from '../../../../src/frame/frame.js';
import type { FrameStream } from '../../../../src/frame/table/frame-types.js';
import { PROVENANCE_KEY } from '../../../../src/frame/table/provenance.js';
import { collect } from '../../../sequences.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../../points.js';

const ROWS = 50;
/** A frame of one batch: the n-th series of a stream. */
const part = (n: number): Table =>
  longFrame(
    {
      series: [seriesOf({ region_id: 6 })],
      runs: runsOf(
        Array.from({ length: ROWS }, (_, day) => ({
          series: 0,
          start: day,
          end: day,
          value: n * ROWS + day,
        })),
      ),
    },
    { names: NAMES, provenance: PROVENANCE },
  );

/** What was asked of a stream. */
interface State {
  asked: number;
  isClosed: boolean;
}

/** A stream of so many parts. */
function streamOf(parts: number, end: () => void = () => {}): FrameStream & { readonly state: State } {
  const state: State = { asked: 0, isClosed: false };
  async function* batches(): AsyncGenerator<RecordBatch> {
    try {
      while (state.asked < parts) yield* part(state.asked++).batches;
      end();
    } finally {
      state.isClosed = true;
    }
  }
  return { schema: part(0).schema, batches: batches(), state };
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Uint8Array.from(Buffer.concat(await collect(pieces)));
}

describe('a Parquet file of a frame that arrives batch by batch', () => {
  it.each([0, 1, 2, 5])('has the rows of %i batches in order, and the provenance once', async (parts) => {
    const stream = streamOf(parts);
    const bytes = await bytesOf(writeParquet(stream));
    const read = await fromParquet(bytes);
    expect(read.toRows()).toEqual(Array.from({ length: parts }, (_, n) => frame(part(n)).toRows()).flat());
    expect(read.schema.fields.map(String)).toEqual(part(0).schema.fields.map(String));
    expect(read.provenance).toEqual(PROVENANCE);
    expect(Buffer.from(bytes).toString('latin1').split(PROVENANCE_KEY)).toHaveLength(2);
    expect(stream.state).toEqual({ asked: parts, isClosed: true });
  });

  it('has the provenance that is known last', async () => {
    for (const [parts, api_host] of [
      [0, ''],
      [1, 'é'.repeat(20_000)],
      [3, 'a service with a name of some length'],
    ] as const) {
      const last = { ...PROVENANCE, api_host };
      const stream = { ...streamOf(parts), lastProvenance: () => last };
      const read = await fromParquet(await bytesOf(writeParquet(stream)));
      expect(read.provenance).toEqual(last);
      expect(read.numRows).toBe(parts * ROWS);
    }
  });

  it('has row groups of the size that is asked for, in pieces that come before the end', async () => {
    const pieces: Uint8Array[] = [];
    const asked: number[] = [];
    const stream = streamOf(20);
    for await (const piece of writeParquet(stream, { row_group_rows: ROWS, compression: 'none' })) {
      pieces.push(piece);
      asked.push(stream.state.asked);
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(asked[0]).toBeLessThan(20);
    const bytes = Uint8Array.from(Buffer.concat(pieces));
    expect(readParquet(bytes, { rowGroups: [19] }).recordBatches()[0]!.numRows).toBe(ROWS);
  });

  it('throws the error of the batches, whenever it comes, and closes them', async () => {
    for (const parts of [0, 1, 4]) {
      const stream = streamOf(parts, () => {
        throw new RangeError('the service is gone');
      });
      const failure = await bytesOf(writeParquet(stream)).catch((error: unknown) => error);
      expect(failure).toEqual(new RangeError('the service is gone'));
      expect(stream.state.isClosed).toBe(true);
    }
    expect((await fromParquet(await bytesOf(writeParquet(streamOf(1))))).numRows).toBe(ROWS);
  });

  it('asks for no more batches once nobody reads it', async () => {
    const stream = streamOf(1000);
    for await (const _ of writeParquet(stream, { row_group_rows: ROWS })) break;
    expect(stream.state.isClosed).toBe(true);
    expect(stream.state.asked).toBeLessThan(20);
  });
});
