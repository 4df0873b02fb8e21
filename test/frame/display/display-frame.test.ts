import { Table, tableFromArrays } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { frame } from '../../../src/frame/frame.js';
import { exactRows } from '../exact-rows.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const years = Array.from({ length: 14 }, (_, year) => year);
const rise = (year: number) => ({
  series: 0,
  start: `${2000 + year}-01-01`,
  end: `${2000 + year}-12-31`,
  value: year === 3 ? null : year * 1.5,
});
const POINTS = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  runs: runsOf([
    ...years.map(rise),
    { series: 1, start: '2013-01-01', end: '2013-12-31', value: -1234567.891 },
  ]),
};
const { unit_id: _, ...key } = POINTS.series[0]!;
const REPORT = [
  { series: key, rows: 15, outcome: 'data' as const, reason: null, truncated: false, from_cache: false },
  { series: key, rows: 0, outcome: 'failed' as const, reason: 'gone', truncated: false, from_cache: false },
];
const provenance = { ...PROVENANCE, report: REPORT };

describe('displayFrame', () => {
  test('shows a long frame: shape, sources, report, first and last rows, a sparkline for each series', () => {
    const text = longFrame(POINTS, { names: NAMES, provenance }).toText({ rows: 2, width: 90 });
    expect(text.split('\n')).toEqual([
      'long frame · 15 rows × 18 columns · 2 series',
      'units: t/ha',
      'sources: USDA NASS (public domain)',
      'retrieved: 2024-05-06T07:08:09.010Z from http://127.0.0.1:4666',
      'report: 2 series, 1 with data, 1 FAILED',
      '',
      'start_date     end_date            value  reporting_date  metric_name  item_name',
      'timestamp UTC  timestamp UTC     float64  timestamp UTC   dictionary   dictionary',
      '2000-01-01     2000-12-31              0  null            Yield        Corn',
      '2001-01-01     2001-12-31            1.5  null            Yield        Corn',
      '… 11 more rows',
      '2013-01-01     2013-12-31           19.5  null            Yield        Corn',
      '2013-01-01     2013-12-31     -1234567.9  null            Yield        Corn',
      '… 12 more columns',
      '',
      'series of Yield | Corn | annual | USDA NASS | t/ha',
      'Iowa  ▁▂▂ ▃▄▄▅▅▆▆▇▇█  0 … 19.5',
    ]);
  });

  test('shows a wide frame with the names in which its columns differ', () => {
    const lines = wideFrame(POINTS, { names: NAMES, provenance }).toText({ rows: 1 }).split('\n');
    expect(lines[0]).toBe('wide frame · 14 rows × 3 columns · 2 series');
    expect(lines.slice(6, 11)).toEqual([
      'all: Yield | Corn | annual | USDA NASS | t/ha',
      "end_date          Iowa  Côte d'Ivoire",
      'timestamp UTC  float64        float64',
      '2000-12-31           0           null',
      '… 12 more rows',
    ]);
  });

  test('shows the names of columns that were given short ones, with their units', () => {
    const short = wideFrame(POINTS, { names: NAMES, provenance }).withShortNames();
    const lines = short.toText({ rows: 1 }).split('\n');
    expect(lines.slice(6, 10)).toEqual([
      "                  Iowa  Côte d'Ivoire",
      'end_date          t/ha           t/ha',
      'timestamp UTC  float64        float64',
      '2000-12-31           0           null',
    ]);
  });

  test('shows small frames whole, and of others 5 rows from each end', () => {
    const rowsOf = (count: number) =>
      frame(tableFromArrays({ a: new Float64Array(count) }))
        .toText()
        .split('\n');
    expect(rowsOf(20).filter((line) => line.trim() === '0')).toHaveLength(20);
    expect(rowsOf(20).join()).not.toContain('more rows');
    expect(rowsOf(21).filter((line) => line.trim() === '0')).toHaveLength(10);
    expect(rowsOf(21)).toContain('… 11 more rows');
  });

  test('names series by their ids where it has no names, and a single one whole', () => {
    const lastLine = (table: Table) => frame(table).toText({ width: 200 }).split('\n').at(-1);
    const rising = runsOf([0, 1].flatMap((series) => years.map((at) => ({ ...rise(at), series }))));
    expect(lastLine(longFrame({ ...POINTS, runs: rising }))).toMatch(/^region 6 {2}▁/);
    const one = longFrame({ series: [seriesOf()], runs: runsOf(years.map(rise)) }, { names: NAMES });
    expect(lastLine(one)).toMatch(/^Yield \| Corn \| Iowa \| annual \| USDA NASS \| t\/ha {2}▁/);
  });

  test('no line is longer than the width', () => {
    const table = longFrame(POINTS, { names: NAMES, provenance });
    for (const width of [40, 80, 200]) {
      const widest = Math.max(
        ...table
          .toText({ width })
          .split('\n')
          .map((line) => line.length),
      );
      expect(widest).toBeLessThanOrEqual(width);
    }
  });

  test('shows empty frames and tables that are not frames', () => {
    expect(longFrame({ series: [], runs: [] }).toText()).toContain('long frame · 0 rows × 11 column');
    expect(frame(tableFromArrays({ a: Int32Array.of(1, 2) })).toText()).toContain(
      'table · 2 rows × 1 column',
    );
    expect(frame(new Table()).toText()).toContain('table · 0 rows × 0 columns');
  });
});

describe('frameHtml', () => {
  test('escapes all texts', () => {
    const names = { ...NAMES, items: new Map([[2, '<script>alert("x")</script> & co']]) };
    const html = longFrame(POINTS, { names, provenance }).toHtml();
    expect(html).not.toContain('<script>');
    expect(wideFrame(POINTS, { names, provenance }).toHtml()).toContain('&lt;script&gt;alert(&quot;x&quot;)');
    expect(html).toContain('15 rows × 18 columns');
    expect(html.match(/<td[^>]*>[▁▂▃▄▅▆▇█ ]+<\/td>/g)).toHaveLength(1);
  });

  test('splits the headings of a wide frame into lines, and counts the omitted rows', () => {
    const points = { ...POINTS, series: [seriesOf(), seriesOf({ region_id: 6, item_id: 4 })] };
    const html = wideFrame(points, { names: NAMES, provenance }).toHtml({ rows: 5 });
    expect(html).toContain('>Corn<br>Iowa<br><small>float64</small></th>');
    expect(html).toMatch(/<td colspan="3" style="text-align:left">… 4 more rows<\/td>/);
  });
});

test('a date beyond those of JavaScript is shown and written with its year', () => {
  const beyond = longFrame({
    series: [seriesOf()],
    runs: runsOf([{ series: 0, start: 9e15, end: 9e15, value: 1 }]),
  });
  const shown = [beyond.toText(), beyond.toHtml(), JSON.stringify(exactRows(beyond)), beyond.toCsv()];
  for (const text of shown) expect(text).toContain('+287168-08-24T16:00:00.000Z');
});
