import { describe, expect, it } from 'vitest';
import { climatologyOf } from '../../src/agronomy/degree-days/climatology.js';
import { degreeDays } from '../../src/agronomy/degree-days/degree-days.js';
import {
  type AccumulatedPlotOptions,
  type PlottedSeason,
  plotAccumulatedDegreeDays,
} from '../../src/charts/accumulated-degree-days.js';
import { ArgumentError } from '../../src/model/errors.js';
import { boundsOf, drawnMarks, drawnTexts, expectOwnNames } from './drawn.js';

/** 153 days of equal temperature. */
function season(year: number, warmth: number, start = `${year}-05-01`): PlottedSeason {
  const [tmin, tmax] = [10, 20].map((value) => new Float64Array(153).fill(value + warmth));
  const rule = { base_temperature: 10, upper_temperature_cap: 30, method: 'single-sine' } as const;
  return degreeDays({ tmin: tmin!, tmax: tmax!, ...rule, start_date: start });
}

const SEASONS = [2010, 2011, 2012].map((year, i) => season(year, i));

describe('plotAccumulatedDegreeDays', () => {
  it('labels every season with its total, and names the rule', async () => {
    const chart = plotAccumulatedDegreeDays(SEASONS, { title: 'Heat of Ames', source: 'station A' });
    expect(chart.spec.description).toBe(
      'Heat of Ames. Single sine, base 10 °C, cap 30 °C, horizontal cut-off. Totals in °C·day: 2010: 765, 2011: 918, 2012: 1071.',
    );
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(
        (
          'Heat of Ames|2010 · 765|2011 · 918|2012 · 1,071|Accumulated degree days (°C·day)|' +
          'Single sine, base 10 °C, cap 30 °C, horizontal cut-off|Source: station A|May|Sep'
        ).split('|'),
      ),
    );
    expectOwnNames(chart);
  });

  it('draws the last season thick before a climatology, and the others thin', async () => {
    const widths = async (options: AccumulatedPlotOptions) =>
      drawnMarks(await plotAccumulatedDegreeDays(SEASONS, options).toSvg(), 'line').map(
        (line) => /stroke-width="([^"]+)"/.exec(line)?.[1],
      );
    const climatology = climatologyOf(
      SEASONS.map(({ accumulated, interval }) => ({ start_date: interval!.start_date, values: accumulated })),
    );
    expect((await widths({ climatology })).slice(-3)).toEqual(['1.2', '1.2', '2.5']);
    expect(await widths({})).toEqual(['2', '2', '2']);
  });

  it('gives a region its colour and its seasons dashes of their own, and credits their sources', async () => {
    const of = (place: string, year: number): PlottedSeason => ({
      ...season(year, year - 2010),
      region_name: `${place} weather station`,
      tmin_series: { source_name: 'NOAA' },
    });
    const two = plotAccumulatedDegreeDays([of('Ames', 2010), of('Ames', 2011), of('Sioux City', 2011)]);
    expect(await drawnTexts(two)).toEqual(
      expect.arrayContaining(['Ames 2010 · 765', 'Ames 2011 · 918', 'Sioux City 2011 · 918', 'Source: NOAA']),
    );
    const lines = drawnMarks(await two.toSvg(), 'line');
    const of1 = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]);
    const [colours, dashes] = [of1(/stroke="([^"]+)"/), of1(/stroke-dasharray="([^"]+)"/)];
    expect(colours[0]).toBe(colours[1]);
    expect(colours[2]).not.toBe(colours[0]);
    expect(dashes[1]).not.toBe(dashes[0]);
    const one = await drawnTexts(
      plotAccumulatedDegreeDays([of('Ames', 2010), { ...of('Ames', 2011), label: 'last' }]),
    );
    expect(one).toEqual(expect.arrayContaining(['2010 · 765', 'last · 918']));
  });

  it('shows a season against the climatology', async () => {
    const climatology = climatologyOf(
      SEASONS.map(({ interval, accumulated }) => ({ start_date: interval!.start_date, values: accumulated })),
    );
    const chart = plotAccumulatedDegreeDays([season(2020, 3)], { climatology });
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(
        '10th to 90th percentile|25th to 75th percentile|Median|2020 · 1,224'.split('|'),
      ),
    );
    const july = season(2020, 1, '2020-07-01');
    expect(() => plotAccumulatedDegreeDays([july], { climatology })).toThrow(
      /the climatology begins on 05-01, but the seasons begin on 07-01/,
    );
  });

  it('names more seasons than have room at the ends of lines in a legend within the chart', async () => {
    const many = Array.from({ length: 16 }, (_, i) => ({
      ...season(1998 + i, i / 4),
      label: `Upper field ${1998 + i}`,
    }));
    const chart = plotAccumulatedDegreeDays(many);
    const texts = (await drawnTexts(chart)).filter((text) => text.includes(' · '));
    expect(texts).toHaveLength(16);
    for (const { x2 } of await boundsOf(chart, 'legend')) expect(x2).toBeLessThan(860 - 60);
  });

  it('uses given labels', async () => {
    const named = SEASONS.map((one, i) => ({ ...one, label: `Field ${i}` }));
    expect(await drawnTexts(plotAccumulatedDegreeDays(named))).toContain('Field 1 · 918');
  });

  const [first, second] = SEASONS as [PlottedSeason, PlottedSeason];

  it.each<[what: string, seasons: PlottedSeason[], message: RegExp]>([
    ['no season', [], /pass at least one season/],
    ['different rules', [first, { ...second, base_temperature: 8 }], /with the same settings/],
    [
      'different units',
      [first, { ...second, temperature_unit: 'fahrenheit' }],
      /pass seasons computed with the same settings/,
    ],
    ['different beginnings', [first, season(2013, 1, '2013-04-01')], /begin on different days/],
    ['some without dates', [first, { ...second, interval: null }], /2010-05-01, no date/],
  ])('refuses %s', (_what, seasons, message) => {
    const attempt = () => plotAccumulatedDegreeDays(seasons);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});
