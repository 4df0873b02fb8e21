import { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { weighRegions } from '../../src/agronomy/weighting/weigh-regions.js';
import { renderSvg } from '../../src/charts/draw.js';
import '../../src/charts/frame-methods.js';
import { plotFrame } from '../../src/charts/frame.js';
import { plotYears } from '../../src/charts/years.js';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import type { LongFrame } from '../../src/frame/frame.js';
import { ArgumentError } from '../../src/model/errors.js';
import { ofAnyFrequency } from '../../src/model/series.js';
import { DAY_MS, utcDay } from '../../src/model/time.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../frame/points.js';
import { dayRow } from './day-row.js';
import { drawnMarks, drawnPieces, drawnTexts } from './drawn.js';

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
  runs: runsOf([
    year(0, 2012, 8),
    year(0, 2013, null),
    year(0, 2014, 9),
    year(0, 2015, 9.5),
    year(1, 2013, 2),
    year(1, 2014, 2.5),
  ]),
};
const FRAME = { names: NAMES, provenance: PROVENANCE };
const FIRST = Date.UTC(2014, 0, 1);

/** A daily series with one gap of forty days, and monthly values over the same time. */
const MIXED = {
  series: [seriesOf({ frequency_id: 1 }), seriesOf({ frequency_id: 6, item_id: 9 })],
  runs: runsOf([
    ...Array.from({ length: 700 }, (_, day) => day)
      .filter((day) => day < 200 || day >= 240)
      .map((day) => ({
        series: 0,
        start: FIRST + day * DAY_MS,
        end: FIRST + day * DAY_MS,
        value: Math.sin(day / 9),
      })),
    ...Array.from({ length: 23 }, (_, month) => ({
      series: 1,
      start: Date.UTC(2014, month, 1),
      end: Date.UTC(2014, month + 1, 0),
      value: month,
    })),
  ]),
};

