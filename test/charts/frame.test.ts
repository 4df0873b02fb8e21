import { describe, expect, it } from 'vitest';
import { sumAcrossRegions } from '../../src/agronomy/weights/sum-across-regions.js';
import { plotFrame } from '../../src/charts/frame.js';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import { fromRows } from '../../src/frame/formats/rows.js';
import { ArgumentError } from '../../src/model/errors.js';
import { batchOf, NAMES, PROVENANCE, seriesOf } from '../frame/points.js';
import { parseSvg } from './well-formed.js';

const year = (series: number, at: number, value: number | null, unit_id = 7) => ({
  series,
  start: `${at}-01-01`,
  end: `${at}-12-31`,
  value,
  unit_id,
});
const SERIES = [seriesOf(), seriesOf({ region_id: 6 })];
const POINTS = {
  series: SERIES,
  batches: [
    batchOf([
      year(0, 2012, 8),
      year(0, 2013, null),
      year(0, 2014, 9),
      year(0, 2015, 9.5),
      year(1, 2013, 2),
      year(1, 2014, 2.5),
    ]),
  ],
};
const FRAME = { names: NAMES, provenance: PROVENANCE };

describe('plotFrame', () => {
  it.each([
    ['long', longFrame(POINTS, FRAME)],
    ['wide', wideFrame(POINTS, FRAME)],
  ])('draws the series of a %s frame by what the frame says of itself', (_shape, table) => {
    const svg = plotFrame(table);
    expect(parseSvg(svg).get('text')).toEqual(
      expect.arrayContaining([
        'Yield | Corn | annual | USDA NASS | t/ha',
        'Yield (t/ha)',
        'Iowa',
        'Côte d&#39;Ivoire',
        'Source: USDA NASS',
      ]),
    );
    const [, path] = /<path d="([^"]+)" fill="none" stroke="#0072B2"/.exec(svg)!;
    expect(path!.match(/M/g)).toHaveLength(2);
  });

  it('labels the line of an average by what its regions share', () => {
    const svg = plotFrame(sumAcrossRegions(longFrame(POINTS, FRAME)));
    expect(parseSvg(svg).get('text')).toEqual(
      expect.arrayContaining([
        'Yield | Corn | Iowa, Côte d&#39;Ivoire | annual | USDA NASS | t/ha',
        'Yield (t/ha)',
        'Source: USDA NASS',
      ]),
    );
  });

  it('refuses series in several units', () => {
    const mixed = { series: SERIES, batches: [batchOf([year(0, 2012, 8), year(1, 2012, 3, 4)])] };
    expect(() => plotFrame(longFrame(mixed, FRAME))).toThrow(
      /its series are in several units \(t\/ha, unit 4\); select those of one unit, for instance with selectSeries/,
    );
  });

  it('refuses a table that is not a frame of dates and values', () => {
    const rows = [{ region_name: 'Iowa', value: 1 }];
    expect(() => plotFrame(fromRows(rows))).toThrow(ArgumentError);
    expect(() => plotFrame(fromRows(rows))).toThrow(/it has no series/);
  });
});
