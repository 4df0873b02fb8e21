import { DAY_MS } from '../model/time.js';

/** How a language writes numbers and dates. */
export interface Writer {
  readonly number: (value: number) => string;
  readonly day: (ms: number) => string;
  /** A day in few characters. */
  readonly shortDay: (ms: number) => string;
  /** A day of no year: `1 July`. */
  readonly dayOfYear: (ms: number) => string;
  /** A period: a day, a month, a year, a marketing year such as `2012/13`, or its first and last day. */
  readonly period: (startMs: number, endMs: number) => string;
}

const writers = new Map<string, Writer>();

/** The writer of the first known language of a list; of the machine's own for an empty one. */
export function writerIn(languages: readonly string[]): Writer {
  const key = languages.join();
  const writer = writers.get(key) ?? newWriter(languages);
  writers.set(key, writer);
  return writer;
}

/** Days are UTC and of the Gregorian calendar, as those of axes and files, wherever the reader is. */
function newWriter(languages: readonly string[]): Writer {
  const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat([...languages], options);
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat([...languages], {
      ...options,
      timeZone: 'UTC',
      calendar: 'gregory',
    });
    return (ms: number) => format.format(ms);
  };
  const whole = numbers({ maximumFractionDigits: 0 });
  const decimal = numbers({ maximumSignificantDigits: 6 });
  const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });
  return {
    number: (value) => (Number.isInteger(value) ? whole : decimal).format(value),
    day,
    shortDay,
    dayOfYear: dates({ day: 'numeric', month: 'long' }),
    period(startMs, endMs) {
      if (endMs - startMs < DAY_MS) return day(startMs);
      const months = wholeMonths(new Date(startMs), new Date(endMs + DAY_MS));
      if (months === 1) return month(startMs);
      if (months === 12) return yearText(new Date(startMs));
      return `${shortDay(startMs)} – ${shortDay(endMs)}`;
    },
  };
}

/** The months from one day to another, if both are the first of a month; else 0. */
function wholeMonths(from: Date, to: Date): number {
  if (from.getUTCDate() !== 1 || to.getUTCDate() !== 1) return 0;
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

/** A year that begins with a month: `2012`, or `2012/13`. */
function yearText(start: Date): string {
  const year = start.getUTCFullYear();
  return start.getUTCMonth() === 0 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
