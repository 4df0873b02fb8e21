import { describe, expect, it } from 'vitest';
import { plotMap, shapeChart } from '../../src/charts/map.js';
import { limitsOfAll } from '../../src/charts/map-colours.js';
import { annual, longOf } from '../frame/verbs.js';
import { drawnMarks, drawnTexts, expectOwnNames, svgOf } from './drawn.js';

const square = (west: number, clockwise: boolean) => {
  const ring = [
    [west, 40],
    [west + 1, 40],
    [west + 1, 41],
    [west, 41],
    [west, 40],
  ];
  return { geometries: [{ coordinates: [[clockwise ? ring.reverse() : ring]] }] };
};
const SHAPES = new Map([
  [3, square(-95, true)],
  [6, square(-94, false)],
  [9, square(-93, false)],
]);
const FRAME = longOf([{}, annual(2012, [1, 2])], [{ region_id: 6 }, annual(2012, [3])]);
const fills = (svg: string) => drawnMarks(svg, 'shape').map((path) => /fill="([^"]+)"/.exec(path)![1]);

describe('plotMap', () => {
  it('draws no region without a shape, and refuses what is none', () => {
    expect(plotMap(FRAME, new Map([...SHAPES, [12, null]])).spec).toEqual(plotMap(FRAME, SHAPES).spec);
    expect(() => plotMap(FRAME, new Map([[3, {} as never]]))).toThrow(/shapes\.get\(3\)\.geometries/);
    expect(() => plotMap(FRAME, [...SHAPES] as never)).toThrow(/shapes: .* is not a Map/);
  });

  it('colours shapes by the values of one date, and counts those without', async () => {
    const chart = plotMap(FRAME, SHAPES);
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['annual · 2012-12-31 · 1 of 3 regions without a value', 'Yield (t/ha)']),
    );
    // Shapes without a value are drawn first.
    const [first, second, third] = fills(await svgOf(chart));
    expect(new Set([first, second, third]).size).toBe(3);
    expect(first).toBe('#9aa5b1');
    expectOwnNames(chart);
    // The highest value stands out: dark on light paper, bright on dark paper.
    expect(third).toBe('#440154');
    const brightness = (hex: string) =>
      [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(hex.slice(at, at + 2), 16), 0);
    expect(brightness(second!)).toBeGreaterThan(brightness(third!));
    expect(fills(await chart.toSvg({ theme: 'dark' })).at(-1)).toBe('#fde725');
    const later = plotMap(FRAME, SHAPES, { date: '2013-12-31' });
    expect((await drawnTexts(later)).join()).toContain('2013-12-31 · 2 of 3 regions without a value');
  });

  it('has shapes without a value in its legend, unless all have one', async () => {
    expect(await drawnTexts(plotMap(FRAME, SHAPES))).toContain('no value');
    const both = new Map([...SHAPES].slice(0, 2));
    expect(await drawnTexts(plotMap(FRAME, both))).not.toContain('no value');
  });

  it('draws the regions around only as far as its shapes extend', async () => {
    const ring = (west: number) => [
      [west, 35],
      [west, 45],
      [west + 15, 45],
      [west + 15, 35],
      [west, 35],
    ];
    const shapes = [...SHAPES.values()].map(({ geometries }, at) => {
      return { polygons: geometries[0]!.coordinates, value: [1, 3][at] ?? null };
    });
    const texts = { title: 'Yield', legend: 'Yield', breaks: [2] };
    const svg = await shapeChart(shapes, texts, [[[ring(-100)]], [[ring(10)]]]).toSvg();
    const paths = drawnMarks(svg, 'shape').map((path) => / d="([^"]+)"/.exec(path)?.[1] ?? '');
    // The first and last two are the surrounding regions, of which one is far from the shapes.
    expect(paths.map((path) => path.length > 0)).toEqual([true, false, true, true, true, true, false]);
    const xsOf = (path: string) => [...path.matchAll(/[ML]([-\d.]+),/g)].map(([, x]) => Number(x));
    expect([Math.min(...xsOf(paths[0]!)), Math.max(...xsOf(paths[0]!))]).toEqual([
      Math.min(...xsOf(paths[3]!)) - 1,
      Math.max(...xsOf(paths[2]!)) + 1,
    ]);
    const alone = drawnMarks(await shapeChart(shapes, texts).toSvg(), 'shape');
    expect(xsOf(paths[4]!)).toEqual(xsOf(/ d="([^"]+)"/.exec(alone[2]!)![1]!));
  });

  it('writes the limits between its classes as axes write numbers', async () => {
    const [low, middle, high] = [450_000, 2_900_000, 3_300_000].map((value) => annual(2012, [value]));
    const frame = longOf([{}, low!], [{ region_id: 6 }, middle!], [{ region_id: 9 }, high!]);
    const texts = await drawnTexts(plotMap(frame, SHAPES));
    expect(texts).toEqual(expect.arrayContaining(['500,000', '2.5 million']));
    expect(texts.join()).not.toMatch(/∞|Infinity/);
  });

  it.each([
    ['on both sides of zero', [-4, 3], ['below', 'above']],
    ['below zero alone', [-5, -2], ['below', 'below']],
    ['above zero alone', [2, 5], ['above', 'above']],
    ['of one value', [-2, -2], ['below', 'below']],
  ] as const)('colours changes by their sign: %s', async (_, changes, sides) => {
    const [one, other] = changes.map((change) => annual(2012, [10, 10 + change]));
    const moved = longOf([{}, one!], [{ region_id: 6 }, other!]).yearOverYear();
    const chart = plotMap(moved, SHAPES);
    expect((await drawnTexts(chart)).join()).toContain('Yield, change from a year earlier (t/ha)');
    for (const theme of ['light', 'dark'] as const) {
      // Red is stronger than blue in browns, and weaker in greens.
      const sideOf = (hex: string) =>
        parseInt(hex.slice(1, 3), 16) > parseInt(hex.slice(5, 7), 16) ? 'below' : 'above';
      const drawn = fills(await chart.toSvg({ theme })).slice(1);
      expect(drawn.map((hex) => sideOf(hex!))).toEqual(sides);
    }
  });

  it('has a legend with the unit where all values are equal', async () => {
    const equal = longOf([{}, annual(2012, [2])], [{ region_id: 6 }, annual(2012, [2])]);
    expect(await drawnTexts(plotMap(equal, SHAPES))).toEqual(expect.arrayContaining(['Yield (t/ha)', '2']));
  });

  it('has one colour for a value on all dates', async () => {
    const rising = longOf([{}, annual(2012, [1, 2])], [{ region_id: 6 }, annual(2012, [2, 9])]);
    const [before, after] = await Promise.all(
      ['2012-12-31', '2013-12-31'].map(async (date) => fills(await svgOf(plotMap(rising, SHAPES, { date })))),
    );
    // The first shape is the one without a value. The other region had the value 2 a year earlier.
    expect(after![1]).toBe(before![2]);
  });

  it('tells the regions of older dates apart where the newest values are all higher', async () => {
    const grown = longOf([{}, annual(2012, [1, 3, 100])], [{ region_id: 6 }, annual(2012, [30, 60, 101])]);
    const [, one, other] = fills(await svgOf(plotMap(grown, SHAPES, { date: '2012-12-31' })));
    expect(one).not.toBe(other);
  });

  it('keeps the limits of its classes in order where rounding raises those of older dates', () => {
    const older = [1, 2, 3, 80.6, 80.6, 80.6];
    const limits = limitsOfAll([...older, 80.7, 80.8, 80.9], [80.7, 80.8, 80.9]);
    expect(limits).toEqual([...new Set(limits)].sort((x, y) => x - y));
  });

  it('draws a shape alike whichever way its ring turns', async () => {
    const paths = (svg: string) =>
      drawnMarks(svg, 'shape').map((path) => / d="([^"]+)"/.exec(path)![1]!.length);
    const [, first, second] = paths(await plotMap(FRAME, SHAPES).toSvg());
    expect(Math.abs(first! - second!)).toBeLessThan(40);
  });

  it('refuses a date without values, and regions with several series', () => {
    expect(() => plotMap(FRAME, SHAPES, { date: '2020-12-31' })).toThrow(
      /none of the shapes has a value on 2020-12-31/,
    );
    const twice = longOf([{}, annual(2012, [1])], [{ item_id: 9 }, annual(2012, [3])]);
    expect(() => plotMap(twice, SHAPES)).toThrow(/region 3 has several series/);
  });
});
