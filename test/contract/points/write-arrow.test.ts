import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedPoints, rowAt } from '../../../src/columns/packed-points.js';
import { encodeArrow } from '../../../src/contract/points/write-arrow.js';
import { ARROW_SERIES } from '../../../src/contract/wire-names.js';
import { loadParquet } from '../../../src/frame/formats/parquet/parquet-module.js';
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

/** The row of a table that a point becomes: its nulls are nulls. */
function rowOf(run: PackedPoints, i: number) {
  const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata } = rowAt(run, i);
  return {
    series: run.series,
    start_date: startMs,
    end_date: endMs,
    value,
    unit_id: unitId || null,
    reporting_date: reportingMs,
    available_date: availableMs || null,
    metadata: metadata ?? null,
  };
}

describe('points as an Arrow stream', () => {
  it('are the rows that were written, with their series in the metadata', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, async ({ count, lists }) => {
        const table = tableFromIPC(await encode(count, lists));
        expect(JSON.parse(table.schema.metadata.get(ARROW_SERIES)!)).toEqual(seriesOf(count));
        expect(table.toArray().map((row) => row.toJSON())).toEqual(
          lists.flat().flatMap((run) => Array.from({ length: run.length }, (_, i) => rowOf(run, i))),
        );
      }),
    );
  });

  it('are read by another reader, in batches of a bounded size', async () => {
    const { Table } = await loadParquet();
    const length = 40_000;
    const run: PackedPoints = {
      series: 0,
      length,
      start_date: { firstMs: 0, stepMs: 1 },
      end_date: null,
      value: new Float64Array(length).fill(1.5),
      value_valid: null,
      unit_id: 4,
      reporting_date: null,
    };
    const batches = Table.fromIPCStream(await encode(2, [[run]])).recordBatches();
    expect(batches.map(({ numRows }) => numRows)).toEqual([20_000, 20_000]);
  });
});
