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

describe('the release of the Commitments of Traders', () => {
  it.each([
    // CFTC, Release Schedule of 2024: the Fridays, and the Mondays after federal holidays.
    ...['2024-01-02 2024-01-05', '2024-01-16 2024-01-19', '2024-03-26 2024-03-29', '2024-06-18 2024-06-24'],
    ...['2024-07-02 2024-07-08', '2024-10-08 2024-10-11', '2024-11-12 2024-11-15', '2024-11-26 2024-12-02'],
    ...['2024-12-17 2024-12-20', '2024-12-24 2024-12-30'],
    // CFTC, schedule of 18 November 2025: the dates that were planned before the shutdown, moved to a year without one.
    ...['2019-11-26 2019-12-02', '2019-12-24 2019-12-30', '2021-12-28 2022-01-03', '2020-12-21 2020-12-24'],
    // Reports that were late, and those after them.
    ...['2025-09-30 2025-11-19', '2026-01-13 2026-01-20', '2026-01-20 2026-01-23', '2018-12-24 2019-02-01'],
    ...['2019-03-05 2019-03-08', '2023-01-31 2023-02-24'],
    // The first years, in which the release was later.
    ...['1986-01-15 1986-02-12', '1989-12-29 1990-01-12', '1991-04-15 1991-04-23', '1993-03-02 1993-03-12'],
    ...['2000-12-26 2001-01-05', '2001-01-09 2001-01-12'],
  ])('is on the day that the CFTC tells: %s', (dates) => {
    const [asOf, day] = dates.split(' ');
    expect(releaseOf(asOf!).day).toBe(day);
  });

  it('is at half past three in Washington, at the latest', () => {
    expect(releaseOf('2024-01-02').time).toBe('2024-01-05T20:30:00.000Z');
  });
});
