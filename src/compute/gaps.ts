import {
  type PackedPoints,
  type PointRow,
  packRows,
  rowAt,
  sliceRun,
  unitAt,
} from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import { dateAt } from '../columns/series-dates.js';
import { dateParts, mondayOf, type Period } from '../model/calendar.js';
import type { Frequency } from '../model/entity.js';
import { periodGrid } from '../model/period-grid.js';
import { DAY_MS, startOfDay, utcDay } from '../model/time.js';

export interface GapOptions {
  readonly frequency: Frequency;
  /** The requested start in UTC milliseconds. Null means the start of the first known period. */
  readonly startMs: number | null;
  /** The requested end in UTC milliseconds. Null means the end of the last known period. */
  readonly endMs: number | null;
  /** The start of an arbitrary period of the series. Used only if there are no points. */
  readonly anchorMs?: number | undefined;
  /** The index that identifies the series in runs of points. Used only if there are no known points. */
  readonly series?: number | undefined;
  /** The unit of points added to fill gaps. Used only if there are no known points. */
  readonly unitId?: number | undefined;
  /** Whether points added to fill gaps always have an available date, even if the known points have none. */
  readonly withAvailableDate?: boolean | undefined;
  /** Whether points added to fill gaps always have metadata, even if the known points have none. */
  readonly withMetadata?: boolean | undefined;
}

/** Counts the periods that overlap a range of dates. `anchorMs` is the start of an arbitrary period. */
export function countPeriodsBetween(
  frequency: Pick<Frequency, 'periodLength'>,
  { startMs, endMs, anchorMs }: { startMs: number; endMs: number; anchorMs: number },
): number {
  const grid = periodGrid(frequency, anchorMs);
  return grid.index(endMs) - grid.index(startMs) + 1;
}

/** The maximum number of points that are added to a run of points to fill gaps. Known points are not counted. */
const MAX_FILLED_ROWS = 4_096;

/**
 * Adds a null point to a series for each period between the requested dates in which no known point starts. Periods are
 * counted from the preceding known point (or backwards from the first), so that weeks and marketing years start on the
 * same day as in the series, even if that day changes. Known points are unchanged. In added points, the value,
 * reporting date and any metadata are null, any available date is 0, and the unit is that of a neighbouring point.
 * @param runs all points of the series
 * @returns the known and added points, in runs of limited size
 */
export function* fillGaps(
  runs: readonly PackedPoints[],
  options: GapOptions,
): Generator<PackedPoints, void, undefined> {
  const withoutGapMs = neighbourMs(options.frequency);
  const end = packRows(options.series ?? 0, []);
  let knownMs: number | null = null;
  let knownUnit: number | null = null;
  for (const run of [...runs, end]) {
    let from = 0;
    let gaps: Gap[] = [];
    // The end of the series counts as a row, because a gap may precede it.
    for (let row = 0; row < (run === end ? 1 : run.length); row++) {
      const nextMs = run === end ? null : dateAt(run.start_date, row);
      const nextUnit = run === end ? (options.unitId ?? NO_UNIT_ID) : unitAt(run, row);
      if (nextMs === null || knownMs === null || nextMs - knownMs > withoutGapMs) {
        const unitId = knownUnit ?? nextUnit;
        for (const period of periodsBetween(knownMs, nextMs, options)) {
          gaps.push({ ...period, row: row - from, unitId });
          if (gaps.length < MAX_FILLED_ROWS) continue;
          yield withGaps(sliceRun(run, from, row), gaps, options);
          [from, gaps] = [row, []];
        }
      }
      [knownMs, knownUnit] = [nextMs, nextUnit];
    }
    const rest = sliceRun(run, from, run.length);
    if (gaps.length > 0) yield withGaps(rest, gaps, options);
    else if (rest.length > 0) yield rest;
  }
}

/** Yields the missing periods between two known points. `knownMs` is null at the series' start, `nextMs` at its end. */
function* periodsBetween(
  knownMs: number | null,
  nextMs: number | null,
  { frequency, startMs, endMs, anchorMs }: GapOptions,
): Generator<Period, void, undefined> {
  if (knownMs === null && startMs === null) return;
  if (nextMs === null && endMs === null) return;
  const grid = periodGrid(frequency, knownMs ?? nextMs ?? anchorMs ?? calendarAnchor(frequency, startMs!));
  const firstWanted = startMs === null ? Number.NEGATIVE_INFINITY : grid.index(startMs);
  const firstAfter = knownMs === null ? Number.NEGATIVE_INFINITY : grid.index(knownMs) + 1;
  for (let index = Math.max(firstWanted, firstAfter); ; index++) {
    const period = { startMs: grid.start(index), endMs: grid.start(index + 1) - DAY_MS };
    if (endMs !== null && period.startMs > endMs) return;
    if (nextMs !== null && period.endMs >= nextMs) return;
    yield period;
  }
}

/** Returns the longest distance in milliseconds between two period starts that have no missing period between them. */
function neighbourMs({ periodLength: { days, months = 0, years = 0 } }: Frequency): number {
  if (days === 8 || days === 10) return 0;
  const shortest = days ?? 28 * (months + 12 * years);
  return (2 * shortest - 1) * DAY_MS;
}

interface Gap extends Period {
  readonly row: number;
  readonly unitId: number;
}

/** Returns the start of the calendar period that contains a time. Weeks start on Monday, and years on 1 January. */
function calendarAnchor({ periodLength: { days, months = 0 } }: Frequency, ms: number): number {
  if (days === 7) return mondayOf(ms);
  if (days !== undefined) return startOfDay(ms);
  const { year, month } = dateParts(ms);
  return utcDay(year, months === 0 ? 1 : month - ((month - 1) % months), 1);
}

function withGaps(
  known: PackedPoints,
  gaps: readonly Gap[],
  { withAvailableDate, withMetadata }: GapOptions,
): PackedPoints {
  const filled: PointRow[] = [];
  let from = 0;
  const copyTo = (row: number) => {
    for (; from < row; from++) filled.push(rowAt(known, from));
  };
  const available = withAvailableDate === true || known.available_date !== undefined;
  const remarked = withMetadata === true || known.metadata !== undefined;
  const none = {
    value: null,
    reportingMs: null,
    availableMs: available ? 0 : undefined,
    metadata: remarked ? null : undefined,
  };
  for (const { row, startMs, endMs, unitId } of gaps) {
    copyTo(row);
    filled.push({ startMs, endMs, unitId, ...none });
  }
  copyTo(known.length);
  return packRows(known.series, filled);
}
