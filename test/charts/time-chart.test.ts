import { describe, expect, it } from 'vitest';
import { drawnMarks, drawnPieces, drawnTexts, expectOwnNames, plotColumns, svgOf } from './drawn.js';
import { parseSvg } from './well-formed.js';

const end_date = BigInt64Array.from([2010, 2011, 2012, 2013, 2014], (year) => BigInt(Date.UTC(year, 11, 31)));
const IOWA = { label: 'Iowa <1>', end_date, value: Float64Array.of(165, 172, 137, 164, 178) };
const OHIO = { label: 'Ohio', end_date, value: Float64Array.of(163, 153, 120, Number.NaN, 176) };
const AXIS = 'Yield (bu/ac) · the axis does not start at 0';
const OPTIONS = { title: 'Corn yield', measure: 'Yield', unit: 'bu/ac' };

const years = (count: number, label: string) => ({
  label,
  end_date: BigInt64Array.from({ length: count }, (_, i) => BigInt(Date.UTC(1900 + i, 11, 31))),
  value: Float64Array.from({ length: count }, (_, i) => i),
});

describe('a chart over time', () => {
  it('names each series and the axis, with the unit, and what it shows', async () => {
    const chart = plotColumns([IOWA, OHIO], { ...OPTIONS, source: 'USDA NASS' });
    expect(await drawnTexts(chart)).toEqual(
      expect.arrayContaining(['Corn yield', AXIS, 'Iowa &lt;1&gt;', 'Ohio', 'Source: USDA NASS']),
    );
    expect(parseSvg(await svgOf(chart)).get('desc')).toEqual([
      'Corn yield, 2010-01-01 to 2014-12-31. Last values: Iowa &lt;1&gt; 178 bu/ac; Ohio 176 bu/ac.',
    ]);
  });

  it('breaks the line at a missing value', async () => {
    expect(await drawnPieces(plotColumns([IOWA], OPTIONS))).toEqual([1]);
    expect(await drawnPieces(plotColumns([OHIO], OPTIONS))).toEqual([2]);
  });

  it('marks values between missing ones in a panel for each series', async () => {
    const series = Array.from({ length: 9 }, (_, at) => ({ ...OHIO, label: `Ohio ${at}` }));
    const svg = await svgOf(plotColumns(series, OPTIONS));
    expect(drawnMarks(svg, 'symbol').filter((path) => !path.includes('d=""'))).toHaveLength(9);
  });

  it('draws a value in the middle of its period', () => {
    const { data } = plotColumns([OHIO], OPTIONS).spec as unknown as { data: { values: { t: number }[] } };
    expect(data.values.map(({ t }) => new Date(t).toISOString().slice(0, 10))).toContain('2012-07-01');
  });

  it('thins to the given number of points', () => {
    const long = years(900, 'Long');
    const { values } = plotColumns([long], { ...OPTIONS, max_points: 100 }).spec.data as {
      values: unknown[];
    };
    expect(values.length).toBeLessThanOrEqual(100);
  });

  it('draws more series than colours in panels, and refuses more than can be read', async () => {
    const nine = Array.from({ length: 9 }, (_, i) => years(30, `County ${i}`));
    expect(await drawnTexts(plotColumns(nine, OPTIONS))).toEqual(
      expect.arrayContaining(nine.map(({ label }) => label)),
    );
    const many = Array.from({ length: 61 }, (_, i) => years(3, `County ${i}`));
    expect(() => plotColumns(many, OPTIONS)).toThrow(/61 series cannot be told apart in one chart/);
  });

  it('writes long names over panels on several lines, and never takes two series for one', async () => {
    const ending = 'of the weather station beside the old town hall in the county of the same name';
    const named = Array.from({ length: 9 }, (_, i) => years(30, `County ${i === 0 ? 'one' : i} ${ending}`));
    const texts = await drawnTexts(plotColumns(named, OPTIONS));
    expect(texts.join(' ')).not.toContain('…');
    for (const { label } of named) expect(texts.join(' ')).toContain(label.replace(` ${ending}`, ''));
    const alike = Array.from({ length: 9 }, (_, i) => years(30, `${'x'.repeat(400)}${i}`));
    const chart = plotColumns(alike, { ...OPTIONS, width: 390 });
    expect(drawnMarks(await svgOf(chart), 'line')).toHaveLength(9);
  });

  it('says the year of an axis within one, and the month of one within a month', async () => {
    const days = (first: string, count: number) => ({
      label: 'Ames',
      end_date: BigInt64Array.from({ length: count }, (_, i) => BigInt(Date.parse(first) + i * 86_400_000)),
      value: Float64Array.from({ length: count }, (_, i) => i),
    });
    const axisOf = async (first: string, count: number) =>
      (await drawnTexts(plotColumns([days(first, count)], OPTIONS))).join(' ');
    expect(await axisOf('2014-02-20', 200)).toMatch(/Mar 2014 .*May .*Jul/);
    expect(await axisOf('2014-06-06', 1)).toContain('Thu 05 June 2014 Fri 06 Sat 07');
    expect(await axisOf('2014-06-06', 5)).not.toMatch(/AM|PM/);
    expect(await axisOf('2010-01-01', 3000)).toMatch(/2010 2011 2012/);
  });

  it('draws values that are all equal beside round numbers', async () => {
    const flat = { ...IOWA, value: new Float64Array(IOWA.value.length).fill(5) };
    expect(await drawnTexts(plotColumns([flat], OPTIONS))).toEqual(
      expect.arrayContaining(['4.5', '5.0', '5.5']),
    );
  });

  it('uses names neither as fields nor as expressions', () => {
    const odd = ['a.b[0]', '<img src=x onerror=alert(1)>', "'] + alert(1) + ['", 'datum.v'];
    const many = Array.from({ length: 12 }, (_, i) => `${odd[0]}${i}`);
    for (const labels of [odd, many]) {
      const named = labels.map((label) => ({ ...IOWA, label }));
      expectOwnNames(plotColumns(named, OPTIONS));
    }
  });
});
