import * as v from 'valibot';
import { CoverageError } from '../../model/errors.js';
import { integer, isNot, type Schema } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay } from '../../model/time.js';

/**
 * How to treat a day that is missing its minimum or maximum: count it as 0 (the default), or interpolate linearly
 * across gaps of at most `interpolate` days. Interpolation does not raise the coverage.
 */
export type MissingDays =
  | 'zero'
  | {
      /** The maximum length of a gap, in days. */
      readonly interpolate: number;
    };

export const MISSING_DAYS: Schema<MissingDays> = v.union(
  [v.literal('zero'), v.strictObject({ interpolate: integer({ min: 1 }) })],
  isNot('a way to treat missing days; choose "zero" or { interpolate: maximum gap in days }'),
);

/** Counts the days on which both values are finite. If only one column is passed, counts its finite values. */
export function countDays(tmin: Float64Array, tmax: Float64Array = tmin): number {
  let counted = 0;
  for (let i = 0; i < tmin.length; i++) if (Number.isFinite(tmin[i]! + tmax[i]!)) counted++;
  return counted;
}

/** Fills gaps of at most `maxGap` values by linear interpolation. Longer gaps and gaps at either end remain. */
export function interpolateGaps(values: Float64Array, maxGap: number): Float64Array {
  const filled = values.slice();
  let known = -1;
  filled.forEach((value, day) => {
    if (Number.isNaN(value)) return;
    const gap = day - known - 1;
    if (known >= 0 && gap > 0 && gap <= maxGap) {
      const before = filled[known]!;
      const step = (value - before) / (gap + 1);
      for (let i = 1; i <= gap; i++) filled[known + i] = before + step * i;
    }
    known = day;
  });
  return filled;
}

/** The default minimum share of days that have both temperatures. */
export const MIN_TEMPORAL_COVERAGE = 1;

/**
 * Checks that enough days have both temperatures. `startMs` is the first day, or null if the days have no dates.
 * @throws CoverageError if too few days have both temperatures
 */
export function requireCoverage(
  { tmin, tmax, startMs }: { tmin: Float64Array; tmax: Float64Array; startMs: number | null },
  counted: number,
  required = MIN_TEMPORAL_COVERAGE,
): void {
  const coverage = counted / tmin.length;
  if (coverage >= required) return;
  const first = tmin.findIndex((low, i) => !Number.isFinite(low + tmax[i]!));
  const day = startMs === null ? `day ${first + 1}` : formatDay(startMs + first * DAY_MS);
  // The share is rounded down, so that 100% is never shown if even a single day is missing.
  const shown = Math.floor(coverage * 1000 + 1e-9) / 1000;
  throw new CoverageError(
    coverage,
    required,
    (nameOf) =>
      `only ${percent(shown)} of the days have both temperatures, but ${percent(required)} are required (first missing: ${day}); choose other series or dates, or lower ${nameOf('min_temporal_coverage')}`,
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
