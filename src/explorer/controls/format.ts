import { dateFormat, writerIn } from '../../charts/language.js';
import { daysInMonth } from '../../model/calendar.js';
import { calendarDay, formatDay, utcDay } from '../../model/time.js';

export const WRITE = writerIn(globalThis.navigator?.languages ?? []);

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${WRITE.number(count)} ${count === 1 ? one : many}`;
}

/**
 * Parses a day and returns it as `YYYY-MM-DD`, or `undefined` if the text is not a day. Accepts ISO dates, month names
 * in the given languages, and three numbers in the date order of the first language. A year or a month becomes its
 * first or last day, depending on `edge`. So does a marketing year such as `2012/13`.
 * @param months the months in which marketing years begin; if several, uses the latest first and the earliest last day
 */
export function readDay(
  text: string,
  languages: readonly string[],
  edge: 'first' | 'last' = 'first',
  months: readonly number[] = [],
): string | undefined {
  const [, began, ended] = /^(\d{4})\/(\d{2})$/.exec(text) ?? [];
  if (months.length > 0 && Number(ended) === (Number(began) + 1) % 100)
    return formatDay(
      edge === 'first'
        ? utcDay(Number(began), Math.max(...months), 1)
        : utcDay(Number(began) + 1, Math.min(...months), 0),
    );
  const [year = 0, month, day] = readParts(text.normalize('NFKC').toLowerCase().trim(), languages);
  const edgeMonth = month ?? (edge === 'first' ? 1 : 12);
  const edgeDay = day ?? (edge === 'first' ? 1 : daysInMonth(year, edgeMonth));
  const ms = year < 1000 ? null : calendarDay(year, edgeMonth, edgeDay);
  return ms === null ? undefined : formatDay(ms);
}

const DATE_PARTS = ['year', 'month', 'day'] as const;

/** Returns the year and, if given, the month and the day. Returns an empty array if the text is not a date. */
function readParts(text: string, languages: readonly string[]): readonly (number | undefined)[] {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  if (/^\d{4}(-\d{1,2}|(\D\d{1,2}){2})?$/.test(text)) return numbers;
  // In every language, dates with dots that end with the year begin with the day. `7/2024` and `7.2024` are months.
  if (/^(\d{1,2}[./]\d{4}|(\d{1,2}[.]){2}\d{4})$/.test(text)) return numbers.reverse();
  if (numbers.length === 3 && !/\p{L}{3}/u.test(text)) {
    const parts = dateFormat(languages, {}).formatToParts(0);
    const order = parts.flatMap(({ type }) => DATE_PARTS.filter((part) => part === type));
    return DATE_PARTS.map((part) => numbers[order.indexOf(part)]);
  }
  const month = numbers.length < 3 ? monthIn(text, languages) : undefined;
  const [year, day] = numbers[0]! > 31 ? numbers : numbers.reverse();
  return month === undefined ? [] : [year, month, day];
}

/** Parses a day of the year, such as `04-15`, `4/15` or `April 15`, to `MM-DD`. `04-05` is always month and day. */
export function readDayOfYear(text: string, languages: readonly string[]): string | undefined {
  const written = text.trim().replace(/\.$/, '');
  const [first, second, third] = written.match(/\d+/g) ?? [];
  if (written === '') return undefined;
  const dates = /^\d{2}-\d{2}$/.test(written)
    ? [`2001-${written}`]
    : third !== undefined
      ? [written.replace(/\d{4}/, '2001')]
      : [written + (second ? '.2001' : ' 2001'), `2001-${first}-${second}`, `2001-${second}-${first}`];
  return dates
    .map((date) => readDay(date, languages))
    .find((day) => day !== undefined)
    ?.slice(5);
}

/** Parses a day of the year (see `readDayOfYear`) in the year of another day. */
export function readDayIn(day: string, text: string, languages: readonly string[]): string | undefined {
  const found = readDayOfYear(text, languages);
  return found && `${day.slice(0, 4)}-${found}`;
}

function monthIn(text: string, languages: readonly string[]): number | undefined {
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  for (const language of [...languages, 'en']) {
    const format = dateFormat([language], { month: 'long' });
    for (let month = 0; month < 12; month++) {
      const name = format.format(Date.UTC(2001, month, 15)).toLowerCase();
      if (words.some((word) => name.startsWith(word))) return month + 1;
    }
  }
  return undefined;
}
