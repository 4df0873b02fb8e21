import { describe, expect, test } from 'vitest';
import type { PointSet } from '../../../src/columns/point-columns.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { streamLong } from '../../../src/frame/build/long-stream.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { writeArrow } from '../../../src/frame/formats/write-arrow.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { batchOf, NAMES, seriesOf } from '../points.js';

const BATCH = batchOf([
  { series: 0, start: 0, end: 0, value: 1 },
  { series: 0, start: 1, end: 1, value: null },
]);

/** Points with another batch after a good one. */
const withBatch = (batch: unknown) => ({ series: [seriesOf()], batches: [BATCH, batch] }) as PointSet;

const buildLong = (points: unknown, options?: unknown) => longFrame(points as PointSet, options as never);
const buildWide = (points: unknown, options?: unknown) => wideFrame(points as PointSet, options as never);

describe('points that are no points are refused before a frame is built', () => {
  test.each(['series', 'start_date', 'end_date', 'value', 'unit_id', 'reporting_date'] as const)(
    'a batch without %s, with one of another kind, or with a shorter one',
    (column) => {
      for (const build of [buildLong, (points: unknown) => buildWide(points, { names: NAMES })]) {
        expect(() => build(withBatch({ ...BATCH, [column]: undefined }))).toThrow(
          `points.batches[1].${column}: is missing`,
        );
        expect(() => build(withBatch({ ...BATCH, [column]: [0, 1] }))).toThrow(
          `points.batches[1].${column}: a list is not a ${BATCH[column].constructor.name}`,
        );
        expect(() => build(withBatch({ ...BATCH, [column]: BATCH[column].subarray(0, 1) }))).toThrow(
          `points.batches[1].${column}: it has 1 rows of 2`,
        );
      }
    },
  );

  test('a batch without its length or its validity', () => {
    expect(() => buildLong(withBatch({ ...BATCH, length: undefined }))).toThrow(
      'batches[1].length: undefined',
    );
    expect(() => buildLong(withBatch({ ...BATCH, length: 1.5 }))).toThrow('batches[1].length: 1.5');
    for (const bits of ['value_valid', 'reporting_valid']) {
      expect(() => buildLong(withBatch({ ...BATCH, [bits]: undefined }))).toThrow(
        `batches[1].${bits}: is missing; it must be a Uint8Array`,
      );
      expect(() => buildLong(withBatch({ ...BATCH, [bits]: [true] }))).toThrow(`batches[1].${bits}: a list`);
    }
  });

  test('a batch whose optional columns are of another kind', () => {
    expect(() => buildLong(withBatch({ ...BATCH, available_date: [1] }))).toThrow(
      'batches[1].available_date',
    );
    expect(() => buildLong(withBatch({ ...BATCH, metadata: '{}' }))).toThrow('batches[1].metadata');
  });

  test('a series without an id, or that is none', () => {
    const points = (...series: unknown[]) => ({ series, batches: [] });
    const { region_id: _, ...lacking } = seriesOf();
    for (const wrong of [lacking, { ...seriesOf(), region_id: '3' }, null, 3, undefined]) {
      expect(() => buildLong(points(seriesOf(), wrong))).toThrow(
        'points.series[1]: it lacks an id; a series has metric_id, item_id, region_id',
      );
      expect(() => streamLong(noSets(), { series: [seriesOf(), wrong] as never })).toThrow(
        'series[1]: it lacks an id',
      );
    }
    expect(() => buildLong({ series: 3, batches: [] })).toThrow('points.series: 3 is not a list');
    expect(() => buildLong({ batches: [] })).toThrow('points.series');
    expect(() => buildLong({ series: [] })).toThrow('points.batches');
    expect(() => buildLong(undefined)).toThrow('points: is missing');
    expect(() => buildLong(points(seriesOf()))).not.toThrow();
  });

  test('points of a series that is not in the list', () => {
    const batch = { ...BATCH, series: Uint32Array.of(0, 1) };
    expect(() => buildLong(withBatch(batch))).toThrow(
      new ArgumentError(
        'points',
        'points.batches[1]: it has points of series that are not among the 1 of series',
      ),
    );
    // Rows after the last may hold anything.
    const longer = { ...BATCH, length: 1, series: Uint32Array.of(0, 9) };
    expect(buildLong({ series: [seriesOf()], batches: [longer] }).numRows).toBe(1);
    expect(buildLong({ series: [], batches: [{ ...BATCH, length: 0 }] }).numRows).toBe(0);
  });
});

