import { monthNumber, monthStart, type Period } from '../model/calendar.js';
import { howsOf, usualHow } from '../model/chart-choices.js';
import { DAY_MS } from '../model/time.js';
import type { Writer } from './language.js';
import { isAnnual, type Line, USUAL_YEARS, withValues, yearsBefore } from './lines.js';

const MIN_YEARS = 3;
const MAX_MONTH_DAYS = 32;
const MAX_LISTED = 3;

/** A figure of the last year or month of a line, and those of the years before in the same part of the year. */
interface Latest extends Period {
  readonly value: number;
  readonly before: readonly number[];
}

/**
 * A chart of lines in one sentence made of the figures: the latest value against the usual, or the latest values of
 * several lines. Null where the lines have nothing in common to say.
 */
export function headline(given: readonly Line[], write: Writer): string | null {
  const lines = given.map(withValues);
  const [first, ...others] = lines;
  const latest = lines.map(latestOf);
  if (first === undefined || latest.includes(null)) return null;
  const [own] = latest as Latest[];
  const unit = shortUnit(first.unit);
  const period = write.period(own!.startMs, own!.endMs);
  const how = howsOf(lines.slice(0, 1));
  const when = how === '' ? ` ${period}` : `, ${how} of ${period}`;
  const isOfOne = (name: 'metric' | 'item' | 'unit' | 'how') =>
    others.every((line) => line[name] === first[name]);
  if (others.length === 0) {
    const usual = comparedWithUsual(own!, first, write.number);
    const measured = measuredBy(first);
    const subject = first.region === '' ? upperFirst(measured) : `${first.region} ${measured}`;
    return `${subject}${when}: ${withUnit(write.number(rounded(own!.value)), unit)}${usual}`;
  }
  if (!isOfOne('metric') || !isOfOne('item') || !isOfOne('unit') || !isOfOne('how')) return null;
  const now = lines.flatMap((line, at) =>
    latest[at]!.endMs === own!.endMs ? [{ line, ...latest[at]! }] : [],
  );
  if (now.length < 2) return null;
  const subject = `${upperFirst(measuredBy(first))}${when}`;
  const figure = (value: number) => write.number(rounded(value));
  if (now.length <= MAX_LISTED)
    return `${subject}: ${withUnit(now.map(({ line, value }) => `${line.label} ${figure(value)}`).join(', '), unit)}`;
  const ranked = [...now].sort((a, b) => b.value - a.value);
  const [highest, lowest] = [ranked[0]!, ranked.at(-1)!];
  return `${subject}: ${highest.line.label} is the highest of ${now.length} with ${withUnit(figure(highest.value), unit)}, ${lowest.line.label} the lowest with ${figure(lowest.value)}`;
}

/** `6 % above the average of the 10 years before`; empty where there are too few years. */
function comparedWithUsual({ value, before }: Latest, first: Line, number: Writer['number']): string {
  if (before.length < MIN_YEARS) return '';
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length;
  const month = isAnnual(first) ? '' : ' of this month';
  const usual = `the average${month} of the ${before.length} years before`;
  // Degrees have no zero of which they are shares.
  if (!first.unit.startsWith('°') && mean !== 0) return `, ${comparedWith(value, mean, number)} ${usual}`;
  const moved = Math.abs(value - mean);
  const amount = withUnit(number(rounded(moved)), shortUnit(first.unit));
  return moved < 0.05 ? `, equal to ${usual}` : `, ${amount} ${value > mean ? 'above' : 'below'} ${usual}`;
}

/** `6 % above`, `6 % below` or `equal to`. */
export function comparedWith(value: number, usual: number, number: Writer['number']): string {
  const percent = Math.round(Math.abs((value - usual) / usual) * 100);
  return percent === 0 ? 'equal to' : `${number(percent)} % ${value > usual ? 'above' : 'below'}`;
}

function latestOf(line: Line): Latest | null {
  const { start, end, value } = line;
  const last = value.length - 1;
  if (last < 0) return null;
  if (isAnnual(line)) {
    const before = [...yearsBefore(line)];
    return { startMs: start[last]!, endMs: end[last]!, value: value[last]!, before };
  }
  const months = byMonth(line);
  const wanted = [...months.keys()].findLast((month) => goesToTheEnd(line, month));
  if (wanted === undefined) return null;
  const before = Array.from({ length: USUAL_YEARS }, (_, i) => months.get(wanted - 12 * (i + 1)));
  return {
    startMs: monthStart(wanted),
    endMs: monthStart(wanted + 1) - DAY_MS,
    value: months.get(wanted)!,
    before: before.filter((one) => one !== undefined),
  };
}

/** A mean of a smaller share of a month's days is none of the month. A sum needs all of them. */
const MIN_MEAN_SHARE = 0.85;

/** The mean of each month, or the sum of amounts such as rain, where enough of its days have a value. */
function byMonth(line: Line): Map<number, number> {
  const { start, end, value, periodDays } = line;
  const isSum = usualHow(line) === 'sum';
  const months = new Map<number, { sum: number; count: number; ms: number }>();
  if (periodDays > MAX_MONTH_DAYS) return new Map();
  start.forEach((from, row) => {
    const month = monthNumber(from);
    const { sum, count, ms } = months.get(month) ?? { sum: 0, count: 0, ms: 0 };
    const after = end[row]! + DAY_MS;
    const to = isSum ? Math.min(after, monthStart(month + 1)) : after;
    months.set(month, { sum: sum + value[row]!, count: count + 1, ms: ms + to - from });
  });
  const share = (month: number, ms: number) => ms / (monthStart(month + 1) - monthStart(month));
  return new Map(
    [...months].flatMap(([month, { sum, count, ms }]) =>
      share(month, ms) < (isSum ? 1 : MIN_MEAN_SHARE) ? [] : [[month, isSum ? sum : sum / count]],
    ),
  );
}

/** Whether a line goes on to the end of a month. */
function goesToTheEnd({ end, periodDays }: Line, month: number): boolean {
  return end.at(-1)! + DAY_MS >= monthStart(month + 1) - periodDays * DAY_MS * 0.5;
}

/** `corn yield`; the item alone where it says the metric. */
export function measuredBy({ metric, item }: Pick<Line, 'metric' | 'item'>): string {
  const [first = ''] = metric.toLowerCase().split(' ');
  return item.toLowerCase().includes(first) ? lowerFirst(item) : `${lowerFirst(item)} ${lowerFirst(metric)}`;
}

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Names that go on with a capital, such as GDP, stay. */
const lowerFirst = (text: string) =>
  /^.[A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}

/** `bu/ac (corn)` without the crop that the sentence names already. */
export function shortUnit(unit: string): string {
  return unit.replace(/ \(.*\)$/, '');
}

/** Three significant digits, and whole numbers above them. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
