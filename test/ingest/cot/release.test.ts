import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/ingest/document/documents.js';
import { isLag } from '../../../src/ingest/document/form.js';
import { parseDataSet } from '../../../src/ingest/document/parse-form.js';
import { publishedAfter } from '../../../src/ingest/document/periods.js';
import { formatDay, parseTime } from '../../../src/model/time.js';

const [{ reporting_date, available_date }] = parseDataSet(readDocument('cot')).forms;

/** Returns the day and the time of the release of positions, by the lags of the document. */
function releaseOf(asOf: string): { day: string; time: string } {
  if (!isLag(reporting_date) || !isLag(available_date)) throw new Error('cot has no lags');
  const reportingMs = publishedAfter(reporting_date, () => parseTime(asOf, 'asOf'));
  const availableMs = publishedAfter(available_date, () => reportingMs);
  return { day: formatDay(reportingMs!), time: new Date(availableMs!).toISOString() };
}
const released = (asOf: string): string => releaseOf(asOf).day;

describe('the release of the Commitments of Traders', () => {
  // CFTC, Release Schedule of 2024: the Fridays, and the Mondays after federal holidays.
  it.each([
    ['2024-01-02', '2024-01-05'],
    ['2024-01-16', '2024-01-19'],
    ['2024-03-26', '2024-03-29'],
    ['2024-06-18', '2024-06-24'],
    ['2024-07-02', '2024-07-08'],
    ['2024-10-08', '2024-10-11'],
    ['2024-11-12', '2024-11-15'],
    ['2024-11-26', '2024-12-02'],
    ['2024-12-17', '2024-12-20'],
    ['2024-12-24', '2024-12-30'],
  ])('of %s is on %s', (asOf, day) => expect(released(asOf)).toBe(day));

  // CFTC, schedule of 18 November 2025: the dates that were planned before the shutdown, moved to a year without one.
  it.each([
    ['2019-11-26', '2019-12-02'],
    ['2019-12-24', '2019-12-30'],
    ['2021-12-28', '2022-01-03'],
    ['2020-12-21', '2020-12-24'],
  ])('counts business days, so that of %s is on %s', (asOf, day) => expect(released(asOf)).toBe(day));

  it('knows the reports that were late', () => {
    expect(released('2025-09-30')).toBe('2025-11-19');
    expect(released('2026-01-13')).toBe('2026-01-20');
    expect(released('2026-01-20')).toBe('2026-01-23');
    expect(released('2018-12-24')).toBe('2019-02-01');
    expect(released('2019-03-05')).toBe('2019-03-08');
    expect(released('2023-01-31')).toBe('2023-02-24');
  });

  it('is later in the first years', () => {
    expect(released('1986-01-15')).toBe('1986-02-12');
    expect(released('1989-12-29')).toBe('1990-01-12');
    expect(released('1991-04-15')).toBe('1991-04-23');
    expect(released('1993-03-02')).toBe('1993-03-12');
    expect(released('2000-12-26')).toBe('2001-01-05');
    expect(released('2001-01-09')).toBe('2001-01-12');
  });

  it('is at half past three in Washington, at the latest', () => {
    expect(releaseOf('2024-01-02').time).toBe('2024-01-05T20:30:00.000Z');
  });
});