async function* noSets(): AsyncGenerator<PointSet> {}

describe('options', () => {
  const points = withBatch(BATCH);

  test.each(['metrics', 'items', 'regions', 'frequencies', 'sources', 'units'] as const)(
    'names need %s',
    (kind) => {
      const names = { ...NAMES, [kind]: undefined };
      for (const build of [buildLong, buildWide]) {
        expect(() => build(points, { names })).toThrow(`names.${kind}: is missing; it must be a Map`);
        expect(() => build(points, { names: { ...NAMES, [kind]: {} } })).toThrow(`names.${kind}: an object`);
      }
      expect(() => streamLong(noSets(), { series: [], names: names as never })).toThrow(`names.${kind}`);
    },
  );

  test('names may have abbreviations of units', () => {
    const names = { ...NAMES, unit_abbreviations: new Map([[7, 't']]) };
    expect(buildWide(points, { names }).schema.fields[1]!.metadata.get('unit_abbreviation')).toBe('t');
    expect(() => buildWide(points, { names: { ...NAMES, unit_abbreviations: {} } })).toThrow(
      'names.unit_abbreviations',
    );
  });

  test('what a frame does not know or accept is named', () => {
    expect(() => buildLong(points, { shownames: true })).toThrow('shownames: longFrame has no option');
    for (const flag of ['index_by_series', 'show_available_date', 'show_metadata'])
      expect(() => buildLong(points, { [flag]: 1 })).toThrow(`${flag}: 1 is not true or false`);
    expect(() => buildLong(points, { provenance: {} })).toThrow('provenance.retrieved_at');
    expect(() => buildWide(points)).toThrow('options: wideFrame needs');
    expect(() => buildWide(points, {})).toThrow('names: is missing');
    expect(() => buildWide(points, { names: NAMES, provenance: {} })).toThrow('provenance.retrieved_at');
    expect(() => buildWide(points, { names: NAMES, sorted: true })).toThrow(
      'sorted: wideFrame has no option',
    );
  });

  test('a stream needs its sets and its series', () => {
    const stream = (sets: unknown, options: unknown) => streamLong(sets as never, options as never);
    for (const sets of [[], null, undefined, 3])
      expect(() => stream(sets, { series: [] })).toThrow(/^sets: .*an async iterable/);
    expect(() => stream(noSets(), undefined)).toThrow('options: streamLong needs');
    expect(() => stream(noSets(), {})).toThrow('series');
    expect(() => stream(noSets(), { series: [], report: {} })).toThrow('report: an object is not a function');
    expect(() => stream(noSets(), { series: [], index_by_series: true })).toThrow('index_by_series');
    expect(() => stream(noSets(), { series: [], show_metadata: 1 })).toThrow('show_metadata');
    expect(() => stream(noSets(), { series: [], names: 1 })).toThrow('names');
  });

  test('what is written in pieces must be a stream of batches', async () => {
    const { schema, batches } = streamLong(noSets(), { series: [] });
    const write = (stream: unknown) => writeArrow(stream as never).next();
    await expect(async () => write(undefined)).rejects.toThrow('stream: is missing');
    await expect(async () => write({ batches })).rejects.toThrow('stream.schema: is missing');
    await expect(async () => write({ schema })).rejects.toThrow('stream.batches: is missing');
    await expect(async () => write({ schema, batches: [] })).rejects.toThrow('stream.batches: a list');
    await expect(async () => write({ schema, batches, lastProvenance: {} })).rejects.toThrow(
      'lastProvenance',
    );
  });
});
