import { Float64, Schema, Table, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { decodeArrow } from '../../../src/contract/points/read-arrow.js';
import { encodeArrow } from '../../../src/contract/points/write-arrow.js';
import { ARROW_SERIES } from '../../../src/contract/wire-names.js';
import { loadParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { ContractError } from '../../../src/model/errors.js';
import { anyLists, inPieces, rowsOf, seriesOf } from './points.js';

async function encode(
  count: number,
  lists: readonly (readonly PackedPoints[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const head = { series: seriesOf(count), withAvailableDate: true, withMetadata: true };
  const chunks: Uint8Array[] = [];
  const source = (async function* () {
    yield* lists;
  })();
  for await (const chunk of encodeArrow(head, source)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** A run of the first series. */
const runOf = (length: number): PackedPoints => ({
  series: 0,
  length,
  start_date: { firstMs: 0, stepMs: 1 },
  end_date: null,
  value: new Float64Array(length).fill(1.5),
  value_valid: null,
  unit_id: 4,
  reporting_date: null,
});

async function decode(body: AsyncIterable<Uint8Array>): Promise<{ series: unknown; rows: string[] }> {
  const { series, batches } = await decodeArrow(body, 'points');
  const rows: string[] = [];
  for await (const runs of batches) rows.push(...rowsOf(runs));
  return { series, rows };
}

/** The error that ends the decoding. */
async function failure(bytes: Uint8Array): Promise<ContractError> {
  const error: unknown = await decode(inPieces(bytes, 65_536)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ damaged: true, endpoint: 'points' });
  expect(String(error)).toMatch(/points: the point stream cannot be read: /);
  return error as ContractError;
}

describe('plain Arrow', () => {
  it('decodes to the points that were encoded', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, fc.integer({ min: 100, max: 3000 }), async ({ count, lists }, size) => {
        const { series, rows } = await decode(inPieces(await encode(count, lists), size));
        expect(series).toEqual(seriesOf(count));
        expect(rows).toEqual(lists.flatMap(rowsOf));
      }),
      { numRuns: 50 },
    );
  });

  it('is what other readers read', async () => {
    const { Table } = await loadParquet();
    const bytes = await encode(2, [[runOf(40_000)]]);
    expect(tableFromIPC(bytes).numRows).toBe(40_000);
    const batches = Table.fromIPCStream(bytes).recordBatches();
    expect(batches.map(({ numRows }) => numRows)).toEqual([20_000, 20_000]);
  });

  it('is refused wherever it is truncated', async () => {
    const bytes = await encode(2, [[runOf(20_000)], [runOf(20_000)]]);
    for (let end = 0; end < bytes.length; end += 199_999) await failure(bytes.subarray(0, end));
    await failure(bytes.subarray(0, -8));
  });

  it('is refused without its list of series, or a column', async () => {
    const text = Buffer.from(await encode(1, [[runOf(3)]]));
    for (const [name, other] of [
      [ARROW_SERIES, 'cropframe.serieX'],
      ['end_date', 'end-date'],
      ['reporting_date', 'reporting-date'],
    ] as const) {
      const changed = new Uint8Array(text);
      changed.set(Buffer.from(other), text.indexOf(name));
      const { message } = await failure(changed);
      expect(message).toContain(
        name === ARROW_SERIES ? 'no list of series' : `the column ${name} is missing`,
      );
    }
  });

  it('is refused with numbers in place of dates', async () => {
    const names = ['series', 'start_date', 'end_date', 'value', 'unit_id', 'reporting_date'];
    const table = new Table(
      Object.fromEntries(names.map((name) => [name, vectorFromArray([1], new Float64())])),
    );
    const metadata = new Map([[ARROW_SERIES, JSON.stringify(seriesOf(1))]]);
    const described = new Table(new Schema(table.schema.fields, metadata), table.batches);
    expect((await failure(tableToIPC(described, 'stream'))).message).toMatch(
      /too short, or has another type/,
    );
  });

  it('ends with what broke its connection off', async () => {
    const cause = new DOMException('stopped', 'AbortError');
    const bytes = await encode(1, [[runOf(3)]]);
    for (const sent of [0, 100, bytes.length - 8]) {
      const body = (async function* () {
        yield bytes.subarray(0, sent);
        throw cause;
      })();
      await expect(decode(body)).rejects.toBe(cause);
    }
  });

  it('is closed when the reader leaves', async () => {
    const bytes = await encode(1, [[runOf(20_000)], [runOf(20_000)]]);
    let isOpen = true;
    const body = (async function* () {
      try {
        for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
      } finally {
        isOpen = false;
      }
    })();
    const { batches } = await decodeArrow(body, 'points');
    for await (const _ of batches) break;
    expect(isOpen).toBe(false);
  });
});
