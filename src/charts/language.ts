import { dateParts, monthNumber } from '../model/calendar.js';
import { DAY_MS } from '../model/time.js';

/** How a language writes numbers and dates. Texts of languages that are written from right to left keep their places in a sentence. */
export interface Writer {
  /** Six significant digits, and whole numbers below a million with all of theirs: `14 million`; a dash where there is no value. */
  readonly number: (value: number | null) => string;
  /** All digits. */
  readonly exact: (value: number) => string;
  /** A day: `1 July 2014`. */
  readonly day: (ms: number) => string;
  /** A day in few characters. */
  readonly shortDay: (ms: number) => string;
  /** A day of no year: `1 July`. */
  readonly dayOfYear: (ms: number) => string;
  /** A period: a day, a month, a year, a marketing year such as `2012/13`, or its first and last day. */
  readonly period: (startMs: number, endMs: number) => string;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Returns a text that does not change the order of the text around it, although it may be written from right to left.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

const POWERS = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** Writes the labels of a quantitative axis of Vega as `Writer.number` writes values. */
export const NUMBER_LABEL = POWERS.reduceRight(
  (otherwise, [power, word]) =>
    `abs(datum.value) >= ${power} ? format(datum.value / ${power}, ',.6~r') + ' ${word}' : ${otherwise}`,
  'datum.label',
);

/** Returns the format of dates in a language: UTC and Gregorian, as those of axes and files, wherever the reader is. */
export function dateFormat(languages: readonly string[], options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat([...languages], { ...options, timeZone: 'UTC', calendar: 'gregory' });
}

/** Returns the writer of the first known language of a list; of the machine's own for an empty one. */
export function writerIn(languages: readonly string[]): Writer {
  const numbers = (options: Intl.NumberFormatOptions) =>
    lazily(() => new Intl.NumberFormat([...languages], options));
  const dates = (options: Intl.DateTimeFormatOptions) => lazily(() => dateFormat(languages, options));
  const whole = numbers({ maximumFractionDigits: 0 });
  const decimal = numbers({ maximumSignificantDigits: 6 });
  const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });
  return {
    number: (value) => {
      if (value === null || Number.isNaN(value)) return '–';
      const [power, word] = POWERS.find(([power]) => Math.abs(value) >= power) ?? [];
      if (power !== undefined) return `${decimal(value / power)} ${word}`;
      return (Number.isInteger(value) ? whole : decimal)(value);
    },
    exact: numbers({ maximumSignificantDigits: 17 }),
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

/** Returns a format that is made when it is first used, since that takes a browser long. */
function lazily(make: () => { format(value: number): string }): (value: number) => string {
  let made: ReturnType<typeof make> | undefined;
  return (value) => {
    made ??= make();
    return isolated(made.format(value));
  };
}

/** Returns a year that begins with a month: `2012`, or `2012/13`. */
function yearText(startMs: number): string {
  const { year, month } = dateParts(startMs);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
