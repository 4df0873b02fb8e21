import { dateFormat, writerIn } from '../../charts/language.js';
import { calendarDay, formatDay } from '../../model/time.js';

/** How the reader writes numbers and dates. */
export const WRITE = writerIn(globalThis.navigator?.languages ?? []);
export const {
  number: formatNumber,
  day: formatDate,
  shortDay: formatShortDate,
  dayOfYear: formatDayOfYear,
  period: formatPeriod,
} = WRITE;

/** One or several: `1 series`, `2 points`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/**
 * The day `YYYY-MM-DD` that a text says: in that form, with the name of a month in one of some languages, or as three numbers
 * in the order of the first of them. Undefined where it says none.
 */
export function readDay(text: string, languages: readonly string[]): string | undefined {
  const written = text.normalize('NFKC').toLowerCase().trim();
  const numbers = (written.match(/\d+/g) ?? []).map(Number);
  const dayOf = (year: number, month: number, day: number) => {
    const ms = year >= 1000 ? calendarDay(year, month, day) : null;
    return ms === null ? undefined : formatDay(ms);
  };
  if (/^\d{4}\D\d{1,2}\D\d{1,2}$/.test(written)) return dayOf(numbers[0]!, numbers[1]!, numbers[2]!);
  if (numbers.length === 2) {
    const month = monthIn(written, languages);
    const [year, day] = numbers[0]! > 31 ? numbers : [numbers[1]!, numbers[0]!];
    return month === undefined ? undefined : dayOf(year!, month, day!);
  }
  if (numbers.length !== 3 || /\p{L}{3}/u.test(written)) return undefined;
  const order = dateFormat(languages, {})
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => ['year', 'month', 'day'].includes(type));
  const part = (type: string) => numbers[order.indexOf(type as 'year')] ?? 0;
  return dayOf(part('year'), part('month'), part('day'));
}

/** The number of the month of which a text has the name, or the beginning of it. */
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
