import { dateParts, monthNumber } from '../model/calendar.js';
import type { How } from '../model/chart-choices.js';
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

/** A Vega expression that formats axis labels like `Writer.number`, with up to six digits to tell ticks apart. */
export const NUMBER_LABEL = POWERS.reduceRight(
  (otherwise, [power, word]) =>
    `isFinite(datum.value) && abs(datum.value) >= ${power} ? format(datum.value / ${power}, ',.6~r') + ' ${word}' : ${otherwise}`,
  'datum.label',
);

/** Returns a date format that always uses UTC and the Gregorian calendar, as axes and files do. */
export function dateFormat(languages: readonly string[], options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat([...languages], { ...options, timeZone: 'UTC', calendar: 'gregory' });
}

/** Returns formatters for the first supported language, or the system's if none is given. Isolates right-to-left text. */
export function writerIn(languages: readonly string[]) {
  const formats = new Map<string, (value: number) => string>();
  /** Formats a number with a minus sign, not a hyphen, as on axes. Never rounds magnitudes above `NOISE` to 0. */
  const format = (value: number, digits: Intl.NumberFormatOptions) => {
    const { style, maximumFractionDigits = MAX_DECIMALS } = digits;
    const size = Math.abs(style === 'percent' ? 100 * value : value);
    const isTooSmall = size > NOISE && size < 0.5 / 10 ** maximumFractionDigits;
    const options = isTooSmall ? { style, maximumSignificantDigits: 1 } : digits;
    const key = JSON.stringify(options);
    const made = formats.get(key) ?? formatLazily(() => new Intl.NumberFormat([...languages], options));
    formats.set(key, made);
    return made(size > NOISE ? value : 0).replace('-', '−');
  };
  const dates = (options: Intl.DateTimeFormatOptions) => formatLazily(() => dateFormat(languages, options));
  /** Formats a day, such as `1 July 2014`. */
  const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });
  const [dayOfYear, monthOfYear] = [dates({ day: 'numeric', month: 'long' }), dates({ month: 'long' })];
  const quantity = (value: number | null, unit = '', series: Values = [value ?? 0]): string => {
    if (value === null || Number.isNaN(value)) return '–';
    const { power: highest, decimals } = digitsOf(series);
    const isPercent = unit === '%';
    const reached = isPercent ? 1 : Math.min(highest, Math.abs(value));
    const [power, word] = POWERS.find(([power]) => power <= reached) ?? [1, ''];
    const count = Math.max(0, decimals - Math.log10(highest / power));
    const digits = { minimumFractionDigits: count, maximumFractionDigits: count };
    if (isPercent) return format(value / 100, { style: 'percent', ...digits });
    return [format(value / power, digits), word, unit].filter(Boolean).join(' ');
  };
  return {
    /** Formats a number like `quantity`, but without a unit. */
    number: (value: number | null) => quantity(value),
    /**
     * Formats a value with its unit and the digits of its series (see `digitsOf`), as in `201 bu/ac`, `13.7 million
     * ac`, and `6%` or `6 %`, depending on the language. Null and NaN become a dash.
     */
    quantity,
    day,
    shortDay,
    /** Formats a period without its year, such as `1 July`, `week of 1 July`, `June` or `April to June`. */
    periodOfYear: (startMs: number, endMs: number) => {
      const days = Math.round((endMs - startMs) / DAY_MS) + 1;
      // A day has a second day if it is 28 February of a common year, which is mapped onto a leap year.
      if (days < 3) return dayOfYear(startMs);
      if (days === 7) return `week of ${dayOfYear(startMs)}`;
      if (days < 28) return `${dayOfYear(startMs)} to ${dayOfYear(endMs)}`;
      // Percentiles have periods around their dates, which can begin and end a few days from the month.
      return [...new Set([startMs + 5 * DAY_MS, endMs - 5 * DAY_MS].map(monthOfYear))].join(' to ');
    },
    /** Formats a period as a day, month, year or marketing year (`2012/13`), or else as its first and last days. */
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

/** Appends the as-of date, if there is one, and any remarks to a credit line. */
export function creditAsKnown(
  credit: string,
  { asof, write, ...more }: { asof: string | null; write: Writer; remarks?: readonly string[] | undefined },
): string {
  const known = asof === null ? [] : [`As known at the end of ${write.day(parseTime(asof, 'day'))}`];
  const said = [...known, ...(more.remarks ?? [])];
  return said.length === 0 ? credit : [credit || 'unknown', ...said].join(' · ');
}

/** Defers creating the formatter until its first use, because creating one is slow in browsers. */
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

/** Values with more decimal places than this are assumed to be computed, as means, quotients and conversions are. */
const MAX_DECIMALS = 8;
/** Values of at least 1 with more decimal places than this and more than `MAX_DIGITS` digits also count as computed. */
const MAX_STORED_DECIMALS = 3;
const MAX_DIGITS = 6;
/** Differences smaller than this are artefacts of the binary representation of decimal fractions. */
const NOISE = 1e-12;
const digitsByValues = new WeakMap<Values, Digits>();
type Values = Float64Array | readonly number[];

/** The highest power of ten of a series, and the decimal places of values divided by it. Lower values have fewer. */
type Digits = Readonly<Record<'power' | 'decimals', number>>;

/**
 * Returns the number format that every part of a page uses for the values of a series. Stored values keep all their
 * digits. Values of a million or more are written with a word, as in `13.7 million`, unless that requires too many
 * decimal places. Computed values have as many decimal places as the largest value needs for four significant digits.
 */
export function digitsOf(values: Values): Digits {
  const found = digitsByValues.get(values);
  if (found !== undefined) return found;
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  const forms = [...POWERS.map(([power]) => power).filter((power) => power <= largest), 1].map((power) => {
    const digits = Math.floor(Math.log10(largest / power)) + 1;
    const stored = storedDecimals(values, power);
    const isFew = stored <= MAX_STORED_DECIMALS || digits <= 0 || digits + stored <= MAX_DIGITS;
    const isStored = stored <= MAX_DECIMALS && isFew;
    return { power, isStored, decimals: isStored ? stored : Math.max(0, Math.min(MAX_DECIMALS, 4 - digits)) };
  });
  const made = forms.find(({ isStored }) => isStored) ?? forms[0]!;
  digitsByValues.set(values, made);
  return made;
}

function storedDecimals(values: Values, power: number): number {
  let decimals = 0;
  for (const value of values)
    while (decimals <= MAX_DECIMALS && Number.isFinite(value) && !isInteger((value / power) * 10 ** decimals))
      decimals++;
  return decimals;
}

/** Returns the number of decimal places for values not divided by a power of ten (see `digitsOf`). */
export function decimalsOf(values: Values): number {
  const { decimals, power } = digitsOf(values);
  return Math.max(0, decimals - Math.log10(power));
}

/**
 * Returns the numbers that determine the digits of sums or means. Sums have the decimal places of most stored values, and
 * means one more. A few finer values, such as traces of rain stored as 0.0001, do not count. Two digits always remain.
 */
export function derivedFigures(values: Values, stored: Values, how: How): Values {
  const places = [...stored].filter((value) => value !== 0).map((value) => storedDecimals([value], 1));
  const usual = places.sort((a, b) => a - b)[Math.floor(places.length * 0.6)] ?? 0;
  const most = Math.max(decimalsOf(values) - 2, how === 'sum' ? usual : usual + 1);
  return decimalsOf(values) > most ? [...values].map((value) => Number(value.toFixed(most))) : values;
}

/** Checks whether a number is an integer, allowing for rounding errors. */
function isInteger(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= NOISE + 1e-12 * Math.abs(value);
}
