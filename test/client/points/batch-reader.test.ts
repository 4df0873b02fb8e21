import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planBatch } from '../../../src/client/points/batch-plan.js';
import { readBatch } from '../../../src/client/points/batch-reader.js';
import { openPointAnswer } from '../../../src/client/points/point-answer.js';
import { type PackedPoints, packColumns, unpackPoints } from '../../../src/columns/packed-points.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import { encodeArrow } from '../../../src/contract/points/write-arrow.js';
import { ARROW_STREAM } from '../../../src/contract/wire-names.js';
import { DAY_MS } from '../../../src/model/time.js';
import { byteStream } from '../../../src/service/http/stream.js';

const keyOf = (region_id: number) => ({
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  frequency_id: 1,
  source_id: 5,
});

/** Messages that cut through series of these lengths. */
function* messages(lengths: readonly number[], max: number): Generator<PointColumns> {
  const rows = lengths.flatMap((length, series) => Array.from({ length }, (_, day) => ({ series, day })));
  for (let from = 0; from < rows.length; from += max) {
    const some = rows.slice(from, from + max);
    const dates = BigInt64Array.from(some, ({ day }) => BigInt(day * DAY_MS));
    yield {
      length: some.length,
      series: Uint32Array.from(some, ({ series }) => series),
      start_date: dates,
      end_date: dates.slice(),
      value: Float64Array.from(some, ({ series, day }) => series * 1_000 + day),
      value_valid: null,
      unit_id: new Int32Array(some.length).fill(7),
      reporting_date: new BigInt64Array(some.length),
      reporting_valid: new Uint8Array(Math.ceil(some.length / 8)),
    };
  }
}

it('passes on each series whole, to be kept, though messages cut through series and share memory', async () => {
  const anyLengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyLengths, fc.integer({ min: 1, max: 50 }), async (lengths, max) => {
      const requests = lengths.map((_, position) => ({ position, request: keyOf(position) }));
      const series = lengths.map((_, position) => ({ ...keyOf(position), unit_id: 7, selection: 0 }));
      const head = { series, withAvailableDate: false, withMetadata: false };
      const sent = (async function* () {
        for (const columns of messages(lengths, max)) yield packColumns(columns);
      })();
      const body = byteStream(encodeArrow(head, sent)) as ReadableStream<Uint8Array<ArrayBuffer>>;
      const response = new Response(body, { headers: { 'content-type': ARROW_STREAM } });
      const arrived: (readonly PackedPoints[])[] = [];
      await readBatch(
        await openPointAnswer('pointsBatch', response),
        planBatch(requests),
        (asking, { runs }) => {
          arrived[asking[0]!.position] = runs;
        },
      );
      const held = arrived.map((runs) => unpackPoints(runs));
      expect(held.map(({ value }) => [...value])).toEqual(
        lengths.map((length, at) => Array.from({ length }, (_, day) => at * 1_000 + day)),
      );
      expect(held.map(({ end_date }) => [...end_date])).toEqual(
        lengths.map((length) => Array.from({ length }, (_, day) => BigInt(day * DAY_MS))),
      );
    }),
    { numRuns: 60 },
  );
});
