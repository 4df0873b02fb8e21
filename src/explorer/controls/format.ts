import { dateFormat, writerIn } from '../../charts/language.js';
import { daysInMonth } from '../../model/calendar.js';
import { calendarDay, formatDay, isDay } from '../../model/time.js';

/** Formats numbers and dates in the reader's language. */
export const WRITE = writerIn(globalThis.navigator?.languages ?? []);
export const {
  number: formatNumber,
  day: formatDate,
  shortDay: formatShortDate,
  dayOfYear: formatDayOfYear,
  period: formatPeriod,
} = WRITE;

/** Returns a count with a singular or plural noun, such as `1 point` or `2 points`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/**
 * Parses a day and returns it as `YYYY-MM-DD`, or `undefined` if the text is not a day. Accepts ISO dates, month names
 * in the given languages, and three numbers in the date order of the first language. A year or a month becomes its
 * first or last day, depending on `edge`.
 */
export function readDay(
  text: string,
  languages: readonly string[],
  edge: 'first' | 'last' = 'first',
): string | undefined {
  const written = text.normalize('NFKC').toLowerCase().trim();
  const numbers = (written.match(/\d+/g) ?? []).map(Number);
  const dayOf = (year: number, month: number, day: number) => {
    const ms = year >= 1000 ? calendarDay(year, month, day) : null;
    return ms === null ? undefined : formatDay(ms);
  };
  const edgeOf = (year: number, first: number, months: number) =>
    edge === 'first'
      ? dayOf(year, first, 1)
      : dayOf(year, first + months - 1, daysInMonth(year, first + months - 1));
  if (/^\d{4}\D\d{1,2}\D\d{1,2}$/.test(written)) return dayOf(numbers[0]!, numbers[1]!, numbers[2]!);
  if (/^\d{4}$/.test(written)) return edgeOf(numbers[0]!, 1, 12);
  if (/^\d{4}-\d{1,2}$/.test(written))
    return numbers[1]! > 12 ? undefined : edgeOf(numbers[0]!, numbers[1]!, 1);
  const month = numbers.length < 3 ? monthIn(written, languages) : undefined;
  if (numbers.length === 1) return month === undefined ? undefined : edgeOf(numbers[0]!, month, 1);
  if (numbers.length === 2) {
    const [year, day] = numbers[0]! > 31 ? numbers : [numbers[1]!, numbers[0]!];
    return month === undefined ? undefined : dayOf(year!, month, day!);
  }
  if (numbers.length !== 3 || /\p{L}{3}/u.test(written)) return undefined;
  const order = partsInOrder(languages);
  const part = (type: string) => numbers[order.indexOf(type)] ?? 0;
  return dayOf(part('year'), part('month'), part('day'));
}

/** Parses a day of the year, such as `04-15`, `4/15` or `April 15`. Returns `MM-DD`, or `undefined` if invalid. */
export function readDayOfYear(text: string, languages: readonly string[]): string | undefined {
  const written = text.trim();
  if (/^\d{2}-\d{2}$/.test(written)) return isDay(`2001-${written}`) ? written : undefined;
  const [first, second] = (written.match(/\d+/g) ?? []).map(Number);
  const isMonthFirst = partsInOrder(languages).indexOf('month') < partsInOrder(languages).indexOf('day');
  const named = second === undefined ? readDay(`${written} 2001`, languages) : undefined;
  const ordered = [`2001-${first}-${second}`, `2001-${second}-${first}`];
  const days = [named, ...(isMonthFirst ? ordered : ordered.reverse()).map((day) => readDay(day, languages))];
  return days.find((day) => day !== undefined)?.slice(5);
}

/** Returns the words `year`, `month` and `day` in the date order of the first language. */
function partsInOrder(languages: readonly string[]): string[] {
  const parts = dateFormat(languages, {}).formatToParts(0);
  return parts.map(({ type }) => type).filter((type) => ['year', 'month', 'day'].includes(type));
}

/** Returns the number of the month whose name occurs in the text, in full or abbreviated. */
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
