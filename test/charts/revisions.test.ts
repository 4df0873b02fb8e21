import { describe, expect, it } from 'vitest';
import { writerIn } from '../../src/charts/language.js';
import {
  chooseRevised,
  countReports,
  isOfImport,
  plotRevisions,
  reportsOf,
  viewRevisions,
} from '../../src/charts/revisions.js';
import { longFrame } from '../../src/frame/build/long.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../frame/points.js';
import { drawnPieces, drawnTexts, expectOwnNames } from './drawn.js';

const FRAME = { names: NAMES, provenance: PROVENANCE };
const reports = (year: number, values: readonly number[]) =>
  values.map((value, month) => ({
    series: 0,
    start: `${year}-09-01`,
    end: `${year + 1}-08-31`,
    value,
    reporting: Date.UTC(year, 4 + month, 10),
  }));
const frameOf = (rows: Parameters<typeof runsOf>[0], extra = {}) =>
  longFrame({ series: [seriesOf()], runs: runsOf(rows) }, { ...FRAME, ...extra });

const later = (row: ReturnType<typeof reports>[number]) => ({
  ...row,
  reporting: row.reporting + 500 * 86_400_000,
});

describe('plotRevisions', () => {
  it('draws how the figure of each period moved from report to report', async () => {
    const chart = plotRevisions(
      frameOf([...reports(2012, [1881, 1881, 1183]), ...reports(2013, [900, 950])]),
    );
    const axis = 'Yield (t/ha) · the axis does not start at 0';
    expect(await drawnTexts(chart)).toEqual(expect.arrayContaining(['2012/13', '2013/14', axis]));
    expect(await drawnPieces(chart)).toEqual([1, 1]);
    expect(chart.spec.description).toBe(
      'Yield · Corn · Iowa: revisions. 2012/13: from 1,881 t/ha on 10 May 2012 to 1,183 t/ha on 10 July 2012; 2013/14: from 900 t/ha on 10 May 2013 to 950 t/ha on 10 June 2013.',
    );
    expectOwnNames(chart);
  });

  it('has a sentence that does not round a revision away', () => {
    const frame = frameOf(reports(2012, [26_187_000, 26_190_000]));
    const { title, source } = viewRevisions(frame, { write: writerIn(['en-GB']), asof: '2012-07-01' }).figure;
    expect(title).toContain('from 26.187 million to 26.190 million t/ha in 2');
    expect(source).toContain('As known at the end of 1 July 2012');
  });

  it('draws the dates of availability where the source gives no reports', () => {
    const rows = [1, 2].map((value) => ({
      ...reports(2012, [value])[0]!,
      reporting: null,
      available: Date.UTC(2015, value, 1),
    }));
    const chart = plotRevisions(frameOf(rows, { show_available_date: true }));
    expect(chart.spec.description).toContain('from 1 t/ha on 1 February 2015 to 2 t/ha on 1 March 2015');
    expect(chart.figure.subtitle).toContain('by date of report');
  });

  it('says since which import values are known that have no dates of their own', () => {
    const rows = [2012, 2013].map((year) => ({
      ...reports(year, [1])[0]!,
      reporting: null,
      available: Date.UTC(2015, 1, 1),
    }));
    const history = frameOf(rows, { show_available_date: true });
    expect(plotRevisions(history).figure.subtitle).toContain('known since the import of 1 Feb 2015');
    expect(isOfImport(reportsOf(history))).toBe(true);
    expect(isOfImport(reportsOf(frameOf(reports(2012, [1]))))).toBe(false);
  });

  it('says that reports became available later than their dates, by which as-of dates go', () => {
    const rows = reports(2012, [1, 2]).map((row) => ({ ...row, available: row.reporting + 12 * 86_400_000 }));
    const { subtitle } = plotRevisions(frameOf(rows, { show_available_date: true })).figure;
    expect(subtitle).toContain('by date of report (available later, the last on 22 Jun 2012)');
    const timely = rows.map((row) => ({ ...row, available: row.reporting + 16 * 3_600_000 }));
    const told = plotRevisions(frameOf(timely, { show_available_date: true })).figure.subtitle;
    expect(told).not.toContain('available');
  });

  it('counts the days of its reports', () => {
    const four = countReports(frameOf([...reports(2012, [1, 2, 3]), ...reports(2012, [4]).map(later)]));
    expect(four).toEqual({ reports: 4, revisions: 3 });
    const none = { reports: 0, revisions: 0 };
    expect(countReports(frameOf(reports(2012, [1]).map((row) => ({ ...row, reporting: null }))))).toEqual(
      none,
    );
    expect(countReports(frameOf([]))).toEqual(none);
  });

  it('prefers the first series that is asked for, unless only others were revised', () => {
    const counted = [
      [5, 0],
      [2, 1],
      [4, 3],
    ].map(([reports, revisions]) => ({
      reports: reports!,
      revisions: revisions!,
    }));
    const [once, twice, often] = counted;
    expect(chooseRevised([twice!, often!])).toBe(twice);
    expect(chooseRevised([once!, twice!, often!])).toBe(often);
    expect(chooseRevised([once!])).toBe(once);
  });

  it('names the date of a single report', async () => {
    const texts = await drawnTexts(plotRevisions(frameOf(reports(2012, [1881]))));
    expect(texts).toEqual(expect.arrayContaining(['Wed 09 May 2012', 'Thu 10', 'Fri 11']));
  });

  it('draws the latest of many periods, and says so', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => reports(2000 + i, [i, i + 1])).flat();
    const texts = await drawnTexts(plotRevisions(frameOf(rows)));
    expect(texts.join()).toContain('latest 8 of 12 periods');
    expect(texts).toContain('2011/12');
    expect(texts).not.toContain('2003/04');
  });

  it('refuses several series, and values without a date of report', () => {
    const two = longFrame(
      {
        series: [seriesOf(), seriesOf({ region_id: 6 })],
        runs: runsOf([...reports(2012, [1]), { ...reports(2012, [1])[0]!, series: 1 }]),
      },
      FRAME,
    );
    expect(() => plotRevisions(two)).toThrow(/it has 2 series; draw the revisions of one/);
    const unreported = frameOf(reports(2012, [1]).map((row) => ({ ...row, reporting: null })));
    expect(() => plotRevisions(unreported)).toThrow(
      /request it with reporting_history, or with complete_history/,
    );
  });
});
