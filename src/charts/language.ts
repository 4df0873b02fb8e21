import { dateParts, monthNumber } from '../model/calendar.js';
import { DAY_MS, parseTime } from '../model/time.js';

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Isolates a right-to-left string so that it does not reorder the text around it. */
export function isolateText(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

const POWERS = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** A Vega expression that formats axis labels in the same way as `Writer.number`. */
export const NUMBER_LABEL = POWERS.reduceRight(
  (otherwise, [power, word]) =>
    `abs(datum.value) >= ${power} ? format(datum.value / ${power}, ',.6~r') + ' ${word}' : ${otherwise}`,
  'datum.label',
);

/** Returns a date format that always uses UTC and the Gregorian calendar, as axes and files do. */
export function dateFormat(languages: readonly string[], options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat([...languages], { ...options, timeZone: 'UTC', calendar: 'gregory' });
}

/**
 * Returns formatters for the first supported language in a list, or for the system language if the list is empty.
 * Right-to-left text is isolated so that the text around it keeps its order.
 */
export function writerIn(languages: readonly string[]) {
  /** Returns a number formatter that writes a minus sign instead of a hyphen, as axes do. */
  const numbers = (options: Intl.NumberFormatOptions) => {
    const format = formatLazily(() => new Intl.NumberFormat([...languages], options));
    return (value: number) => format(value).replace('-', '−');
  };
  const dates = (options: Intl.DateTimeFormatOptions) => formatLazily(() => dateFormat(languages, options));
  const whole = numbers({ maximumFractionDigits: 0 });
  const decimal = numbers({ maximumSignificantDigits: 6 });
  /** Formats a day, such as `1 July 2014`. */
  const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });
  const percent = numbers({ style: 'percent', maximumSignificantDigits: 6 });
  const number = (value: number | null) => {
    if (value === null || Number.isNaN(value)) return '–';
    const [power, word] = POWERS.find(([power]) => Math.abs(value) >= power) ?? [];
    if (power !== undefined) return `${decimal(value / power)} ${word}`;
    return (Number.isInteger(value) ? whole : decimal)(value);
  };
  return {
    /** Formats a number with up to six significant digits, such as `14 million`. Null and NaN are shown as a dash. */
    number,
    /** Formats a number with its unit, such as `201 bu/ac`, and a percentage as the language does: `6%` or `6 %`. */
    quantity: (value: number | null, unit: string) => {
      if (value === null || Number.isNaN(value) || unit === '') return number(value);
      return unit === '%' ? percent(value / 100) : `${number(value)} ${unit}`;
    },
    /** Formats a number with all its digits. */
    exact: numbers({ maximumSignificantDigits: 17 }),
    day,
    shortDay,
    /** Formats a day without its year, such as `1 July`. */
    dayOfYear: dates({ day: 'numeric', month: 'long' }),
    /** Formats a period as a day, a month, a year, a marketing year (`2012/13`), or else its first and last day. */
    period: (startMs: number, endMs: number) => {
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
export type Writer = ReturnType<typeof writerIn>;

/** Appends the as-of date and remarks to a credit line, if there are any. */
export function creditAsKnown(
  credit: string,
  {
    asof,
    write,
    remarks = [],
  }: { asof: string | null; write: Writer; remarks?: readonly string[] | undefined },
): string {
  const known = asof === null ? [] : [`As known at the end of ${write.day(parseTime(asof, 'day'))}`];
  const said = [...known, ...remarks];
  return said.length === 0 ? credit : [credit || 'unknown', ...said].join(' · ');
}

/** Creates the formatter on first use, because creating one is slow in browsers. */
function formatLazily(make: () => { format(value: number): string }): (value: number) => string {
  let made: ReturnType<typeof make> | undefined;
  return (value) => {
    made ??= make();
    return isolateText(made.format(value));
  };
}

/** Formats a year, given its first day: `2012` if it starts in January, `2012/13` otherwise. */
function yearText(startMs: number): string {
  const { year, month } = dateParts(startMs);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}

/** Returns a value of up to six significant digits unchanged; rounds longer values with `roundFigure`. */
export function shortenFigure(value: number): number {
  return Number(value.toPrecision(6)) === value ? value : roundFigure(value);
}

/** Rounds a value to three significant digits, or to an integer if its absolute value is 100 or more. */
export function roundFigure(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
