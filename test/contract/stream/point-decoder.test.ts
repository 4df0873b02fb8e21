import { Float64, Schema, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { unpackPoints } from '../../../src/columns/packed-points.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import { sliceColumns } from '../../../src/columns/point-rows.js';
import { addChecksum, verifiedMessages } from '../../../src/contract/stream/message-frames.js';
import { decodePointStream } from '../../../src/contract/stream/point-decoder.js';
import { encodePointStream } from '../../../src/contract/stream/point-encoder.js';
import { SERIES_KEY } from '../../../src/contract/stream/point-stream.js';
import { ContractError } from '../../../src/model/errors.js';
import { runsOf, type TestPoint } from '../../frame/points.js';

const keyOf = (region_id: number) => ({
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  frequency_id: 9,
  source_id: 3,
  unit_id: 4,
});
const HEAD = { series: [keyOf(1)], withAvailableDate: false, withMetadata: false };

const batchOf = (points: readonly TestPoint[]): PointColumns => unpackPoints(runsOf(points));

const points = (rows: number): PointColumns =>
  batchOf(Array.from({ length: rows }, (_, i) => ({ series: 0, start: i, end: i, value: i })));

async function encode(sizes: readonly number[], head = HEAD): Promise<Uint8Array[]> {
  const source = (async function* () {
    for (const size of sizes) yield points(size);
  })();
  return collect(encodePointStream(head, source));
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece.slice());
  return all;
}

const streamOf = (pieces: readonly Uint8Array[]) => new Blob([...pieces] as BlobPart[]).stream();

/** The messages of a stream: its schema, its batches, its trailer and its end. */
async function messagesOf(sizes: readonly number[], head = HEAD): Promise<Uint8Array[]> {
  return collect(
    verifiedMessages(streamOf(await encode(sizes, head)) as AsyncIterable<Uint8Array>, 'points'),
  );
}

async function decode(body: ReadableStream<Uint8Array>): Promise<number[]> {
  const { batches } = await decodePointStream(body, 'points');
  const lengths: number[] = [];
  for await (const { length } of batches) lengths.push(length);
  return lengths;
}

/** The error that ends the decoding of these pieces. */
async function failure(pieces: readonly Uint8Array[]): Promise<ContractError> {
  const error: unknown = await decode(streamOf(pieces)).then(
    (lengths) => `read ${lengths.join()}`,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ damaged: true, endpoint: 'points' });
  expect('cause' in (error as ContractError)).toBe((error as ContractError).cause !== undefined);
  expect((error as ContractError).message).toMatch(/^points: the point stream cannot be read: /);
  return error as ContractError;
}

/** A stream of any Arrow table, sealed as ours are. */
async function sealed(table: Table): Promise<Uint8Array[]> {
  const stream = tableToIPC(table, 'stream');
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const starts = Array.from({ length: stream.length / 8 }, (_, i) => 8 * i).filter(
    (at) => view.getInt32(at, true) === -1,
  );
  return starts.flatMap((at, i) => addChecksum([stream.subarray(at, starts[i + 1])]));
}

/** A message with other metadata, of the same length, and the checksum of that. */
function edited(message: Uint8Array, from: string, to: string): Uint8Array[] {
  const text = Buffer.from(message);
  const at = text.indexOf(from);
  expect(at).toBeGreaterThan(0);
  const copy = message.slice();
  copy.set(Buffer.from(to), at);
  return addChecksum([copy]);
}

