import { dateParts, monthNumber } from '../model/calendar.js';
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
      const afterMs = endMs + DAY_MS;
      const isOfMonths = [startMs, afterMs].every((ms) => dateParts(ms).day === 1);
      const months = isOfMonths ? monthNumber(afterMs) - monthNumber(startMs) : 0;
      if (months === 1) return month(startMs);
      if (months === 12) return yearText(startMs);
      return `${shortDay(startMs)} – ${shortDay(endMs)}`;
    },
  };
}

/** A year that begins with a month: `2012`, or `2012/13`. */
function yearText(startMs: number): string {
  const { year, month } = dateParts(startMs);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
