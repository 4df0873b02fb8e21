import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NewPointsBuilder } from '../../../src/ingest/batch/new-points.js';
import type { ImportBatch } from '../../../src/ingest/importer.js';
import { splitBatch } from '../../../src/ingest/thread/split-batch.js';
import { seriesKeyText } from '../../../src/model/series.js';
import type { NewPoints } from '../../../src/store/store.js';

const KEY = { metric_id: 2, item_id: 3, partner_region_id: 0, source_id: 22, frequency_id: 9 };

/** Points of so many rows over so many series, some without a value, a report or a remark. */
function pointsOf(rows: number, series: number, texts: number): NewPoints {
  const builder = new NewPointsBuilder();
  for (let text = 0; text < texts; text++) builder.beginText(text);
  for (let i = 0; i < rows; i++) {
    builder.line = i + 2;
    builder.add(
      { ...KEY, region_id: (i * 7919) % series },
      {
        startMs: i * 1000,
        endMs: i * 1000 + 5,
        value: i % 5 === 0 ? null : i / 3,
        unitId: 1 + (i % 3),
        reportingMs: i % 7 === 0 ? null : i,
        availableMs: i + 9,
        metadata: i % 11 === 0 ? `{"n":${i}}` : null,
      },
    );
  }
  return builder.take();
}

const bit = (bitmap: Uint8Array | null, row: number) =>
  bitmap === null || (bitmap[row >> 3]! >> (row & 7)) % 2 === 1;

function rowsOf({ series, columns, origin }: NewPoints): unknown[] {
  return Array.from({ length: columns.length }, (_, row) => [
    seriesKeyText(series[columns.series[row]!]!),
    columns.start_date[row],
    columns.end_date[row],
    bit(columns.value_valid, row) ? columns.value[row] : null,
    columns.unit_id[row],
    bit(columns.reporting_valid, row) ? columns.reporting_date[row] : null,
    columns.available_date[row],
    columns.metadata?.[row],
    origin?.file[row],
    origin?.line[row],
  ]);
}

it('gives the points of a batch in parts that together are its points', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 4_095, 4_096, 4_097, 9_000),
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 1 }),
      (rows, series, texts) => {
        const points = pointsOf(rows, series, texts);
        const parts = [...splitBatch({ points })];
        expect(parts.flatMap((part) => (part.points === undefined ? [] : rowsOf(part.points)))).toEqual(
          rowsOf(points),
        );
        expect(parts.map(({ read }) => read).reduce((sum, read) => sum! + read!, 0)).toBe(rows);
      },
    ),
    { numRuns: 12 },
  );
});

it('gives entities before points, counts every row once, and keeps what has a digest together', () => {
  const items = Array.from({ length: 1_200 }, (_, id) => ({
    id,
    name: `i${id}`,
    definition: '',
    belongsTo: [],
  }));
  const shapes = Array.from({ length: 250 }, (_, region_id) => ({
    region_id,
    detail: 'full' as const,
    geojson: '{}',
  }));
  const rejected = Array.from({ length: 2_500 }, (_, line) => ({
    file: 'a',
    line,
    reason: 'r',
    text: '',
    values: 2,
  }));
  const batch: ImportBatch = {
    entities: { items },
    shapes,
    rejected,
    notRead: new Map([['PGTM', 3]]),
    points: pointsOf(10, 2, 1),
    texts: [{ name: 'a' }],
    notes: ['n'],
  };
  const parts = [...splitBatch(batch)];
  expect(parts.flatMap((part) => part.entities?.items ?? [])).toEqual(items);
  expect(parts.flatMap((part) => [...(part.shapes ?? [])])).toEqual(shapes);
  expect(parts.flatMap((part) => part.rejected ?? [])).toEqual(rejected);
  expect(parts.reduce((sum, { read }) => sum + read!, 0)).toBe(5_000 + 3 + 10);
  expect(parts.filter(({ notRead, texts, notes }) => notRead ?? texts ?? notes)).toHaveLength(1);
  expect(parts.at(-1)!.points).toBeDefined();
  const kept = [...splitBatch({ digest: 'd', entities: { items }, shapes })];
  expect(kept).toMatchObject([{ digest: 'd', entities: { items }, shapes }]);
});
