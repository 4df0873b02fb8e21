import { dateParts, dekadOf, monthNumber, monthStart, shiftMonthEnd, yearOf } from './calendar.js';
import type { Frequency } from './entity.js';
import { DAY_MS, utcDay } from './time.js';

/** The consecutive, numbered periods of one frequency. Times are in UTC milliseconds. */
interface PeriodGrid {
  /** Returns the number of the period that contains a time. */
  index(ms: number): number;
  start(index: number): number;
}

/**
 * Returns the periods of a frequency. Most periods are counted from `anchorMs`, so that all weeks start on the same
 * weekday and all marketing years in the same month. Two frequencies follow the calendar instead: 8-day periods restart
 * on 1 January, like the MODIS composites (the 46th period has 5 or 6 days), and 10-day periods are dekads.
 */
export function periodGrid({ periodLength }: Pick<Frequency, 'periodLength'>, anchorMs: number): PeriodGrid {
  const { days, months = 0, years = 0 } = periodLength;
  if (days === 8) return EIGHT_DAYS;
  if (days === 10) return DEKADS;
  if (days !== undefined) return dayGrid(days, anchorMs);
  return monthGrid(months + 12 * years, anchorMs);
}

/** Returns the first day of the period that ends on a given day. */
export function periodStart(frequency: Pick<Frequency, 'periodLength'>, endMs: number): number {
  const grid = periodGrid(frequency, endMs + DAY_MS);
  return grid.start(grid.index(endMs));
}

function dayGrid(days: number, anchorMs: number): PeriodGrid {
  return {
    index: (ms) => Math.floor((ms - anchorMs) / (days * DAY_MS)),
    start: (index) => anchorMs + index * days * DAY_MS,
  };
}

/**
 * Returns a grid of periods, each `months` months long. Periods start on the anchor's day of the month, or on the last
 * day of a shorter month. If the anchor is the last day of its month, every period starts on the last day of a month.
 */
function monthGrid(months: number, anchorMs: number): PeriodGrid {
  const start = (index: number) => shiftMonthEnd(anchorMs, { months }, index);
  return {
    start,
    index(ms) {
      const index = Math.floor((monthNumber(ms) - monthNumber(anchorMs)) / months);
      return start(index) > ms ? index - 1 : index;
    },
  };
}

const EIGHT_DAYS: PeriodGrid = {
  index(ms) {
    const year = yearOf(ms);
    return year * 46 + Math.floor((ms - utcDay(year, 1, 1)) / (8 * DAY_MS));
  },
  start(index) {
    const year = Math.floor(index / 46);
    return utcDay(year, 1, 1 + 8 * (index - year * 46));
  },
};

const DEKADS: PeriodGrid = {
  index: (ms) => monthNumber(ms) * 3 + dekadOf(dateParts(ms).day),
  start(index) {
    const month = Math.floor(index / 3);
    return monthStart(month) + 10 * (index - month * 3) * DAY_MS;
  },
};
