import { describe, expect, it } from 'vitest';
import { frameLines } from '../../src/charts/frame.js';
import { writerIn } from '../../src/charts/language.js';
import { COLOURS } from '../../src/charts/theme.js';
import { plotUsualYear, plotYears, usualYearLines } from '../../src/charts/years.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { longOf } from '../frame/verbs.js';
import { dayRow as row } from './day-row.js';
import { drawnMarks, drawnTexts } from './drawn.js';

const ROWS = [row('2019-02-28', 1), row('2019-03-01', 2), row('2020-02-29', 3), row('2020-03-01', 4)];

type Drawn = { data: { values: { s: number; t: number; v: number | null }[] } };
const drawn = (rows: Parameters<typeof fromRows>[0]) =>
  (plotYears(fromRows(rows)).spec as unknown as Drawn).data.values
    .filter(({ v }) => v !== null)
    .map(({ s, t, v }) => [s, new Date(t).toISOString().slice(0, 10), v]);

describe('plotYears', () => {
  it('draws the same day of each year at the same place, whether or not a year has 29 February', () => {
    expect(drawn(ROWS)).toEqual([
      [0, '2000-02-28', 1],
      [0, '2000-03-01', 2],
      [1, '2000-02-29', 3],
      [1, '2000-03-01', 4],
    ]);
  });

  it('names the years of one series, and the series where there are several', async () => {
    expect(await drawnTexts(plotYears(fromRows(ROWS)))).toEqual(expect.arrayContaining(['2019', '2020']));
    const several = plotYears(fromRows([...ROWS, row('2020-01-01', 5, 9)]));
    expect(await drawnTexts(several)).toEqual(expect.arrayContaining(['Iowa &lt;1&gt; 2020', 'Ohio 2020']));
  });

  it('does not break a daily line at the 29 February that a year lacks', () => {
    const days = (dates: readonly string[]) => fromRows(dates.map((day) => row(day, 1)));
    const breaks = (dates: readonly string[]) =>
      (plotYears(days(dates)).spec as unknown as Drawn).data.values.filter(({ v }) => v === null).length;
    expect(breaks(['2019-02-27', '2019-02-28', '2019-03-01'])).toBe(0);
    expect(breaks(['2020-02-27', '2020-02-28', '2020-03-01'])).toBe(1);
    expect(breaks(['2019-02-26', '2019-02-28', '2019-03-01'])).toBe(1);
  });

  it('draws the latest year thick, and the others thin', async () => {
    const rows = [2017, 2018, 2019, 2020].flatMap((year) => [
      row(`${year}-01-01`, year),
      row(`${year}-01-02`, 1),
    ]);
    const widths = async (frame: Parameters<typeof fromRows>[0]) =>
      drawnMarks(await plotYears(fromRows(frame)).toSvg(), 'line').map(
        (line) => /stroke-width="([^"]+)"/.exec(line)?.[1],
      );
    expect(await widths(rows)).toEqual(['1', '1', '1', '2.4']);
    const others = rows.map((one) => ({ ...one, region_id: 9 }));
    expect(await widths([...rows, ...others])).toEqual(['1', '1', '1', '2.4', '1', '1', '1', '2.4']);
    // A series that ends a year earlier has a latest year too.
    const shorter = [...rows, ...others.slice(0, -2)];
    expect(await widths(shorter)).toEqual(['1', '1', '1', '2.4', '1', '1', '2.4']);
    const texts = await drawnTexts(plotYears(fromRows(shorter)));
    expect(texts).toEqual(
      expect.arrayContaining([expect.stringMatching(/2020$/), expect.stringMatching(/2019$/)]),
    );
  });

  it('continues the weeks of the latest year, from each of which the usual range has one value of each year', () => {
    const weeks = [2016, 2017, 2018, 2019].flatMap((year) => {
      const monday = (8 - new Date(Date.UTC(year, 0, 1)).getUTCDay()) % 7;
      return Array.from({ length: year === 2019 ? 20 : 52 }, (_, week) => {
        const start = Date.UTC(year, 0, 1 + monday + 7 * week);
        const [start_date, end_date] = [start, start + 6 * 86_400_000].map((ms) => new Date(ms));
        return { ...row('2020-01-01', week + year / 10_000), frequency_id: 3, start_date, end_date };
      });
    });
    const { lines } = plotUsualYear(fromRows(weeks)).figure;
    const [latest, median] = lines as [(typeof lines)[number], (typeof lines)[number]];
    expect(latest.value).toHaveLength(20);
    const after = [...median.start].filter((start) => start > latest.end.at(-1)!);
    expect(after.length).toBeGreaterThan(30);
    expect(after.length).toBeLessThan(34);
    const days = after.slice(1).map((start, i) => (start - after[i]!) / 86_400_000);
    expect(new Set(days)).toEqual(new Set([7]));
    expect(median.value.every(Number.isFinite)).toBe(true);
  });

  it('thins more points than are allowed, and says so', async () => {
    const hours = Array.from({ length: 3_000 }, (_, hour) => {
      const end_date = new Date(Date.UTC(2020, 0, 1, hour)).toISOString();
      return { ...row('2020-01-01', hour % 24), start_date: end_date, end_date };
    });
    const said = (await drawnTexts(plotYears(fromRows(hours), { max_points: 1_000 }))).join();
    const points = Number(/thinned: (\d+) of 3,000 points, extremes kept/.exec(said)?.[1]);
    expect(points, said).toBeGreaterThan(500);
    expect(points).toBeLessThan(1_001);
  });

  it('draws the latest year against the percentiles of the others', async () => {
    const rows = [2015, 2016, 2017, 2018, 2019].flatMap((year, i) =>
      [1, 2, 3].map((month) => row(`${year}-0${month}-15`, 10 * month + i)),
    );
    const chart = plotUsualYear(fromRows(rows));
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['2019', 'median of 2015 to 2018', '10th to 90th percentile of 2015 to 2018']),
    );
    const [area] = (chart.spec as unknown as { layer: Drawn[] }).layer.slice(0, 1) as unknown as {
      data: { values: { v: number; high: number }[] };
    }[];
    // The values of January are 10 to 13.
    expect(area!.data.values[0]!.v).toBeCloseTo(10.3);
    expect(area!.data.values[0]!.high).toBeCloseTo(12.7);
    expect(chart.figure.colours[0]).toBe(COLOURS[0]);
    // A page shows the usual range at the cursor, beside the latest year.
    expect(chart.figure.labels).toEqual([
      '2019',
      'median of 2015 to 2018',
      '10th percentile',
      '90th percentile',
    ]);
    const values = chart.figure.lines.map(({ value }) => value[0]);
    expect(values[0]).toBe(14);
    for (const [at, usual] of [11.5, 10.3, 12.7].entries()) expect(values[at + 1]).toBeCloseTo(usual);
    // The table has the dates of the latest year.
    const table = usualYearLines(frameLines(fromRows(rows)));
    expect(table.map(({ label }) => label)).toEqual(chart.figure.labels);
    for (const [at, { start, value }] of table.entries()) {
      expect([...start].map((ms) => new Date(ms).toISOString().slice(0, 10))[1]).toBe('2019-02-15');
      expect(value[0]).toBe(values[at]);
    }
    const few = frameLines(fromRows(ROWS));
    expect(usualYearLines(few)).toBe(few);
    // The earlier years have no values in the last month.
    const gap = usualYearLines(frameLines(fromRows([...rows, row('2019-07-15', 7)])));
    expect(gap.map(({ value }) => value.at(-1))).toEqual([7, Number.NaN, Number.NaN, Number.NaN]);
    expect(() => plotUsualYear(fromRows(ROWS))).toThrow(
      /requires 3 years before the latest, but there are 1/,
    );
  });

  it('lists the latest year first, and names a period of any year', () => {
    const write = writerIn(['en-GB']);
    const periodsOf = ({ figure }: ReturnType<typeof plotYears>) =>
      figure.lines.map(({ start, end }) => write.periodOfYear(start.at(-1)!, end.at(-1)!));
    const years = [2016, 2017, 2018, 2019];
    const ofYears = (frequency_id: number, from: string, to: string) =>
      longOf([{ frequency_id }, years.map((year, at) => [`${year}-${from}`, `${year}-${to}`, at] as const)]);
    const monthly = ofYears(6, '06-01', '06-30');
    expect(plotYears(monthly).figure.labels).toEqual(['2019', '2018', '2017', '2016']);
    expect(plotYears(monthly).figure.lines.map(({ value }) => [...value])).toEqual([[3], [2], [1], [0]]);
    expect(periodsOf(plotYears(monthly))).toEqual(Array(4).fill('June'));
    expect(periodsOf(plotUsualYear(monthly))).toEqual(Array(4).fill('June'));
    expect(periodsOf(plotUsualYear(ofYears(7, '04-01', '06-30')))).toEqual(Array(4).fill('April to June'));
    expect(periodsOf(plotUsualYear(ofYears(3, '06-10', '06-16')))).toEqual(Array(4).fill('week of 10 June'));
    expect(periodsOf(plotUsualYear(ofYears(1, '02-28', '02-28')))).toEqual(Array(4).fill('28 February'));
  });

  it('refuses frames without values, and of several units', () => {
    expect(() => plotYears(fromRows([row('2020-01-01', null)]))).toThrow(/it has no values to draw/);
    expect(() => plotYears(fromRows([...ROWS, { ...row('2020-01-01', 5, 9), unit_id: 8 }]))).toThrow(
      /draw only series with the same unit/,
    );
  });
});
