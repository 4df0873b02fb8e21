import { Float64, makeData, Table, Timestamp, TimeUnit, Vector, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.js';
import '../../src/charts/frame-methods.js';
import { type PlotMark, plot } from '../../src/charts/plot.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { PROVENANCE } from '../frame/points.js';
import { annual, longOf } from '../frame/verbs.js';
import { boundsOf, drawnMarks, drawnTexts, fieldsAndExpressions } from './drawn.js';

const farms = fromRows([
  { farm: 'North', 'rain [mm]': 300, yield: 5.1, sown: new Date('2020-04-01'), big: 1n },
  { farm: 'South', 'rain [mm]': 420, yield: 6.3, sown: new Date('2020-04-20'), big: 2n },
  { farm: 'East', 'rain [mm]': 380, yield: null, sown: new Date('2020-04-11'), big: 3n },
  { farm: 'West', 'rain [mm]': 350, yield: 5.7, sown: new Date('2020-04-09'), big: 4n },
]);

describe('plot', () => {
  it('draws a point for each row, and says which rows it leaves out', async () => {
    const chart = farms.plot({ x: 'rain [mm]', y: 'yield', color: 'farm' });
    expect(drawnMarks(await chart.toSvg(), 'symbol')).toHaveLength(3);
    const texts = await drawnTexts(chart);
    expect(texts).toEqual(
      expect.arrayContaining([
        'yield by rain [mm]',
        'without 1 of 4 rows, in which a value is missing',
        'North',
      ]),
    );
  });

  it.each([
    ['line', { x: 'sown', y: 'yield' }, 'line', 1],
    ['bar', { x: 'farm', y: 'yield' }, 'rect', 3],
    ['histogram', { x: 'big' }, 'rect', 4],
    ['box', { x: 'farm', y: 'rain [mm]' }, 'rect', 8],
  ] as const)('draws a %s', async (mark, columns, shape, count) => {
    const chart = farms.plot({ ...columns, mark });
    expect(drawnMarks(await chart.toSvg(), shape)).toHaveLength(count);
    for (const name of fieldsAndExpressions(chart.spec)) expect(name).toMatch(/^(x|y|color|height \+ 44)$/);
  });

  it('has bars on their texts, which lie level where they have room', () => {
    const bars = (columns: object, table: Table = farms) =>
      JSON.stringify(plot(table, { x: 'farm', y: 'yield', mark: 'bar', ...columns }).spec);
    expect(bars({ color: 'farm' })).toContain('"labelAngle":0');
    expect(bars({ color: 'farm' })).not.toContain('xOffset');
    const many = fromRows(Array.from({ length: 30 }, (_, at) => ({ farm: `Farm number ${at}`, yield: at })));
    expect(bars({}, many)).not.toContain('labelAngle');
  });

  /** The places of the points of each line from left to right, as they are joined. */
  const joined = async (chart: Chart) =>
    drawnMarks(await chart.toSvg(), 'line').map((path) =>
      [...path.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x)),
    );

  it.each([
    ['texts', ['b', 'c', 'a', 'z', 'd']],
    ['booleans', [true, false]],
    ['text of numbers', ['10', '9', '1']],
  ])('joins lines over %s in the order of the axis, of several colours too', async (_, texts) => {
    const rows = texts.flatMap((x, i) => ['A', 'B'].map((side) => ({ x, y: i, side })));
    // The second side begins at the end.
    const table = fromRows([
      ...rows.filter(({ side }) => side === 'A'),
      ...rows.filter(({ side }) => side === 'B').reverse(),
    ]);
    const lines = await joined(plot(table, { x: 'x', y: 'y', color: 'side', mark: 'line' }));
    expect(lines).toHaveLength(2);
    for (const places of lines) expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(lines.map(String)).size).toBe(1);
  });

  it('has a legend of days for colours, in their order, and of times where there are some', async () => {
    const legend = async (days: readonly string[], mark: PlotMark = 'scatter') => {
      const table = fromRows(days.map((day, n) => ({ n, y: n, day: new Date(day) })));
      return (await drawnTexts(plot(table, { x: 'n', y: 'y', color: 'day', mark }))).filter((text) =>
        /^\d{4}-/.test(text),
      );
    };
    for (const mark of ['scatter', 'line', 'bar'] as const)
      expect(await legend(['2021-02-01', '2020-01-31', '2021-02-01'], mark)).toEqual([
        '2020-01-31',
        '2021-02-01',
      ]);
    expect(await legend(['2020-01-31', '2020-01-31T06:30Z'])).toEqual([
      '2020-01-31 00:00',
      '2020-01-31 06:30',
    ]);
    const years = Array.from({ length: 20 }, (_, i) => `${2000 + i}-01-01`);
    expect((await legend(years)).length).toBeGreaterThan(1);
    await expect(legend(years, 'line')).rejects.toThrow(/"day" has 20 different dates, but only 8 colours/);
  });

  it.each([TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND])(
    'has an axis of time for timestamps of unit %s, and a legend of days',
    async (unit) => {
      const perSecond = 10n ** (3n * BigInt(unit));
      const days = ['2020-01-31', '2020-02-29', '2020-04-30'];
      const times = BigInt64Array.from(days, (day) => BigInt(Date.parse(day) / 1000) * perSecond);
      const data = makeData({ type: new Timestamp(unit, 'UTC'), data: times });
      const table = new Table({ at: new Vector([data]), y: vectorFromArray([1, 2, 4], new Float64()) });
      const { spec } = plot(table, { x: 'at', y: 'y', mark: 'line' });
      expect(spec.data).toEqual({
        values: days.map((day, i) => ({ x: Date.parse(day), y: [1, 2, 4][i], color: undefined })),
      });
      expect(JSON.stringify(spec)).toContain('"type":"temporal"');
      expect(await drawnTexts(plot(table, { x: 'y', y: 'y', color: 'at' }))).toEqual(
        expect.arrayContaining(days),
      );
    },
  );

  it('has bars and boxes of numbers in ascending order, with every digit of large ones', async () => {
    const big = 2n ** 53n;
    const table = fromRows([
      { year: 2012, id: big + 1n, price: 3, side: 'z' },
      { year: 2010, id: big, price: 1, side: 'a' },
      { year: 2011, id: 5n, price: 2, side: 'z' },
    ]);
    for (const mark of ['bar', 'box'] as const) {
      const texts = await drawnTexts(plot(table, { x: 'year', y: 'price', mark }));
      expect(texts.filter((text) => /^201\d$/.test(text))).toEqual(['2010', '2011', '2012']);
    }
    const ids = await drawnTexts(plot(table, { x: 'id', y: 'price', mark: 'bar' }));
    expect(ids.filter((text) => /^(5|9\d{15})$/.test(text))).toEqual(['5', String(big), String(big + 1n)]);
    const grouped = plot(table, { x: 'year', y: 'price', color: 'side', mark: 'bar' }).spec as unknown as {
      layer: { encoding: Record<'xOffset' | 'color', { sort: unknown }> }[];
    };
    const { xOffset, color } = grouped.layer[0]!.encoding;
    expect(xOffset.sort).toEqual(color.sort);
  });

  it('has the source below the labels of an axis that have no room side by side', async () => {
    const farms = fromRows(
      Array.from({ length: 24 }, (_, n) => ({ farm: `the farm of a long name ${n}`, n })),
    );
    const chart = farms.plot({ x: 'farm', y: 'n', mark: 'bar', source: 'USDA NASS' });
    const [source] = await boundsOf(chart, 'legend');
    for (const axis of await boundsOf(chart, 'axis')) expect(source!.y1).toBeGreaterThanOrEqual(axis.y2);
  });

  it('names the unit and the sources of a frame, and refuses values of several units', async () => {
    const plotOf = (...units: number[]) => {
      const series = units.map((unit_id) => [{ region_id: unit_id, unit_id }, annual(2000, [2])] as const);
      return plot(longOf(...series).withProvenance(PROVENANCE), { x: 'end_date', y: 'value' });
    };
    expect((await drawnTexts(plotOf(14))).join()).toMatch(/Source: USDA NASS/);
    expect(() => plotOf(14, 15)).toThrow(/different units/);
  });

  it.each([
    [{ x: 'rain', y: 'yield' }, /x: the frame has no column "rain"; it has farm, rain \[mm\]/],
    [{ x: 'farm' }, /y: specify a column, which mark "scatter" requires/],
    [{ x: 'farm', mark: 'histogram' }, /x: a histogram needs a column of numbers/],
    [{ x: 'big', y: 'yield', mark: 'histogram' }, /y: a histogram counts the rows; omit y/],
    [{ x: 'yield', y: 'farm', mark: 'bar' }, /y: "farm" has no numbers/],
    [{ x: 'farm', y: 'yield', color: 'big', mark: 'bar' }, /color: "big" has numbers/],
    [{ x: 'list', y: 'yield' }, /x: column "list" has type List/],
    [
      { x: 'same', y: 'yield', mark: 'bar' },
      /several rows have the same "same", and a bar can show only one; aggregate/,
    ],
  ] as const)('refuses %j', (options, reason) => {
    const table = fromRows(
      [1, 2].map((n) => ({ farm: `f${n}`, 'rain [mm]': n, yield: n, big: BigInt(n), list: [n], same: 'x' })),
    );
    expect(() => plot(table, options)).toThrow(reason);
  });

  it('refuses more colours than can be told apart, and more rows than a chart holds', () => {
    const many = fromRows(Array.from({ length: 9 }, (_, n) => ({ n, farm: `f${n}` })));
    expect(() => plot(many, { x: 'n', y: 'n', color: 'farm' })).toThrow(
      /"farm" has 9 different strings, but only 8 colours/,
    );
    const large = fromRows(Array.from({ length: 100_001 }, () => ({ n: 1 })));
    expect(() => plot(large, { x: 'n', y: 'n' })).toThrow(/100001 rows.*sample/);
  });
});
