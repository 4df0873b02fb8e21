import { describe, expect, it } from 'vitest';
import { plotSeries } from '../../src/charts/series.js';
import { ArgumentError } from '../../src/model/errors.js';
import { parseSvg } from './well-formed.js';

const end_date = BigInt64Array.from([2012, 2013, 2014], (year) => BigInt(Date.UTC(year, 11, 31)));
const IOWA = { label: 'Iowa <1>', end_date, value: Float64Array.of(137, 164, 178) };
const OHIO = { label: 'Ohio', end_date, value: Float64Array.of(120, Number.NaN, 176) };
const OPTIONS = { title: 'Corn yield', measure: 'Yield', unit: 'bu/ac' };

describe('plotSeries', () => {
  it('labels each series and the axes, with the unit', () => {
    const contents = parseSvg(plotSeries([IOWA, OHIO], { ...OPTIONS, source: 'USDA NASS' }));
    expect(contents.get('text')).toEqual(
      expect.arrayContaining([
        'Corn yield',
        'Yield (bu/ac)',
        'Date (UTC)',
        'Iowa &lt;1&gt;',
        'Ohio',
        'Source: USDA NASS',
      ]),
    );
    expect(contents.get('desc')).toEqual([
      'Corn yield. Yield in bu/ac, 2012-12-31 to 2014-12-31: Iowa &lt;1&gt;, Ohio.',
    ]);
  });

  it('breaks the line at a missing value', () => {
    const svg = plotSeries([OHIO], OPTIONS);
    const [, path] = /<path d="([^"]+)" fill="none" stroke="#0072B2"/.exec(svg)!;
    expect(path!.match(/M/g)).toHaveLength(2);
  });

  it('highlights one series', () => {
    const svg = plotSeries([IOWA, OHIO], { ...OPTIONS, highlight: 'Ohio' });
    expect(svg).toMatch(/font-weight="700"[^>]*>Ohio</);
    expect(svg.indexOf('stroke-width="3" stroke-linejoin')).toBeGreaterThan(
      svg.indexOf('stroke-width="1.2"'),
    );
  });

  it.each<[what: string, attempt: () => unknown, message: RegExp]>([
    ['no series', () => plotSeries([], OPTIONS), /no series with a date/],
    [
      'more dates than values',
      () => plotSeries([{ ...IOWA, value: OHIO.value.slice(1) }], OPTIONS),
      /3 dates and 2 values/,
    ],
    [
      'an unknown highlight',
      () => plotSeries([OHIO], { ...OPTIONS, highlight: 'Utah' }),
      /choose one of Ohio/,
    ],
  ])('refuses %s', (_what, attempt, message) => {
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});
