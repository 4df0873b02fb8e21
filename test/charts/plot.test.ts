import { describe, expect, it } from 'vitest';
import { plot } from '../../src/charts/plot.js';
import { longFrame } from '../../src/frame/build/long.js';
import { fromRows } from '../../src/frame/formats/rows.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../frame/points.js';
import { drawnMarks, drawnTexts, fieldsAndExpressions } from './drawn.js';

const farms = fromRows([
  { farm: 'North', 'rain [mm]': 300, yield: 5.1, sown: new Date('2020-04-01'), big: 1n },
  { farm: 'South', 'rain [mm]': 420, yield: 6.3, sown: new Date('2020-04-20'), big: 2n },
  { farm: 'East', 'rain [mm]': 380, yield: null, sown: new Date('2020-04-11'), big: 3n },
  { farm: 'West', 'rain [mm]': 350, yield: 5.7, sown: new Date('2020-04-09'), big: 4n },
]);

describe('plot', () => {
  it('draws a point for each row, and says which rows it leaves out', async () => {
    const chart = plot(farms, { x: 'rain [mm]', y: 'yield', color: 'farm' });
    expect(drawnMarks(await chart.toSvg(), 'symbol')).toHaveLength(3);
    const texts = await drawnTexts(chart);
    expect(texts).toEqual(
      expect.arrayContaining(['yield by rain [mm]', 'without 1 of 4 rows, which lack a value', 'North']),
    );
  });

  it.each([
    ['line', { x: 'sown', y: 'yield' }, 'line', 1],
    ['bar', { x: 'farm', y: 'yield' }, 'rect', 3],
    ['histogram', { x: 'big' }, 'rect', 4],
    ['box', { x: 'farm', y: 'rain [mm]' }, 'rect', 8],
  ] as const)('draws a %s', async (mark, columns, shape, count) => {
    const chart = plot(farms, { ...columns, mark });
    expect(drawnMarks(await chart.toSvg(), shape)).toHaveLength(count);
    for (const name of fieldsAndExpressions(chart.spec)) expect(name).toMatch(/^(x|y|color|height \+ 44)$/);
  });

  it('has bars on their texts, which lie level where they have room', () => {
    const bars = (columns: object, table = farms) =>
      JSON.stringify(plot(table, { x: 'farm', y: 'yield', mark: 'bar', ...columns }).spec);
    expect(bars({ color: 'farm' })).toContain('"labelAngle":0');
    expect(bars({ color: 'farm' })).not.toContain('xOffset');
    const many = fromRows(Array.from({ length: 30 }, (_, at) => ({ farm: `Farm number ${at}`, yield: at })));
    expect(bars({}, many)).not.toContain('labelAngle');
  });

  it('names the unit and the sources of a frame, and refuses values of several units', async () => {
    const frame = (units: readonly number[]) =>
      longFrame(
        {
          series: units.map((_, at) => seriesOf({ region_id: 5 + at })),
          runs: runsOf(
            units.map((unit_id, series) => ({
              series,
              start: '2000-01-01',
              end: '2000-12-31',
              value: 2,
              unit_id,
            })),
          ),
        },
        { names: NAMES, provenance: PROVENANCE },
      );
    const texts = await drawnTexts(plot(frame([14]), { x: 'end_date', y: 'value' }));
    expect(texts.join()).toMatch(/Source: USDA NASS/);
    expect(() => plot(frame([14, 15]), { x: 'end_date', y: 'value' })).toThrow(/several units/);
  });

  it.each([
    [{ x: 'rain', y: 'yield' }, /x: the table has no column "rain"; it has farm, rain \[mm\]/],
    [{ x: 'farm' }, /y: give a column, which mark "scatter" needs/],
    [{ x: 'farm', mark: 'histogram' }, /x: a histogram needs a column of numbers/],
    [{ x: 'big', y: 'yield', mark: 'histogram' }, /y: a histogram counts the rows; leave y out/],
    [{ x: 'yield', y: 'farm', mark: 'bar' }, /y: "farm" has no numbers/],
    [{ x: 'farm', y: 'yield', color: 'big', mark: 'bar' }, /color: "big" has numbers/],
    [{ x: 'list', y: 'yield' }, /x: column "list" is List/],
    [{ x: 'same', y: 'yield', mark: 'bar' }, /several rows have one "same", and a bar shows one; aggregate/],
  ] as const)('refuses %j', (options, reason) => {
    const table = fromRows(
      [1, 2].map((n) => ({ farm: `f${n}`, 'rain [mm]': n, yield: n, big: BigInt(n), list: [n], same: 'x' })),
    );
    expect(() => plot(table, options)).toThrow(reason);
  });

  it('refuses more colours than can be told apart, and more rows than a chart holds', () => {
    const many = fromRows(Array.from({ length: 9 }, (_, n) => ({ n, farm: `f${n}` })));
    expect(() => plot(many, { x: 'n', y: 'n', color: 'farm' })).toThrow(/"farm" has 9 texts, and 8 colours/);
    const large = fromRows(Array.from({ length: 100_001 }, () => ({ n: 1 })));
    expect(() => plot(large, { x: 'n', y: 'n' })).toThrow(/100001 rows.*sample/);
  });
});
