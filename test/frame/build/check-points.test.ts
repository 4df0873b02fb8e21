import { describe, expect, test } from 'vitest';
import type { PointSet } from '../../../src/columns/packed-points.js';
import { longFrame, streamLong } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const [RUN] = runsOf([
  { series: 0, start: 0, end: 0, value: 1 },
  { series: 0, start: 1, end: 1, value: null },
]);

/** Points with another run after a good one. */
const withRun = (run: unknown) => ({ series: [seriesOf()], runs: [RUN, run] }) as PointSet;

const buildLong = (points: unknown, options?: unknown) => longFrame(points as PointSet, options as never);
const buildWide = (points: unknown, options?: unknown) => wideFrame(points as PointSet, options as never);

describe('points that are no points are refused before a frame is built', () => {
  test.each(['series', 'length', 'value'] as const)('a run without %s', (field) => {
    for (const build of [buildLong, (points: unknown) => buildWide(points, { names: NAMES })])
      expect(() => build(withRun({ ...RUN, [field]: undefined }))).toThrow(`points.runs[1].${field}: `);
  });

  test('a series without an id, or that is none', () => {
    const points = (...series: unknown[]) => ({ series, runs: [] });
    const { region_id: _, ...lacking } = seriesOf();
    for (const wrong of [lacking, { ...seriesOf(), region_id: '3' }, null, 3, undefined]) {
      expect(() => buildLong(points(seriesOf(), wrong))).toThrow(
        'points.series[1]: it lacks an id; a series has metric_id, item_id, region_id',
      );
      expect(() => streamLong(noSets(), { series: [seriesOf(), wrong] as never })).toThrow(
        'series[1]: it lacks an id',
      );
    }
    expect(() => buildLong({ series: 3, runs: [] })).toThrow('points.series: 3 is not a list');
    expect(() => buildLong({ runs: [] })).toThrow('points.series');
    expect(() => buildLong({ series: [] })).toThrow('points.runs');
    expect(() => buildLong(undefined)).toThrow('points: is missing');
    expect(() => buildLong(points(seriesOf()))).not.toThrow();
  });

  test('points of a series that is not in the list', () => {
    expect(() => buildLong(withRun({ ...RUN, series: 1 }))).toThrow(
      new ArgumentError('points', 'points.runs[1]: its series is not among the 1 of series'),
    );
  });
});

async function* noSets(): AsyncGenerator<PointSet> {}

describe('options', () => {
  const points = withRun(RUN);

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
});
