import { shiftDate } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { DAY_MS } from '../../model/time.js';

/** A series to draw over time. Rows are ascending by date and all have a value. */
export interface LineData {
  readonly label: string;
  /** The label with the words that all labels end with, by which it is found too. */
  readonly fullLabel?: string | undefined;
  /** Unit of the values, for the axis. */
  readonly unit: string;
  /** Name of what is measured, for the axis. */
  readonly measure: string;
  /** First date of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** First moment after each period, UTC milliseconds. */
  readonly end: Float64Array;
  readonly value: Float64Array;
  /** Days of a period of its frequency. */
  readonly periodDays: number;
}

/** A missing period is longer than this share of the period's mean length. */
const MAX_STEP = 1.6;

/** Whether periods are missing between a row and the one before it. */
export function isAfterGap({ start, periodDays }: LineData, row: number): boolean {
  return start[row]! - start[row - 1]! > MAX_STEP * periodDays * DAY_MS;
}

/** The dates and values of a series; dates are UTC milliseconds at midnight, both included in their period. */
export interface DatedValues {
  /** Null where only the ends are known: a period then begins one period length before its end. */
  readonly start_date: BigInt64Array | null;
  readonly end_date: BigInt64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** By default the frequency that the spacing of most dates comes nearest to. */
  readonly frequency?: Frequency | undefined;
}

/** The rows of a series that have a value. */
export function lineData(
  { start_date, end_date, value, frequency }: DatedValues,
  texts: Pick<LineData, 'label' | 'fullLabel' | 'unit' | 'measure'>,
): LineData {
  const rows = [...value.keys()].filter((row) => !Number.isNaN(value[row]!));
  const ends = Float64Array.from(rows, (row) => Number(end_date[row]));
  const known = frequency ?? nearestFrequency(Float64Array.from(end_date, Number));
  const startOf = (row: number, at: number) =>
    start_date === null ? shiftDate(ends[at]! + DAY_MS, known.periodLength, -1) : Number(start_date[row]);
  return {
    ...texts,
    start: Float64Array.from(rows, startOf),
    end: ends.map((end) => end + DAY_MS),
    value: Float64Array.from(rows, (row) => value[row]!),
    periodDays: periodDays(known),
  };
}

function nearestFrequency(dates: Float64Array): Frequency {
  const steps = dates.slice(1).map((date, i) => (date - dates[i]!) / DAY_MS);
  const median = steps.sort()[steps.length >> 1] ?? 1;
  const distance = (frequency: Frequency) => Math.abs(Math.log(periodDays(frequency) / median));
  return FREQUENCIES.reduce<Frequency>(
    (nearest, frequency) => (distance(frequency) < distance(nearest) ? frequency : nearest),
    FREQUENCIES[0],
  );
}
