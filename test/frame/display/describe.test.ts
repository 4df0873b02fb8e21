import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { describeFrame, frameBytes } from '../../../src/frame/display/describe.js';
import { readProvenance, withProvenance } from '../../../src/frame/table/provenance.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  runs: runsOf([
    { series: 0, start: 0, end: 0, value: 1 },
    { series: 0, start: 1, end: 1, value: null },
  ]),
};

test('describes shape, types, sources with licence and citation, report and checksum', () => {
  const { unit_id: _, ...series } = POINTS.series[0]!;
  const entry = {
    series,
    rows: 2,
    outcome: 'data' as const,
    reason: null,
    truncated: true,
    from_cache: false,
  };
  const empty = { ...entry, rows: 0, outcome: 'empty' as const, truncated: false };
  const described = describeFrame(
    longFrame(POINTS, { provenance: { ...PROVENANCE, report: [entry, empty] } }),
  );
  expect(described).toMatchObject({
    shape: 'long',
    rows: 2,
    series: 1,
    retrieved_at: PROVENANCE.retrieved_at,
    sources: [{ licence: 'public domain', citation: 'USDA NASS Quick Stats' }],
    units: [{ abbreviation: 't/ha' }],
    report: { series: 2, data: 1, empty: 1, failed: 0, truncated: 1, rows: 2, dropped_duplicates: 0 },
    checksum: { state: 'absent', recorded: null },
  });
  expect(described.columns[2]).toEqual({ name: 'value', type: 'float64', nulls: 1 });
  expect(described.checksum.actual).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('a wide frame counts its columns as series, even those without points', () => {
  const described = describeFrame(wideFrame(POINTS, { names: NAMES }));
  expect(described).toMatchObject({ shape: 'wide', rows: 2, series: 2, sources: [], report: null });
  expect(described.columns.map(({ nulls }) => nulls)).toEqual([0, 1, 2]);
});

test('counts the bytes of the buffers', () => {
  const rows = 2;
  const dates = 3 * 8 * rows;
  const bitmaps = 2 * 8;
  expect(frameBytes(longFrame(POINTS))).toBe(dates + 8 * rows + 7 * 4 * rows + bitmaps);
});

test('replaces the provenance without copying the columns', () => {
  const table = longFrame(POINTS, { provenance: PROVENANCE });
  const later = withProvenance(table, { ...PROVENANCE, retrieved_at: '2025-01-01T00:00:00.000Z' });
  expect(readProvenance(later)!.retrieved_at).toBe('2025-01-01T00:00:00.000Z');
  expect(readProvenance(table)!.retrieved_at).toBe(PROVENANCE.retrieved_at);
  expect(later.getChild('value')!.data[0]!.values).toBe(table.getChild('value')!.data[0]!.values);
});