describe('plotFrame', () => {
  it.each([plotFrame, plotYears])('says above an average of regions which of them it lacks', async (draw) => {
    const average = (second: number | null) => {
      const years = { series: [seriesOf(), seriesOf({ region_id: 6 })] };
      const runs = runsOf([
        { series: 0, start: '2012-01-01', end: '2012-12-31', value: 8 },
        { series: 0, start: '2013-01-01', end: '2013-12-31', value: 9 },
        { series: 1, start: '2012-01-01', end: '2012-12-31', value: second },
        { series: 1, start: '2013-01-01', end: '2013-12-31', value: 9 },
      ]);
      return weighRegions(longFrame({ ...years, runs }, FRAME), { min_weight_present: 0.5 });
    };
    const texts = async (second: number | null) =>
      (await drawnTexts(draw(average(second), { subtitle: 'Corn Belt' }))).join(' ');
    expect(await texts(null)).toContain(
      '1 of 2 periods have regions without a value (at least 50 % of the weight has a value)',
    );
    expect(await texts(8)).not.toContain('regions without a value');
    expect(await texts(8)).not.toContain('weight_present');
  });

  it.each([
    ['long', longFrame(POINTS, FRAME)],
    ['wide', wideFrame(POINTS, FRAME)],
  ])('draws the series of a %s frame by what the frame says of itself', async (_shape, table) => {
    const chart = table.plot();
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['Yield · Corn', 'annual', 'Yield (t/ha)', 'Iowa', "Côte d'Ivoire"]),
    );
    expect(await drawnPieces(chart)).toEqual([2, 1]);
  });

  it.each([
    ['long', longFrame(MIXED, FRAME)],
    ['wide', wideFrame(MIXED, FRAME)],
  ])(
    'breaks lines of a %s frame at gaps of their own, not at dates of other series',
    async (_shape, table) => {
      const [steps, days] = await drawnPieces(plotFrame(table));
      expect({ steps, days }).toEqual({ steps: 1, days: 2 });
    },
  );

  const units = (count: number, unit = (at: number) => 20 + at) =>
    longFrame(
      {
        series: Array.from({ length: count }, (_, i) => seriesOf({ region_id: 10 + i })),
        runs: runsOf(Array.from({ length: count }, (_, i) => year(i, 2012, i, unit(i)))),
      },
      FRAME,
    );

  it('draws panels where it says that they are', async () => {
    for (const frame of [units(3), units(10, () => 20)]) {
      const chart = plotFrame(frame);
      const svg = await renderSvg(chart.withoutTexts(), chart.figure);
      expect(chart.figure.panels.flatMap(({ series }) => series)).toEqual([...Array(frame.numRows).keys()]);
      for (const { left, top } of chart.figure.panels) expect(svg).toContain(`translate(${left},${top})`);
    }
  });

  it('has a panel for each unit, or an axis, and refuses more than can be read', async () => {
    for (const axes of ['panels', 'one'] as const) {
      const chart = plotFrame(units(3), { axes, annotations: [{ value: 3 }] });
      const titles = (await chart.toSvg()).match(/(?<=aria-label="Y-axis titled ')[^'·]*(?= ·|')/g)!;
      expect(titles.sort()).toEqual(['Yield (unit 20)', 'Yield (unit 21)', 'Yield (unit 22)']);
    }
    expect(() => plotFrame(units(4), { axes: 'one' })).toThrow(
      /in 4 units \(unit 20, unit 21, unit 22, unit 23\), but a chart has at most 3 axes/,
    );
    expect(() => plotFrame(units(7))).toThrow(/in 7 units .*, but a chart has at most 6 panels/);
  });

  it('has a legend in each panel where the names of its lines have no room', async () => {
    const chart = plotFrame(units(3), { height: 200 });
    const legends = (await chart.toSvg()).split('role-legend-symbol').slice(1);
    const colours = legends.map((legend) => /stroke="(#\w+)"/.exec(legend)?.[1]);
    expect(colours).toEqual(chart.figure.colours);
  });

  it('keeps the colour of each series whatever else is drawn, and draws annotations and a smooth line', async () => {
    const frame = longFrame(MIXED, FRAME);
    const chart = plotFrame(frame, {
      smooth: 30,
      annotations: [{ from: '2014-03-01', to: '2014-04-01', text: 'wet <spring>' }, { value: 0.5 }],
    });
    const svg = await chart.toSvg();
    expect(drawnMarks(svg, 'rect')).toHaveLength(1);
    expect(svg.match(/stroke-dasharray="5,3"/g)).toHaveLength(1);
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['wet &lt;spring&gt;', '30-day mean (original values drawn faintly)']),
    );
    const series = [seriesOf(), seriesOf({ region_id: 6 }), seriesOf({ item_id: 9 })];
    const ofYears = (shown: readonly number[]) =>
      longFrame({ ...POINTS, series, runs: runsOf(shown.map((at) => year(at, 2012, at + 1))) }, FRAME);
    const coloursIn = (points: LongFrame) =>
      plotFrame(points, { places: series.map(ofAnyFrequency) }).figure.colours;
    const coloursOf = (shown: readonly number[]) => coloursIn(ofYears(shown));
    const all = coloursOf([0, 1, 2]);
    const derived = ofYears([0, 1, 2]).rollingMean({ window: { years: 1 } });
    expect(coloursIn(derived)).toEqual(all);
    expect(new Set(all).size).toBe(3);
    expect(coloursOf([1, 2])).toEqual(all.slice(1));
    expect(() => plotFrame(frame, { annotations: [{ from: 'May' }] })).toThrow(/annotations\[0\]\.from/);
  });

  /** The numbers of a path, or of the place of a text. */
  const numbersIn = (text = '') => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const pathOf = (mark = '') => numbersIn(/ d="([^"]*)"/.exec(mark)?.[1]);

  it('draws annual values above their years, and a note within its year', async () => {
    const points = [1990, 1991, 1992, 1993, 1994].map((at) => year(0, at, at === 1993 ? 10 : 8));
    const frame = longFrame({ series: SERIES.slice(0, 1), runs: runsOf(points) }, FRAME);
    const svg = await plotFrame(frame, { annotations: [{ from: '1993-07-02', text: 'flood' }] }).toSvg();
    const line = pathOf(drawnMarks(svg, 'line')[0]);
    const [note] = numbersIn(/translate\(([^)]*)\)[^>]*stroke-dasharray="5,3"/.exec(svg)?.[1]);
    const [label] = numbersIn(/translate\(([^)]*)\)[^>]*>1993<\/text>/.exec(svg)?.[1]);
    expect(note).toBeCloseTo(line[6]!, 0);
    expect(label).toBeCloseTo(line[6]!, 0);
  });

  it('starts axes of amounts at 0 where values come near it, and says where an axis does not', async () => {
    const lows = (values: readonly number[], unit_id = 7) =>
      plotFrame(
        longFrame(
          { series: SERIES.slice(0, 1), runs: runsOf(values.map((v, i) => year(0, 2000 + i, v, unit_id))) },
          FRAME,
        ),
      );
    const ticks = async (chart: ReturnType<typeof lows>) => await drawnTexts(chart);
    expect(await ticks(lows([2, 9]))).toEqual(expect.arrayContaining(['0', 'Yield (t/ha)']));
    const cut = await ticks(lows([8, 9]));
    expect(cut).toContain('Yield (t/ha) · the axis does not start at 0');
    expect(cut).not.toContain('0');
    expect((await ticks(lows([-1, 9]))).join()).not.toContain('does not start');
  });

  it('has the zeros of several axes at one height', async () => {
    const runs = runsOf([
      year(0, 2000, 8),
      year(0, 2001, 9),
      year(1, 2000, -300, 20),
      year(1, 2001, 900, 20),
    ]);
    const svg = await plotFrame(longFrame({ series: SERIES, runs }, FRAME), { axes: 'one' }).toSvg();
    const zeros = [...svg.matchAll(/translate\(([^)]*)\)[^>]*>0<\/text>/g)].map(
      ([, at]) => numbersIn(at)[1]!,
    );
    expect(zeros).toHaveLength(2);
    expect(zeros[0]).toBeCloseTo(zeros[1]!, 5);
  });

  it('draws sums of periods as bars from 0 over their periods', async () => {
    const days = Array.from({ length: 59 }, (_, day) => {
      const at = utcDay(2014, 1, 1 + day);
      return { series: 0, start: at, end: at, value: day < 31 ? 2 : 3 };
    });
    const daily = longFrame({ series: [seriesOf({ frequency_id: 1 })], runs: runsOf(days) }, FRAME);
    const svg = await plotFrame(daily.resample({ to: 'monthly', how: 'sum' })).toSvg();
    const bars = drawnMarks(svg, 'rect').map((bar) => {
      const [, , width, height] = pathOf(bar);
      return { width: width!, height: height! };
    });
    expect(bars).toHaveLength(2);
    expect(bars[0]!.height / bars[1]!.height).toBeCloseTo(62 / 84, 3);
    expect(bars[0]!.width / bars[1]!.width).toBeCloseTo(31 / 28, 2);
  });

  it('has years at the axis of a single annual value', async () => {
    const point = { series: SERIES.slice(0, 1), runs: runsOf([year(0, 2014, 9)]) };
    const texts = await drawnTexts(plotFrame(longFrame(point, FRAME)));
    expect(texts.filter((text) => /20|[A-Z][a-z]{2} /.test(text))).toEqual(['2013', '2014', '2015']);
  });

  it('says that values are smooth where they are', () => {
    const subtitle = (points: typeof POINTS) =>
      plotFrame(longFrame(points, FRAME), { smooth: 31 }).figure.subtitle;
    expect(subtitle(POINTS)).toBe('annual');
    expect(subtitle(MIXED)).toBe('31-day mean (original values drawn faintly)');
  });

  it('draws a line of trading days across weekends and holidays, and breaks it where a week is missing', async () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2025, 0, 6 + day)));
    const trading = days.filter((day) => ![0, 6].includes(day.getUTCDay()));
    const pieces = (dates: readonly Date[]) =>
      drawnPieces(plotFrame(fromRows(dates.map((day, i) => dayRow(day.toISOString().slice(0, 10), i)))));
    const isPresidentsDay = (day: Date) => day.getUTCMonth() === 1 && day.getUTCDate() === 17;
    expect(await pieces(trading.filter((day) => !isPresidentsDay(day)))).toEqual([1]);
    expect(await pieces([...trading.slice(0, 10), ...trading.slice(15)])).toEqual([2]);
    const withSaturday = [...trading.slice(0, 5), days[5]!, ...trading.slice(5)];
    expect((await pieces(withSaturday))[0]).toBeGreaterThan(5);
  });

  it('breaks the smooth line in a year without data, as the line itself', async () => {
    const days = Array.from({ length: 365 }, (_, day) => day);
    const daysOf = (year: number, value: number) =>
      days.map((day) => ({
        series: 0,
        start: utcDay(year, 1, 1 + day),
        end: utcDay(year, 1, 1 + day),
        value,
      }));
    const points = {
      series: [seriesOf({ frequency_id: 1 })],
      runs: runsOf([...daysOf(2010, 1), ...daysOf(2012, 3)]),
    };
    expect(await drawnPieces(plotFrame(longFrame(points, FRAME), { smooth: 31 }))).toEqual([2, 2]);
  });

  it('credits the sources of the drawn series alone, with their terms', async () => {
    const [source] = PROVENANCE.sources;
    const other = { ...source!, id: 99, name: 'Elsewhere' };
    const provenance = { ...PROVENANCE, sources: [{ ...source!, licence: 'Public domain' }, other] };
    const texts = await drawnTexts(plotFrame(longFrame(POINTS, { ...FRAME, provenance })));
    expect(texts.filter((text) => text.startsWith('Source'))).toEqual(['Source: USDA NASS (Public domain)']);
  });

  it('thins long series without losing a single extreme day, and says so', async () => {
    const days = Array.from({ length: 30_000 }, (_, day) => ({
      series: 0,
      start: day * DAY_MS,
      end: day * DAY_MS,
      value: day === 12_345 ? 60 : day === 20_001 ? -40 : Math.sin(day / 58),
    }));
    const points = { series: [seriesOf({ frequency_id: 1 })], runs: runsOf(days) };
    const chart = plotFrame(longFrame(points, FRAME));
    const { data } = chart.spec as unknown as { data: { values: { v: number }[] } };
    const values = data.values.map(({ v }) => v);
    expect(values.length).toBeLessThan(4_000);
    expect([Math.max(...values), Math.min(...values)]).toEqual([60, -40]);
    expect((await drawnTexts(chart)).join()).toMatch(/thinned: [\d,]+ of 30,000 points, extremes kept/);
    const few = { ...points, runs: runsOf(days.slice(0, 9_000)) };
    const thinnedIn = (width: number) => plotFrame(longFrame(few, FRAME), { width }).figure.subtitle;
    expect(thinnedIn(1_200)).not.toContain('thinned');
    expect(thinnedIn(600)).toMatch(/thinned: 1,\d+ of 9,000 points/);
  });

  it('draws an average over regions', async () => {
    const chart = plotFrame(weighRegions(longFrame(POINTS, FRAME), { how: 'sum', min_weight_present: 0 }));
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining([
        "Yield, sum of regions · Corn · Iowa, Côte d'Ivoire",
        'Yield, sum of regions (t/ha)',
      ]),
    );
  });

  it('finds the highlighted series by its whole name too', () => {
    const names = {
      ...NAMES,
      regions: new Map([
        [3, 'Ames station'],
        [6, 'Boone station'],
      ]),
    };
    const frame = longFrame(POINTS, { ...FRAME, names });
    for (const highlight of ['Ames', 'Ames station'])
      expect(() => plotFrame(frame, { highlight })).not.toThrow();
    expect(() => plotFrame(frame, { highlight: 'Nome' })).toThrow(/choose one of Ames, Boone/);
  });

  it('refuses a history, whose vintages are no line, and names what draws it', () => {
    const vintage = (value: number | null, reporting: string) => ({ ...year(0, 2012, value), reporting });
    const history = (...rows: Parameters<typeof runsOf>[0]) =>
      longFrame({ series: SERIES, runs: runsOf(rows) }, FRAME);
    const twice = history(vintage(8, '2013-01-10'), vintage(9, '2013-06-10'), year(1, 2012, 1));
    expect(() => plotFrame(twice)).toThrow(ArgumentError);
    expect(() => plotFrame(twice)).toThrow(
      /Iowa has several values for 2012-01-01 to 2012-12-31.*at_time.*plotRevisions/,
    );
    const half = { ...year(0, 2012, 5), start: '2012-07-01' };
    const nested = history(year(0, 2012, 8), year(0, 2012, 9), half);
    const parts = [nested.slice(0, 1), nested.slice(2), nested.slice(1, 2)];
    const apart = new Table(parts.flatMap(({ batches }) => batches));
    expect(() => plotFrame(apart)).toThrow(/has several values for/);
    const withdrawn = history(vintage(8, '2013-01-10'), vintage(null, '2013-06-10'));
    expect(() => plotFrame(withdrawn)).toThrow(/has several values for/);
    expect(() => plotFrame(history(vintage(8, '2013-01-10'), year(0, 2013, 9)))).not.toThrow();
  });

  it('draws rows in the order of their periods, whatever their order in the frame', () => {
    const rows = (table: Parameters<typeof plotFrame>[0]) =>
      (plotFrame(table).spec as unknown as { data: { values: object[] } }).data.values;
    const sorted = longFrame(
      { series: SERIES, runs: runsOf([2012, 2013, 2014].map((at) => year(0, at, at))) },
      FRAME,
    );
    const shuffled = sorted.slice(2).concat(sorted.slice(0, 2));
    expect(rows(shuffled)).toEqual(rows(sorted));
  });

  it('draws the columns of numbers of a join, and of any table with dates', async () => {
    const annual = wideFrame(POINTS, FRAME);
    const planted = fromRows([
      { year: 2012, planted: 5n },
      { year: 2014, planted: null },
      { year: 2015, planted: 7n },
    ]);
    const joined = annual.join(planted, { on: 'annual', right_date: 'year' });
    const texts = (await drawnTexts(plotFrame(joined))).join(' | ');
    for (const text of ['Yield · Corn, planted', 'planted (no unit)', 'Iowa']) expect(texts).toContain(text);

    const answer = fromRows([
      { end_date: new Date('2013-12-31'), rain: 3, region_id: 7, place: 'Ames' },
      { end_date: null, rain: 9, region_id: 7, place: 'Ames' },
      { end_date: new Date('2012-12-31'), rain: 2, region_id: 7, place: 'Ames' },
    ]);
    const { spec } = plotFrame(answer);
    const { values } = (spec as unknown as { data: { values: { v: number }[] } }).data;
    expect(values.map(({ v }) => v)).toEqual([2, 3]);
  });

  it('writes a long source in lines: one would leave the panel no room', async () => {
    const svg = await plotFrame(longFrame(POINTS, FRAME), {
      source: 'a source of many words '.repeat(30),
    }).toSvg();
    const lengths = [...svg.matchAll(/x2="(\d+)/g)].map(([, x]) => Number(x));
    expect(Math.max(...lengths)).toBeGreaterThan(500);
    expect(svg.match(/many words/g)!.length).toBeGreaterThan(20);
  });

  it('refuses a table that is not a frame of dates and values', () => {
    const rows = [{ region_name: 'Iowa', value: 1 }];
    expect(() => plotFrame(fromRows(rows))).toThrow(ArgumentError);
    expect(() => plotFrame(fromRows(rows))).toThrow(
      /it has no column end_date, or no column of numbers beside it/,
    );
  });
});
