import { dateParts, dayOfCommonYear, daysInMonth, monthNumber, yearOf } from '../model/calendar.js';
import type { PeriodLength } from '../model/entity.js';
import { periodDays } from '../model/frequency.js';
import { getOrCompute } from '../model/grouping.js';
import { periodGrid } from '../model/period-grid.js';
import type { Coverage } from '../model/series.js';
import { DAY_MS } from '../model/time.js';

export interface Candidate {
  readonly startMs: number;
  readonly endMs: number;
  readonly pointCount: number;
  /** The length of one period; null if the frequency is unknown. */
  readonly periodLength: PeriodLength | null;
  /** Breaks ties; the smaller id ranks first. */
  readonly id: number;
}

/** The period for which data are wanted, in UTC milliseconds. Both dates are inclusive. Null means unbounded. */
export interface WantedPeriod {
  readonly startMs: number | null;
  readonly endMs: number | null;
}

export type Ranked<Given extends Candidate> = Given & { readonly coverage: Coverage };

/**
 * Ranks candidates by coverage, best first. The main criterion is the share of the wanted period that has data, counted
 * in periods of the candidate's frequency. Ties are broken in favour of more points, then more recent data, a finer
 * frequency and a smaller id. An unbounded date is replaced by the earliest start or latest end of all candidates. If
 * the wanted end is unbounded, candidates that end more than three years before the latest one rank last, because a
 * source that still reports is preferred to one that has more data but has stopped reporting.
 */
export function rankByCoverage<Given extends Candidate>(
  candidates: readonly Given[],
  wanted: WantedPeriod = { startMs: null, endMs: null },
): Ranked<Given>[] {
  const { measure, compare } = coverageRule(candidates, wanted);
  return candidates.map((candidate) => ({ ...candidate, coverage: measure(candidate) })).sort(compare);
}

/** Returns the functions that measure and compare candidates in `rankByCoverage`, for ranking in several steps. */
export function coverageRule(candidates: readonly Candidate[], wanted: WantedPeriod) {
  const earliest = candidates.reduce((ms, one) => Math.min(ms, one.startMs), Number.POSITIVE_INFINITY);
  const latest = candidates.reduce((ms, one) => Math.max(ms, one.endMs), Number.NEGATIVE_INFINITY);
  const period = { startMs: wanted.startMs ?? earliest, endMs: wanted.endMs ?? latest };
  const reportsFromMs = wanted.endMs === null ? period.endMs - STILL_REPORTS_MS : Number.NEGATIVE_INFINITY;
  const hasEnded = ({ endMs }: Candidate) => Number(endMs < reportsFromMs);
  const count = rememberCounts();
  return {
    measure: (candidate: Candidate): Coverage => coverageOf(candidate, period, count),
    compare: (a: Ranked<Candidate>, b: Ranked<Candidate>): number =>
      hasEnded(a) - hasEnded(b) || compareCoverage(a.coverage, b.coverage) || a.id - b.id,
  };
}

/** Returns a version of `countPeriods` with a cache, because most series from the same source have the same dates. */
function rememberCounts(): typeof countPeriods {
  const known = new Map<PeriodLength, Map<number, Map<number, number>>>();
  return (periodLength, startMs, endMs) => {
    const byStart = getOrCompute(known, periodLength, () => new Map<number, Map<number, number>>());
    const byEnd = getOrCompute(byStart, startMs, () => new Map<number, number>());
    return getOrCompute(byEnd, endMs, () => countPeriods(periodLength, startMs, endMs));
  };
}

const STILL_REPORTS_MS = (3 * 365 + 1) * DAY_MS;

function coverageOf(
  candidate: Candidate,
  period: Pick<Candidate, 'startMs' | 'endMs'>,
  countOf: typeof countPeriods,
): Coverage {
  const { startMs, endMs, pointCount } = candidate;
  const periodLength = candidate.periodLength ?? ONE_DAY;
  const count = (fromMs: number, toMs: number) => countOf(periodLength, fromMs, toMs);
  const overlap = count(Math.max(startMs, period.startMs), Math.min(endMs, period.endMs));
  const wanted = count(period.startMs, period.endMs);
  const density = Math.min(1, pointCount / Math.max(1, Math.floor(count(startMs, endMs))));
  return {
    share: wanted <= 0 ? 0 : (overlap / wanted) * density,
    points: pointCount,
    startMs,
    endMs,
    periodDays: candidate.periodLength === null ? Number.POSITIVE_INFINITY : periodDays({ periodLength }),
  };
}

const ONE_DAY: PeriodLength = { days: 1 };

/**
 * Counts the periods of a frequency between two dates, both inclusive. Returns 0 if the end precedes the start. Partial
 * periods count as fractions. If periods are days, 28 and 29 February count as one day, so that all years are equally
 * long.
 */
export function countPeriods(periodLength: PeriodLength, startMs: number, endMs: number): number {
  if (endMs < startMs) return 0;
  const { days, months = 0, years = 0 } = periodLength;
  const ofMonths = months + 12 * years;
  if (ofMonths > 0) return (monthPosition(endMs + DAY_MS) - monthPosition(startMs)) / ofMonths;
  if (days === undefined || days === 1) return commonDayNumber(endMs) - commonDayNumber(startMs) + 1;
  const grid = periodGrid({ periodLength }, startMs);
  const positionOf = (ms: number) => {
    const index = grid.index(ms);
    const start = grid.start(index);
    return index + (ms - start) / (grid.start(index + 1) - start);
  };
  return positionOf(endMs + DAY_MS) - positionOf(startMs);
}

/** Returns the number of months since year 0, including the elapsed fraction of the current month. */
function monthPosition(ms: number): number {
  const { year, month, day } = dateParts(ms);
  return monthNumber(ms) + (day - 1) / daysInMonth(year, month);
}

/** Shares are rounded to this precision before they are compared, so that the comparison is transitive. */
const SHARE_PRECISION = 1e-9;

function compareCoverage(a: Coverage, b: Coverage): number {
  return (
    Math.round(b.share / SHARE_PRECISION) - Math.round(a.share / SHARE_PRECISION) ||
    b.points - a.points ||
    b.endMs - a.endMs ||
    a.periodDays - b.periodDays
  );
}

/** Returns the number of days since year 0, counting 365 days in every year. 29 February counts as 28 February. */
function commonDayNumber(ms: number): number {
  return yearOf(ms) * 365 + dayOfCommonYear(ms);
}
