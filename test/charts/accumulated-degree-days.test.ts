import { describe, expect, it } from 'vitest';
import { climatologyOf } from '../../src/agronomy/degree-days/climatology.js';
import { degreeDays } from '../../src/agronomy/degree-days/degree-days.js';
import {
  type AccumulatedPlotOptions,
  type PlottedSeason,
  plotAccumulatedDegreeDays,
} from '../../src/charts/accumulated-degree-days.js';
import { ArgumentError } from '../../src/model/errors.js';
import { parseSvg } from './well-formed.js';

/** 153 days of equal temperature. */
function season(year: number, warmth: number, start = `${year}-05-01`): PlottedSeason {
  const tmin = new Float64Array(153).fill(10 + warmth);
  const tmax = new Float64Array(153).fill(20 + warmth);
  return degreeDays({ tmin, tmax, base: 10, cap: 30, method: 'single-sine', start });
}

const SEASONS = [2010, 2011, 2012].map((year, i) => season(year, i));

describe('plotAccumulatedDegreeDays', () => {
  it('labels every season with its total, and names the rule', () => {
    const svg = plotAccumulatedDegreeDays(SEASONS, {
      title: 'Heat <of> Ames & "beyond"',
      source: 'station A',
    });
    const contents = parseSvg(svg);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 860 520"/);
    expect(contents.get('desc')).toEqual([
      'Heat &lt;of&gt; Ames &amp; &quot;beyond&quot;. Single sine, base 10 °C, cap 30 °C, horizontal cut-off. Totals in °C·day: 2010: 765, 2011: 918, 2012: 1071.',
    ]);
    expect(contents.get('title')![0]).toBe('Heat &lt;of&gt; Ames &amp; &quot;beyond&quot;');
    expect(contents.get('text')).toEqual(
      expect.arrayContaining([
        '2010 · 765',
        '2011 · 918',
        '2012 · 1,071',
        'Accumulated degree days (°C·day)',
        'Single sine, base 10 °C, cap 30 °C, horizontal cut-off',
        'Source: station A',
        'May',
        'Sep',
      ]),
    );
  });

  it('names the regions and sources of the seasons, without the words that all names share', () => {
    const of = (place: string, year: number): PlottedSeason => ({
      ...season(year, year - 2010),
      region_name: `${place} weather station`,
      tmin_series: { source_name: 'NOAA' },
    });
    const two = parseSvg(plotAccumulatedDegreeDays([of('Ames', 2010), of('Sioux City', 2011)]));
    expect(two.get('text')).toEqual(
      expect.arrayContaining(['Ames 2010 · 765', 'Sioux City 2011 · 918', 'Source: NOAA']),
    );
    const one = parseSvg(
      plotAccumulatedDegreeDays([of('Ames', 2010), { ...of('Ames', 2011), label: 'last' }]),
    );
    expect(one.get('text')).toEqual(expect.arrayContaining(['2010 · 765', 'last · 918']));
  });

  it('places all labels within the chart, without overlap', () => {
    const close = Array.from({ length: 14 }, (_, i) => season(2000 + i, i / 1000));
    const svg = plotAccumulatedDegreeDays(close);
    const labels = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>(\d{4}) · /g)];
    expect(labels.map(([, , , year]) => year).sort()).toEqual(close.map((_, i) => String(2000 + i)));
    const heights = labels.map(([, , y]) => Number(y)).sort((a, b) => a - b);
    heights.slice(1).forEach((height, i) => {
      expect(height - heights[i]!).toBeGreaterThanOrEqual(14.9);
    });
    for (const [, x] of labels) expect(Number(x)).toBeLessThan(860 - 60);
  });

  it('labels only the highest, the lowest and the highlighted of many lines', () => {
    const many = Array.from({ length: 20 }, (_, i) => season(2000 + i, (i * 7) % 20));
    const texts = parseSvg(plotAccumulatedDegreeDays(many, { highlight: '2005' })).get('text')!;
    const named = texts.filter((text) => text.includes(' · ')).map((text) => text.slice(0, 4));
    expect(named.sort()).toEqual(['2000', '2005', '2017']);
  });

  it('shows a season against the climatology', () => {
    const climatology = climatologyOf(
      SEASONS.map(({ interval, accumulated }) => ({ start: interval!.start_date, values: accumulated })),
    );
    const svg = plotAccumulatedDegreeDays([season(2020, 3)], { climatology });
    const contents = parseSvg(svg);
    expect(contents.get('text')).toEqual(
      expect.arrayContaining([
        '10th to 90th percentile',
        '25th to 75th percentile',
        'Median',
        '2020 · 1,224',
      ]),
    );
    const july = season(2020, 1, '2020-07-01');
    expect(() => plotAccumulatedDegreeDays([july], { climatology })).toThrow(
      /the climatology begins on 05-01, the seasons on 07-01/,
    );
  });

  it('counts days without dates, and uses given labels', () => {
    const undated = SEASONS.map((one, i) => ({ ...one, interval: null, label: `Field ${i}` }));
    const texts = parseSvg(plotAccumulatedDegreeDays(undated)).get('text')!;
    expect(texts).toEqual(expect.arrayContaining(['Days from the start', 'Field 1 · 918', '100']));
  });

  it.each<[what: string, seasons: PlottedSeason[], options: AccumulatedPlotOptions, message: RegExp]>([
    ['no season', [], {}, /give at least one season/],
    ['different rules', [SEASONS[0]!, { ...SEASONS[1]!, base: 8 }], {}, /give seasons of one rule/],
    [
      'different units',
      [SEASONS[0]!, { ...SEASONS[1]!, temperature_unit: 'fahrenheit' }],
      {},
      /give seasons of one rule/,
    ],
    ['different beginnings', [SEASONS[0]!, season(2013, 1, '2013-04-01')], {}, /begin on different days/],
    ['some without dates', [SEASONS[0]!, { ...SEASONS[1]!, interval: null }], {}, /2010-05-01, no date/],
    [
      'an unknown highlight',
      SEASONS,
      { highlight: '1999' },
      /nothing is labelled "1999"; choose one of 2010/,
    ],
  ])('refuses %s', (_what, seasons, options, message) => {
    const attempt = () => plotAccumulatedDegreeDays(seasons, options);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});
