import { tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointColumnsBuilder } from '../../../src/columns/point-builder.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import { copyColumns } from '../../../src/columns/point-rows.js';
import { bytesChecksum } from '../../../src/contract/stream/checksum.js';
import { addChecksum, verifiedMessages } from '../../../src/contract/stream/message-frames.js';
import { decodePointStream } from '../../../src/contract/stream/point-decoder.js';
import { encodePointStream } from '../../../src/contract/stream/point-encoder.js';
import { loadParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { ContractError } from '../../../src/model/errors.js';

const HEAD = {
  series: [1, 2].map((region_id) => ({
    metric_id: 1,
    item_id: 2,
    region_id,
    partner_region_id: 0,
    frequency_id: 9,
    source_id: 3,
    unit_id: 4,
  })),
  withAvailableDate: true,
  withMetadata: true,
};

function columns(rows: number): PointColumns {
  const builder = new PointColumnsBuilder();
  for (let i = 0; i < rows; i++) {
    builder.add({
      series: i < rows / 2 ? 0 : 1,
      startMs: i * 86_400_000,
      endMs: i * 86_400_000,
      value: i % 5 === 0 ? null : i / 3,
      unitId: 4,
      reportingMs: i % 3 === 0 ? null : i,
      availableMs: i,
      metadata: i % 4 === 0 ? null : `{"n":${i}}`,
    });
  }
  return builder.build();
}

async function* none(): AsyncGenerator<PointColumns> {}

async function joined(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

async function encoded(batches: readonly PointColumns[], withCrc32 = true): Promise<Uint8Array<ArrayBuffer>> {
  const source = (async function* () {
    yield* batches;
  })();
  return joined(encodePointStream({ ...HEAD, withCrc32 }, source));
}

async function decoded(bytes: Uint8Array<ArrayBuffer>): Promise<PointColumns[]> {
  const { series, batches } = await decodePointStream(new Response(bytes).body!, 'points');
  expect(series).toEqual(HEAD.series);
  const all: PointColumns[] = [];
  for await (const batch of batches) all.push(copyColumns(batch));
  return all;
}

describe.each([
  ['with CRC-32', true],
  ['with the older checksum', false],
])('a point stream %s', (_, withCrc32) => {
  it('decodes to what was encoded', async () => {
    const sent = [columns(7), columns(0), columns(1000)];
    const received = await decoded(await encoded(sent, withCrc32));
    expect(received.map(({ length }) => length)).toEqual([7, 0, 1000]);
    expect(received[2]!.value.subarray(0, 1000)).toEqual(sent[2]!.value);
    expect(received[2]!.metadata).toEqual(sent[2]!.metadata);
  });

  it('may have batches that lack an optional column of the others', async () => {
    const { available_date, metadata, ...bare } = columns(7);
    const received = await decoded(await encoded([bare, columns(7)], withCrc32));
    expect(received.map((batch) => batch.metadata)).toEqual([new Array(7).fill(null), metadata]);
    expect(received.map((batch) => batch.available_date?.subarray(0, 7))).toEqual([
      new BigInt64Array(7),
      available_date,
    ]);
  });

  it('is an ordinary Arrow stream to other readers', async () => {
    const bytes = await encoded([columns(7), columns(100)], withCrc32);
    expect(tableFromIPC(bytes).numRows).toBe(107);
    const { Table } = await loadParquet();
    expect(
      Table.fromIPCStream(bytes)
        .recordBatches()
        .reduce((sum, { numRows }) => sum + numRows, 0),
    ).toBe(107);
  });

  it('never decodes to other points, and never hangs, whichever bit flips', async () => {
    const bytes = await encoded([columns(9), columns(20)], withCrc32);
    const sent = JSON.stringify(await figures(bytes));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = bytes.slice();
        damaged[at]! ^= 1 << bit;
        const outcome = await figures(damaged).catch((error: unknown) => error);
        if (outcome instanceof ContractError) return;
        expect(JSON.stringify(outcome)).toBe(sent);
      }),
      { numRuns: 400 },
    );
  });

  it('has the columns, types and nulls that other readers expect', async () => {
    const units = columns(3);
    units.unit_id[1] = 0;
    const table = tableFromIPC(await encoded([units], withCrc32));
    expect(
      table.schema.fields.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '?' : ''}`),
    ).toEqual([
      'series Uint32',
      'start_date Timestamp<MILLISECOND, UTC>',
      'end_date Timestamp<MILLISECOND, UTC>',
      'value Float64?',
      'unit_id Int32?',
      'reporting_date Timestamp<MILLISECOND, UTC>?',
      'available_date Timestamp<MILLISECOND, UTC>?',
      'metadata Utf8?',
    ]);
    expect(table.schema.metadata.get('cropframe.series')).toBe(JSON.stringify(HEAD.series));
    expect(table.batches.at(-1)!.metadata.get('cropframe.rows')).toBe('3');
    expect([...table.getChild('unit_id')!]).toEqual([4, null, 4]);
    expect([...table.getChild('available_date')!]).toEqual([null, 1, 2]);
    expect([...table.getChild('value')!]).toEqual([null, 1 / 3, 2 / 3]);
    const bare = encodePointStream({ series: [], withAvailableDate: false, withMetadata: false }, none());
    const names = tableFromIPC(await joined(bare)).schema.fields.map(({ name }) => name);
    expect(names).toEqual(['series', 'start_date', 'end_date', 'value', 'unit_id', 'reporting_date']);
  });

  it('names the checksum that its batches have', async () => {
    const names = tableFromIPC(await encoded([columns(7)], withCrc32)).batches.map(({ metadata }) => [
      ...metadata.keys(),
    ]);
    expect(names[0]).toEqual([withCrc32 ? 'cropframe.crc32' : 'cropframe.checksum', 'cropframe.head']);
  });

  it('is refused wherever it is truncated', async () => {
    const bytes = await encoded([columns(9), columns(20)], withCrc32);
    for (let end = 0; end < bytes.length - 8; end += 37)
      await expect(decoded(bytes.slice(0, end)), `truncated at ${end}`).rejects.toBeInstanceOf(ContractError);
  });
});

it('takes no more memory than has arrived, whatever length a message states', async () => {
  const prefix = (await encoded([columns(7)])).slice(0, 8);
  new DataView(prefix.buffer).setInt32(4, 60_000_000, true);
  const before = process.memoryUsage().arrayBuffers;
  let taken = 0;
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(prefix);
        else controller.close();
        taken = process.memoryUsage().arrayBuffers - before;
      },
    },
    { highWaterMark: 0 },
  );
  await expect(decodePointStream(body, 'points')).rejects.toMatchObject({ damaged: true });
  expect(taken).toBeLessThan(20_000_000);
});

describe('the messages of a stream', () => {
  const read = async (source: AsyncIterable<Uint8Array>) => {
    const messages: Uint8Array[] = [];
    for await (const message of verifiedMessages(source, 'points')) messages.push(message.slice());
    return messages;
  };
  /** An iterable that cannot be returned, as that of an older browser. */
  const plain = (...pieces: Uint8Array[]): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = pieces.shift();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
    }),
  });

  it('are alike in whatever pieces they are sealed and arrive', async () => {
    const bytes = await encoded([columns(9)]);
    const [schema, , , end] = await read(plain(bytes));
    expect(end).toHaveLength(8);
    expect(addChecksum([end!])).toEqual([end]);
    fc.assert(
      fc.property(fc.array(fc.nat(schema!.length), { maxLength: 3 }), (cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), schema!.length];
        const pieces = bounds.slice(1).map((to, i) => schema!.subarray(bounds[i], to));
        expect(Buffer.concat(addChecksum(pieces))).toEqual(Buffer.concat(addChecksum([schema!])));
      }),
    );
    expect(await read(plain(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(
      await read(plain(bytes)),
    );
    const body = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const [head, ...rest] = addChecksum([schema!, body]);
    expect([head!.length, rest]).toEqual([schema!.length + 8, [body]]);
    const [, joined] = addChecksum([Buffer.concat([schema!, body])]);
    expect(Uint8Array.from(joined!)).toEqual(body);
  });

  it.each<[string, number, number, RegExp]>([
    ['no marker', 0, 0x00ffffff, /no continuation marker/],
    ['a length below zero', 4, -8, /no continuation marker/],
    ['metadata of more than 64 MiB', 4, 0x0400_0001, /a length is out of bounds/],
    ['64 MiB of metadata that do not arrive', 4, 0x0400_0000, /it is truncated/],
    ['metadata too short for a checksum', 4, 4, /does not match its checksum/],
  ])('are refused with %s', async (_, at, value, message) => {
    const bytes = await encoded([columns(9)]);
    new DataView(bytes.buffer).setInt32(at, value, true);
    await expect(read(plain(bytes))).rejects.toThrow(ContractError);
    await expect(read(plain(bytes))).rejects.toThrow(message);
  });

  it('are refused without a checksum', async () => {
    const bare = tableToIPC(tableFromIPC(await encoded([columns(9)])), 'stream');
    await expect(read(plain(bare))).rejects.toThrow(/does not match its checksum/);
  });

  it('are refused with another marker before their checksum', async () => {
    const bytes = await encoded([columns(9)]);
    const marker = 8 + new DataView(bytes.buffer).getInt32(4, true) - 8;
    bytes[marker]! ^= 1;
    await expect(read(plain(bytes))).rejects.toThrow(/does not match its checksum/);
  });

  it('are refused with nothing but a checksum', async () => {
    const empty = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
    const message = new Uint8Array(16);
    message.set(empty.subarray(0, 4));
    new DataView(message.buffer).setInt32(4, 8, true);
    new DataView(message.buffer).setUint32(8, 0x4b434643, true);
    new DataView(message.buffer).setUint32(12, bytesChecksum(new Uint8Array(0)), true);
    await expect(read(plain(message, empty))).rejects.toThrow(/does not match its checksum/);
  });

  it('may have bodies of many megabytes, whose memory is taken as they arrive', async () => {
    const [, batch] = await read(plain(await encoded([columns(9)])));
    const { metadataEnd, bodyLengthAt } = places(batch!);
    const withBody = (length: number) => {
      const head = batch!.slice(0, metadataEnd);
      new DataView(head.buffer).setBigInt64(bodyLengthAt, BigInt(length), true);
      return addChecksum([head])[0]!;
    };
    const body = new Uint8Array(4_500_000);
    for (let i = 0; i < body.length; i++) body[i] = (i * 7) % 251;
    const pieces = [body.subarray(0, 4_200_001), body.subarray(4_200_001)];
    const head = withBody(body.length);
    const end = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
    const [message] = await read(plain(head, ...pieces, end));
    expect(Buffer.compare(message!, Buffer.concat([head, body]))).toBe(0);
    let taken = 0;
    const before = process.memoryUsage().arrayBuffers;
    const cut = (async function* () {
      yield withBody(2_000_000_000);
      yield body;
      taken = process.memoryUsage().arrayBuffers - before;
    })();
    await expect(read(cut)).rejects.toThrow(/it is truncated/);
    expect(taken).toBeLessThan(100_000_000);
  });

  it.each([-1n, 0x8000_0000n])('are refused with a body of %d bytes', async (length) => {
    const [, batch] = await read(plain(await encoded([columns(9)])));
    const { metadataEnd, bodyLengthAt } = places(batch!);
    const head = batch!.slice(0, metadataEnd);
    new DataView(head.buffer).setBigInt64(bodyLengthAt, length, true);
    await expect(read(plain(...addChecksum([head])))).rejects.toThrow(/a length is out of bounds/);
  });
});

/** Where the metadata of a message ends, and where it states the length of its body. */
function places(message: Uint8Array): { metadataEnd: number; bodyLengthAt: number } {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const metadataEnd = 8 + view.getInt32(4, true);
  const length = BigInt(message.length - metadataEnd);
  for (let at = 8; at < metadataEnd - 8; at += 4)
    if (view.getBigInt64(at, true) === length) return { metadataEnd, bodyLengthAt: at };
  throw new Error('the message does not state the length of its body');
}

async function figures(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  return (await decoded(bytes)).map(({ length, series, start_date, end_date, value, unit_id, metadata }) => [
    length,
    Array.from(series.subarray(0, length)),
    Array.from(start_date.subarray(0, length), String),
    Array.from(end_date.subarray(0, length), String),
    Array.from(value.subarray(0, length)),
    Array.from(unit_id.subarray(0, length)),
    metadata,
  ]);
}
