import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedPoints, rowAt } from '../../../src/columns/packed-points.js';
import { encodeArrow, SERIES_KEY } from '../../../src/contract/points/write-arrow.js';
import { unitOrNull } from '../../../src/contract/series-blocks.js';
import { loadParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { anyLists, seriesOf } from './points.js';

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

/** The rows of Arrow that a run is. */
function rowsOfRun(run: PackedPoints): object[] {
  return Array.from({ length: run.length }, (_, i) => {
    const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata } = rowAt(run, i);
    return {
      series: run.series,
      start_date: startMs,
      end_date: endMs,
      value,
      unit_id: unitOrNull(unitId),
      reporting_date: reportingMs,
      available_date: availableMs || null,
      metadata: metadata ?? null,
    };
  });
}

describe('plain Arrow', () => {
  it('has the points that were encoded, one a row, and the list of their series', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, async ({ count, lists }) => {
        const table = tableFromIPC(await encode(count, lists));
        expect(JSON.parse(table.schema.metadata.get(SERIES_KEY)!)).toEqual(seriesOf(count));
        expect(table.toArray().map((row) => ({ ...row }))).toEqual(lists.flat().flatMap(rowsOfRun));
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
});
