import { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { weighRegions } from '../../src/agronomy/weighting/weigh-regions.js';
import '../../src/charts/frame-methods.js';
import type { FramePlotOptions } from '../../src/charts/chart.js';
import { plotFrame } from '../../src/charts/frame.js';
import { plotYears } from '../../src/charts/years.js';
import { longFrame } from '../../src/frame/build/long.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import type { LongFrame } from '../../src/frame/frame.js';
import { ArgumentError } from '../../src/model/errors.js';
import { ofAnyFrequency } from '../../src/model/series.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../frame/points.js';
import { annual, daily, longOf, monthly, wideOf } from '../frame/verbs.js';
import { dayRow } from './day-row.js';
import { drawnMarks, drawnPieces, drawnTexts, svgOf } from './drawn.js';

const YIELDS = [
  [{}, annual(2012, [8, null, 9, 9.5])],
  [{ region_id: 6 }, annual(2013, [2, 2.5])],
] as const;

/** A daily series with one gap of forty days, and monthly values over the same time. */
const waves = Array.from({ length: 700 }, (_, day) => (day >= 200 && day < 240 ? null : Math.sin(day / 9)));
const MIXED = [
  [{ frequency_id: 1 }, daily('2014-01-01', waves).filter(([, , value]) => value !== null)],
  [{ frequency_id: 6, item_id: 9 }, monthly('2014-01', [...Array(23).keys()])],
] as const;

const plotOf = (options: FramePlotOptions, ...series: Parameters<typeof longOf>) =>
  plotFrame(longOf(...series), options);

describe('plotFrame', () => {
  it.each([plotFrame, plotYears])('says above an average of regions which of them it lacks', async (draw) => {
    const texts = async (second: number | null) => {
      const regions = longOf([{}, annual(2012, [8, 9])], [{ region_id: 6 }, annual(2012, [second, 9])]);
      const average = weighRegions(regions, { min_weight_present: 0.5 });
      return (await drawnTexts(draw(average, { subtitle: 'Corn Belt' }))).join(' ');
    };
    expect(await texts(null)).toContain(
      '1 of 2 periods have regions without a value (at least 50% of the weight has a value)',
    );
    expect(await texts(8)).not.toMatch(/regions without a value|weight_present/);
  });

  it.each([
    ['long', longOf(...YIELDS)],
    ['wide', wideOf(...YIELDS)],
  ])('draws the series of a %s frame by what the frame says of itself', async (_shape, table) => {
    const chart = table.plot();
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['Yield · Corn', 'annual', 'Yield (t/ha)', 'Iowa', "Côte d'Ivoire"]),
    );
    expect(await drawnPieces(chart)).toEqual([2, 1]);
  });

  it.each([
    ['long', longOf(...MIXED)],
    ['wide', wideOf(...MIXED)],
  ])('breaks lines of a %s frame at gaps of their own, not at dates of other series', async (_, table) => {
    const [steps, days] = await drawnPieces(plotFrame(table));
    expect({ steps, days }).toEqual({ steps: 1, days: 2 });
  });

  const units = (count: number, unit = (at: number) => 20 + at) =>
    longOf(
      ...Array.from(
        { length: count },
        (_, i) => [{ region_id: 10 + i, unit_id: unit(i) }, annual(2012, [i + 1])] as const,
      ),
    );

  it('has a panel for each unit, and refuses more than can be read', async () => {
    const axesOf = async (options: FramePlotOptions) => {
      const svg = await svgOf(plotFrame(units(3), { annotations: [{ value: 3 }], ...options }));
      const titles = svg.match(/(?<=aria-label="Y-axis titled ')[^']*/g)!;
      return titles.map((title) => title.replace(' · the axis does not start at 0', '')).sort();
    };
    const titles = ['Yield (unit 20)', 'Yield (unit 21)', 'Yield (unit 22)'];
    expect(await axesOf({})).toEqual(titles);
    expect(await axesOf({ scale: 'log' })).toEqual(titles.map((title) => `${title} · logarithmic`));
    expect(() => plotFrame(units(9))).toThrow(/9 series in 9 units cannot be told apart/);
  });

  it('has a legend in each panel where the names of its lines have no room', async () => {
    const chart = plotFrame(units(3), { height: 200 });
    const legends = (await svgOf(chart)).split('role-legend-symbol').slice(1);
    const colours = legends.map((legend) => /stroke="(#\w+)"/.exec(legend)?.[1]);
    expect(colours).toEqual(chart.figure.colours);
  });

  it('draws annotations and a smooth line', async () => {
    const band = { from: '2014-03-01', to: '2014-04-01', text: 'wet <spring>' };
    const chart = plotOf({ smooth: 30, annotations: [band, { value: 0.5 }] }, ...MIXED);
    const svg = await svgOf(chart);
    expect(drawnMarks(svg, 'rect')).toHaveLength(1);
    expect(svg.match(/stroke-dasharray="5,3"/g)).toHaveLength(1);
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['wet &lt;spring&gt;', '30-day mean (original values drawn faintly)']),
    );
    expect(() => plotOf({ annotations: [{ from: 'May' }] }, ...MIXED)).toThrow(/annotations\[0\]\.from/);
  });

  it('keeps the colour of each series whatever else is drawn', () => {
    const series = [seriesOf(), seriesOf({ region_id: 6 }), seriesOf({ item_id: 9 })];
    const coloursIn = (points: LongFrame) =>
      plotFrame(points, { places: series.map(ofAnyFrequency) }).figure.colours;
    const whole = longOf(...series.map((one, at) => [one, annual(2012, [at + 1])] as const));
    const all = coloursIn(whole);
    expect(new Set(all).size).toBe(3);
    expect(coloursIn(whole.rollingMean({ window: { years: 1 } }))).toEqual(all);
    expect(coloursIn(whole.slice(1))).toEqual(all.slice(1));
  });

  /** The numbers of a path, or of the place of a text. */
  const numbersIn = (text = '') => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const pathOf = (mark = '') => numbersIn(/ d="([^"]*)"/.exec(mark)?.[1]);

  it('draws annual values above their years, and a note within its year', async () => {
    const annotations = [{ from: '1993-07-02', text: 'flood' }];
    const svg = await svgOf(plotOf({ annotations }, [{}, annual(1990, [8, 8, 8, 10, 8])]));
    const line = pathOf(drawnMarks(svg, 'line')[0]);
    const [note] = numbersIn(/translate\(([^)]*)\)[^>]*stroke-dasharray="5,3"/.exec(svg)?.[1]);
    const [label] = numbersIn(/translate\(([^)]*)\)[^>]*>1993<\/text>/.exec(svg)?.[1]);
    expect(note).toBeCloseTo(line[6]!, 0);
    expect(label).toBeCloseTo(line[6]!, 0);
  });

  it('starts axes of amounts at 0 where values come near it, and says where an axis does not', async () => {
    const texts = (...values: number[]) => drawnTexts(plotOf({}, [{}, annual(2000, values)]));
    expect(await texts(2, 9)).toEqual(expect.arrayContaining(['0', 'Yield (t/ha)']));
    const cut = await texts(8, 9);
    expect(cut).toContain('Yield (t/ha) · the axis does not start at 0');
    expect(cut).not.toContain('0');
    expect((await texts(-1, 9)).join()).not.toContain('does not start');
  });

  it('draws sums of periods as bars from 0 over their periods', async () => {
    const days = Array.from({ length: 59 }, (_, day) => (day < 31 ? 2 : 3));
    const sums = longOf([{ frequency_id: 1 }, daily('2014-01-01', days)]).resample({
      to: 'monthly',
      how: 'sum',
    });
    const bars = drawnMarks(await svgOf(plotFrame(sums)), 'rect').map((bar) => {
      const [, , width, height] = pathOf(bar);
      return { width: width!, height: height! };
    });
    expect(bars).toHaveLength(2);
    expect(bars[0]!.height / bars[1]!.height).toBeCloseTo(62 / 84, 3);
    expect(bars[0]!.width / bars[1]!.width).toBeCloseTo(31 / 28, 2);
  });

  it('has years at the axis of a single annual value', async () => {
    const texts = await drawnTexts(plotOf({}, [{}, annual(2014, [9])]));
    expect(texts.filter((text) => /20|[A-Z][a-z]{2} /.test(text))).toEqual(['2013', '2014', '2015']);
  });

  it('says that values are smooth where they are', () => {
    expect(plotOf({ smooth: 31 }, ...YIELDS).figure.subtitle).toBe('annual');
    expect(plotOf({ smooth: 31 }, ...MIXED).figure.subtitle).toBe(
      '31-day mean (original values drawn faintly)',
    );
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
    const year = (value: number) => new Array(365).fill(value);
    const points = [...daily('2010-01-01', year(1)), ...daily('2012-01-01', year(3))];
    expect(await drawnPieces(plotOf({ smooth: 31 }, [{ frequency_id: 1 }, points]))).toEqual([2, 2]);
  });

  it('credits the sources of the drawn series alone, with their terms', async () => {
    const [source] = PROVENANCE.sources;
    const sources = [
      { ...source!, licence: 'Public domain' },
      { ...source!, id: 99, name: 'Elsewhere' },
    ];
    const texts = await drawnTexts(plotFrame(longOf(...YIELDS).withProvenance({ ...PROVENANCE, sources })));
    expect(texts.filter((text) => text.startsWith('Source'))).toEqual(['Source: USDA NASS (Public domain)']);
    const unknown = { ...PROVENANCE, sources: [{ ...source!, licence: 'unknown' }] };
    expect(plotFrame(longOf(...YIELDS).withProvenance(unknown)).figure.source).toBe(
      'Source: USDA NASS (licence not stated)',
    );
  });

  it('thins long series without losing a single extreme day, and says so', () => {
    const extremes = new Map([
      [12_345, 60],
      [20_001, -40],
    ]);
    const days = Array.from({ length: 30_000 }, (_, day) => extremes.get(day) ?? Math.sin(day / 58));
    const chart = plotOf({}, [{ frequency_id: 1 }, daily('1970-01-01', days)]);
    const { data } = chart.spec as unknown as { data: { values: { v: number }[] } };
    const values = data.values.map(({ v }) => v);
    expect(values.length).toBeLessThan(4_000);
    expect([Math.max(...values), Math.min(...values)]).toEqual([60, -40]);
    expect(chart.figure.subtitle).toMatch(/thinned: [\d,]+ of 30,000 points, extremes kept/);
    const few = longOf([{ frequency_id: 1 }, daily('1970-01-01', days.slice(0, 9_000))]);
    const thinnedIn = (width: number) => plotFrame(few, { width }).figure.subtitle;
    expect(thinnedIn(1_200)).not.toContain('thinned');
    expect(thinnedIn(600)).toMatch(/thinned: 1,\d+ of 9,000 points/);
  });

  it('draws an average over regions', async () => {
    const chart = plotFrame(weighRegions(longOf(...YIELDS), { how: 'sum', min_weight_present: 0 }));
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining([
        "Yield, sum of regions · Corn · Iowa, Côte d'Ivoire",
        'Yield, sum of regions (t/ha)',
      ]),
    );
  });

  it('refuses a history, whose vintages are no line, and names what draws it', () => {
    const year = (at: number, value: number | null, more = {}) => ({
      ...{ series: 0, start: `${at}-01-01`, end: `${at}-12-31`, value },
      ...more,
    });
    const history = (...rows: Parameters<typeof runsOf>[0]) =>
      longFrame({ series: [seriesOf(), seriesOf({ region_id: 6 })], runs: runsOf(rows) }, { names: NAMES });
    const [first, second] = [{ reporting: '2013-01-10' }, { reporting: '2013-06-10' }];
    const twice = history(year(2012, 8, first), year(2012, 9, second), year(2012, 1, { series: 1 }));
    expect(() => plotFrame(twice)).toThrow(ArgumentError);
    expect(() => plotFrame(twice)).toThrow(
      /Iowa has several values for 2012-01-01 to 2012-12-31.*at_time.*plotRevisions/,
    );
    const nested = history(year(2012, 8), year(2012, 9), year(2012, 5, { start: '2012-07-01' }));
    const parts = [nested.slice(0, 1), nested.slice(2), nested.slice(1, 2)];
    const apart = new Table(parts.flatMap(({ batches }) => batches));
    expect(() => plotFrame(apart)).toThrow(/has several values for/);
    const withdrawn = history(year(2012, 8, first), year(2012, null, second));
    expect(() => plotFrame(withdrawn)).toThrow(/has several values for/);
    expect(() => plotFrame(history(year(2012, 8, first), year(2013, 9)))).not.toThrow();
  });

  it('draws rows in the order of their periods, whatever their order in the frame', () => {
    const rows = (table: Parameters<typeof plotFrame>[0]) =>
      (plotFrame(table).spec as unknown as { data: { values: object[] } }).data.values;
    const sorted = longOf([{}, annual(2012, [2012, 2013, 2014])]);
    const shuffled = sorted.slice(2).concat(sorted.slice(0, 2));
    expect(rows(shuffled)).toEqual(rows(sorted));
  });

  it('draws the columns of numbers of a join, and of any table with dates', async () => {
    const planted = fromRows([
      { year: 2012, planted: 5n },
      { year: 2014, planted: null },
      { year: 2015, planted: 7n },
    ]);
    const joined = wideOf(...YIELDS).join(planted, { on: 'annual', right_date: 'year' });
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
    const svg = await svgOf(plotOf({ source: 'a source of many words '.repeat(30) }, ...YIELDS));
    const lengths = [...svg.matchAll(/x2="(\d+)/g)].map(([, x]) => Number(x));
    expect(Math.max(...lengths)).toBeGreaterThan(500);
    expect(svg.match(/many words/g)!.length).toBeGreaterThan(20);
  });

  it('refuses a table that is not a frame of dates and values', () => {
    const plain = () => plotFrame(fromRows([{ region_name: 'Iowa', value: 1 }]));
    expect(plain).toThrow(ArgumentError);
    expect(plain).toThrow(/it has no column end_date, or no column of numbers beside it/);
  });
});