describe('a point stream that is not whole', () => {
  it('is one message after another, in order', async () => {
    const [schema, one, two, trailer, end] = await messagesOf([3, 4]);
    expect(await decode(streamOf([schema!, one!, two!, trailer!, end!]))).toEqual([3, 4]);
    expect((await failure([schema!, two!, trailer!, end!])).message).toMatch(/a batch is missing/);
    expect((await failure([schema!, one!, two!, end!])).message).toMatch(/truncated after 7 points/);
    expect((await failure([schema!, one!, one!, two!, trailer!, end!])).message).toMatch(
      /a batch is missing/,
    );
    const [, , fewer] = await messagesOf([3]);
    expect((await failure([schema!, one!, two!, fewer!, end!])).message).toMatch(
      /it has 7 points instead of 3/,
    );
  });

  it('belongs to its list of series', async () => {
    const [, one, trailer, end] = await messagesOf([3]);
    const [other, , , ,] = await messagesOf([3], { ...HEAD, series: [keyOf(2)] });
    expect((await failure([other!, one!, trailer!, end!])).message).toMatch(/list of series does not match/);
    const [, none] = await messagesOf([]);
    expect((await failure([other!, none!, end!])).message).toMatch(/it has 0 points instead of 0/);
  });

  it('ends before it begins', async () => {
    expect((await failure([])).message).toMatch(/truncated/);
    const [, , end] = await messagesOf([]);
    expect(await failure([end!])).toBeInstanceOf(ContractError);
  });

  it('lacks its list of series, or a column', async () => {
    const [schema, ...rest] = await messagesOf([3]);
    const without = edited(schema!, SERIES_KEY, 'cropframe.serieX');
    expect((await failure([...without, ...rest])).message).toMatch(/no list of series/);
    for (const name of ['end_date', 'reporting_date'])
      expect((await failure([...edited(schema!, name, name.replace('_', '-')), ...rest])).message).toContain(
        `the column ${name} is missing`,
      );
  });

  it('has numbers in place of dates', async () => {
    const names = ['series', 'start_date', 'end_date', 'value', 'unit_id', 'reporting_date'];
    const table = new Table(
      Object.fromEntries(names.map((name) => [name, vectorFromArray([1], new Float64())])),
    );
    const described = new Table(
      new Schema(table.schema.fields, new Map([[SERIES_KEY, JSON.stringify(HEAD.series)]])),
      table.batches,
    );
    expect((await failure(await sealed(described))).message).toMatch(/too short, or has another type/);
  });
});

describe('the nulls of a point stream', () => {
  it('are the bits of its batches, and none where every row has a value', async () => {
    const rows = [1.5, null, 2].map((value, i) => ({ series: 0, start: i, end: i, value, reporting: i }));
    const source = (async function* () {
      yield batchOf(rows);
      yield points(2);
      yield batchOf(rows.map((row) => ({ ...row, reporting: null })));
    })();
    const body = streamOf(await collect(encodePointStream(HEAD, source)));
    const { batches } = await decodePointStream(body, 'points');
    const seen: (string | null)[][] = [];
    for await (const { value_valid, reporting_valid } of batches)
      seen.push([value_valid, reporting_valid].map((valid) => valid && (valid[0]! & 7).toString(2)));
    expect(seen).toEqual([
      ['101', null],
      [null, '0'],
      ['101', '0'],
    ]);
  });
});

describe('the connection of a point stream', () => {
  it.each([
    ['an abort', new DOMException('stopped', 'AbortError'), true],
    ['a lost connection', new TypeError('terminated'), true],
    ['any other failure', new TypeError('something else'), false],
  ])('that ends by %s is reported as such', async (_, cause, isTransport) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(cause),
    });
    const error: unknown = await decode(body).catch((thrown: unknown) => thrown);
    if (isTransport) expect(error).toBe(cause);
    else {
      expect(error).toBeInstanceOf(ContractError);
      expect(error).toMatchObject({ damaged: true, cause });
      expect(String(error)).toMatch(/something else/);
    }
  });

  it('is closed when the reader leaves, and when the stream is damaged', async () => {
    const pieces = await encode([3, 4]);
    const cancelled: string[] = [];
    const open = (name: string, bytes: readonly Uint8Array[]) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const piece of bytes) controller.enqueue(piece);
        },
        cancel: () => {
          cancelled.push(name);
        },
      });
    const { batches } = await decodePointStream(open('left', pieces), 'points');
    for await (const _ of batches) break;
    await decodePointStream(open('damaged', [new Uint8Array(8)]), 'points').catch(() => {});
    expect(cancelled).toEqual(['left', 'damaged']);
  });
});

describe('an encoder of points', () => {
  it('splits batches of more than 32,768 rows', async () => {
    const many = points(65_537);
    expect(await decode(streamOf(await encode([0])))).toEqual([0]);
    for (const [rows, lengths] of [
      [32_768, [32_768]],
      [32_769, [32_768, 1]],
      [65_536, [32_768, 32_768]],
      [65_537, [32_768, 32_768, 1]],
    ] as const) {
      const source = (async function* () {
        yield sliceColumns(many, 0, rows);
      })();
      expect(await decode(streamOf(await collect(encodePointStream(HEAD, source))))).toEqual(lengths);
    }
  });

  it('joins short messages, and is never far ahead of its reader', async () => {
    expect(await encode([1, 2, 3])).toHaveLength(1);
    let given = 0;
    const source = (async function* () {
      for (; given < 40; given++) yield points(500);
    })();
    const pieces = encodePointStream(HEAD, source);
    const { value } = await pieces.next();
    expect(value!.byteLength).toBeGreaterThanOrEqual(262_144);
    expect(value!.byteLength).toBeLessThan(300_000);
    expect(given).toBeLessThan(20);
    await pieces.return();
  });
});
