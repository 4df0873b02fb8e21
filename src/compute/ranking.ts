import { DAY_MS } from '../model/time.js';

/** What the ranking needs to know about a candidate: one series, or several as one. */
export interface Candidate {
  readonly startMs: number;
  readonly endMs: number;
  /** Number of periods that have a point. */
  readonly pointCount: number;
  /** Mean length of one period in days. */
  readonly periodDays: number;
  /** Breaks ties; smaller first. */
  readonly id: number;
}

/** A wanted period in UTC milliseconds, both dates included; null is unbounded. */
export interface WantedPeriod {
  readonly startMs: number | null;
  readonly endMs: number | null;
}

/** The figures by which candidates are ranked. */
export interface Coverage {
  /** Share (0 to 1) of the wanted period that has data. */
  readonly share: number;
  /** Number of points. */
  readonly points: number;
  /** End of the data, UTC milliseconds. */
  readonly endMs: number;
  /** Length of one period in days, of a finer frequency the shorter. */
  readonly periodDays: number;
}

type Ranked<Given extends Candidate> = Given & { readonly coverage: Coverage };

/**
 * Ranks candidates by coverage, best first: the larger share of the wanted period that has data, then more points, then
 * more recent data, then the finer frequency, then the smaller id. An unbounded date is replaced by the earliest start
 * or latest end of all candidates, so that the longest candidate covers the whole period.
 */
export function rankByCoverage<Given extends Candidate>(
  candidates: readonly Given[],
  wanted: WantedPeriod = { startMs: null, endMs: null },
): Ranked<Given>[] {
  const period = boundedPeriod(candidates, wanted);
  return candidates
    .map((candidate) => ({ ...candidate, coverage: coverageOf(candidate, period) }))
    .sort((a, b) => compareCoverage(a.coverage, b.coverage) || a.id - b.id);
}

interface BoundedPeriod {
  readonly startMs: number;
  readonly endMs: number;
}

function boundedPeriod(candidates: readonly Candidate[], { startMs, endMs }: WantedPeriod): BoundedPeriod {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    earliest = Math.min(earliest, candidate.startMs);
    latest = Math.max(latest, candidate.endMs);
  }
  return { startMs: startMs ?? earliest, endMs: endMs ?? latest };
}

function coverageOf(candidate: Candidate, period: BoundedPeriod): Coverage {
  const { startMs, endMs, pointCount, periodDays } = candidate;
  const overlap = inclusiveDays(Math.max(startMs, period.startMs), Math.min(endMs, period.endMs));
  const wanted = inclusiveDays(period.startMs, period.endMs);
  const periods = Math.max(1, Math.floor(inclusiveDays(startMs, endMs) / periodDays));
  const density = Math.min(1, pointCount / periods);
  return {
    share: wanted <= 0 ? 0 : (Math.max(0, overlap) / wanted) * density,
    points: pointCount,
    endMs,
    periodDays,
  };
}

function inclusiveDays(startMs: number, endMs: number): number {
  return endMs < startMs ? 0 : (endMs - startMs) / DAY_MS + 1;
}

/** Shares are rounded to this precision before they are compared, which keeps the order total. */
const SHARE_PRECISION = 1e-9;

function compareCoverage(a: Coverage, b: Coverage): number {
  return (
    Math.round(b.share / SHARE_PRECISION) - Math.round(a.share / SHARE_PRECISION) ||
    b.points - a.points ||
    b.endMs - a.endMs ||
    a.periodDays - b.periodDays
  );
}
