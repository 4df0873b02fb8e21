import type { Frequency } from './entity.js';
import { DAY_MS } from './time.js';

/** Periods of one frequency, numbered: each ends the day before the next one starts. Times are UTC milliseconds. */
export interface PeriodGrid {
  /** Number of the period in which a time lies. */
  index(ms: number): number;
  /** Start of a period. */
  start(index: number): number;
}

/**
 * The periods of a frequency. Most are counted from `anchorMs`, so that weeks keep their weekday and marketing years
 * their month; two follow the calendar alone: 8-day periods start anew on 1 January, as those of the MODIS composites
 * do (the 46th has 5 or 6 days), and 10-day periods are dekads, which start on the 1st, 11th and 21st of each month.
 */
export function periodGrid({ periodLength }: Frequency, anchorMs: number): PeriodGrid {
  const { days, months = 0, years = 0 } = periodLength;
  if (days === 8) return EIGHT_DAYS;
  if (days === 10) return DEKADS;
  if (days !== undefined) return dayGrid(days, anchorMs);
  return monthGrid(months + 12 * years, anchorMs);
}

function dayGrid(days: number, anchorMs: number): PeriodGrid {
  return {
    index: (ms) => Math.floor((ms - anchorMs) / (days * DAY_MS)),
    start: (index) => anchorMs + index * days * DAY_MS,
  };
}

/** Periods of whole months from the anchor's day; in months that are too short for it they start on the last day. */
function monthGrid(months: number, anchorMs: number): PeriodGrid {
  const start = (index: number) => addMonths(anchorMs, index * months);
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
    const year = new Date(ms).getUTCFullYear();
    return year * 46 + Math.floor((ms - utcDay(year, 0, 1)) / (8 * DAY_MS));
  },
  start(index) {
    const year = Math.floor(index / 46);
    return utcDay(year, 0, 1 + 8 * (index - year * 46));
  },
};

const DEKADS: PeriodGrid = {
  index(ms) {
    const dekad = Math.min(2, Math.floor((new Date(ms).getUTCDate() - 1) / 10));
    return monthNumber(ms) * 3 + dekad;
  },
  start(index) {
    const month = Math.floor(index / 3);
    return utcDay(0, month, 1 + 10 * (index - month * 3));
  },
};

function monthNumber(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function addMonths(ms: number, months: number): number {
  const month = monthNumber(ms) + months;
  const lastDay = new Date(utcDay(0, month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(ms).getUTCDate(), lastDay);
  return utcDay(0, month, day) + (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/** `Date.UTC` without its rule that years below 100 belong to the twentieth century. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
