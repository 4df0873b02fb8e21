import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointColumnsBuilder } from '../../../src/columns/point-builder.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import { copyColumns } from '../../../src/columns/point-rows.js';
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

async function encoded(batches: readonly PointColumns[], withCrc32 = true): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const source = (async function* () {
    yield* batches;
  })();
  for await (const piece of encodePointStream({ ...HEAD, withCrc32 }, source)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
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
