import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../../src/columns/bitmap.js';
import { NewPointsBuilder } from '../../../src/ingest/batch/new-points.js';
import { plainPoints } from '../collect.js';

const key = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, source_id: 4, frequency_id: 9 };
const row = { startMs: 0, endMs: 0, value: 1, unitId: 1, reportingMs: null, availableMs: 0 };

describe('NewPointsBuilder', () => {
  it('sorts rows by series in order of appearance, period, and reporting date with null first', () => {
    const builder = new NewPointsBuilder();
    const other = { ...key, region_id: 9 };
    builder.add(other, { ...row, startMs: 20, value: 1 });
    builder.add(key, { ...row, value: 2 });
    builder.add(other, { ...row, startMs: 10, reportingMs: 5, value: 3 });
    builder.add(other, { ...row, startMs: 10, value: 4, metadata: '{"flag":"E"}' });
    const { series, columns } = builder.take();
    expect(series).toEqual([other, key]);
    expect([...columns.series]).toEqual([0, 0, 0, 1]);
    expect([...columns.value]).toEqual([4, 3, 1, 2]);
    expect(columns.metadata).toEqual(['{"flag":"E"}', null, null, null]);
    expect([...columns.reporting_date]).toEqual([0n, 5n, 0n, 0n]);
    expect(columns.reporting_valid).toEqual(new Uint8Array([0b0010]));
  });

  it('distinguishes null from zero, and has no bitmap without nulls', () => {
    const builder = new NewPointsBuilder();
    builder.add(key, { ...row, value: 0 });
    expect(builder.take().columns.value_valid).toBeNull();
    builder.add(key, { ...row, value: 0 });
    builder.add(key, { ...row, startMs: 1, value: null });
    expect(plainPoints(builder.take()).map(({ value }) => value)).toEqual([0, null]);
  });

  it('is empty after take', () => {
    const builder = new NewPointsBuilder();
    builder.add(key, row);
    builder.take();
    expect(builder.length).toBe(0);
    builder.add({ ...key, item_id: 7 }, row);
    expect(builder.take().series).toEqual([{ ...key, item_id: 7 }]);
  });

  it('has the points in order, as a plain sort has them, whatever comes in which order and is reverted', () => {
    const date = fc.integer({ min: -3, max: 3 }).map((day) => day * 86_400_000);
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
    const point = fc.record({
      region: fc.integer({ min: 1, max: 4 }),
      startMs: date,
      endMs: date,
      value: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
      unitId: fc.integer({ min: 1, max: 2 }),
      reportingMs: maybe(date),
      availableMs: date,
      metadata: maybe(fc.constantFrom('a', 'b')),
      isReverted: fc.boolean(),
    });
    const rank = (ms: number | null) => ms ?? Number.NEGATIVE_INFINITY;
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60, size: 'max' }), (points) => {
        const builder = new NewPointsBuilder();
        builder.beginText(0);
        const kept = points.filter(({ isReverted }) => !isReverted);
        const [sameKey, samePoint] = [{ ...key }, { ...row, metadata: null }];
        for (const { region, isReverted, ...one } of points) {
          builder.mark();
          sameKey.region_id = region;
          builder.add(sameKey, Object.assign(samePoint, one));
          if (isReverted) builder.revert();
        }
        const regions = [...new Set(kept.map(({ region }) => region))];
        const expected = kept
          .map(({ isReverted: _, region, ...one }) => ({ series: regions.indexOf(region), ...one }))
          .sort(
            (a, b) =>
              a.series - b.series ||
              a.startMs - b.startMs ||
              a.endMs - b.endMs ||
              (a.reportingMs === b.reportingMs ? 0 : rank(a.reportingMs) - rank(b.reportingMs)) ||
              a.availableMs - b.availableMs,
          );
        const { series, columns } = builder.take();
        expect(series.map(({ region_id }) => region_id)).toEqual(regions);
        const valid = (bitmap: Uint8Array | null, i: number) => bitmap === null || isValid(bitmap, i);
        const found = Array.from({ length: columns.length }, (_, i) => ({
          series: columns.series[i],
          startMs: Number(columns.start_date[i]),
          endMs: Number(columns.end_date[i]),
          value: valid(columns.value_valid, i) ? columns.value[i] : null,
          unitId: columns.unit_id[i],
          reportingMs: valid(columns.reporting_valid, i) ? Number(columns.reporting_date[i]) : null,
          availableMs: Number(columns.available_date[i]),
          metadata: columns.metadata?.[i] ?? null,
        }));
        expect(found).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('writes times as the same 64-bit integers as BigInt', () => {
    const instant = fc.integer({ min: Date.UTC(-9999, 0), max: Date.UTC(9999, 0) });
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 3000 }), (instants) => {
        const builder = new NewPointsBuilder();
        for (const startMs of instants) builder.add(key, { ...row, startMs, endMs: -startMs });
        const { start_date, end_date } = builder.take().columns;
        const sorted = [...instants].sort((a, b) => a - b);
        expect([...start_date]).toEqual(sorted.map(BigInt));
        expect([...end_date]).toEqual(sorted.map((ms) => -BigInt(ms)));
      }),
      { numRuns: 40 },
    );
  });
});
