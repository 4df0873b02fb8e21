import { describe, expect, it } from 'vitest';
import { NewPointsBuilder } from '../../../src/ingest/batch/new-points.js';
import { plainPoints } from '../collect.js';

const key = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, source_id: 4, frequency_id: 9 };
const row = { startMs: 0, endMs: 0, value: 1, unitId: 1, reportingMs: null, availableMs: 0 };

describe('NewPointsBuilder', () => {
  it('numbers series in order of appearance, and keeps points in order of arrival', () => {
    const builder = new NewPointsBuilder();
    const other = { ...key, region_id: 9 };
    builder.add(other, { ...row, startMs: 20, value: 1 });
    builder.add(key, { ...row, value: 2 });
    builder.add(other, { ...row, startMs: 10, reportingMs: 5, value: 3 });
    builder.add(other, { ...row, startMs: 10, value: 4, metadata: '{"flag":"E"}' });
    const { series, columns } = builder.take();
    expect(series).toEqual([other, key]);
    expect([...columns.series]).toEqual([0, 1, 0, 0]);
    expect([...columns.value]).toEqual([1, 2, 3, 4]);
    expect(columns.metadata).toEqual([null, null, null, '{"flag":"E"}']);
    expect([...columns.reporting_date]).toEqual([0n, 0n, 5n, 0n]);
    expect(columns.reporting_valid).toEqual(new Uint8Array([0b0100]));
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

  it('forgets the points behind a length', () => {
    const builder = new NewPointsBuilder();
    builder.add(key, row);
    builder.add({ ...key, item_id: 7 }, row);
    builder.truncate(1);
    const { series, columns } = builder.take();
    expect({ series, length: columns.length }).toEqual({ series: [key], length: 1 });
  });
});
