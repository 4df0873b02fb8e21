import { monthNumber, monthStart, type Period, yearOf } from '../model/calendar.js';
import { aggregationNames, defaultAggregation } from '../model/chart-choices.js';
import { hasTrueZero } from '../model/derivations.js';
import { lowerFirst, upperFirst } from '../model/names/first-letter.js';
import { DAY_MS } from '../model/time.js';
import { decimalsOf, derivedFigures, isolateText, type Writer } from './language.js';
import { figuresOf, isAnnual, type Line, USUAL_YEARS, withValues, yearsBefore } from './lines.js';

const MIN_YEARS = 3;
const [MIN_MONTH_DAYS, MAX_MONTH_DAYS] = [28, 32];
type Figures = ReturnType<typeof figuresOf>;
const MAX_LISTED = 3;

interface Latest extends Period {
  readonly value: number;
  /** The values that determine the number format: all values or, for daily and weekly lines, the monthly values. */
  readonly figures: Figures;
  readonly before: readonly number[];
}

/** What the latest value is compared with in a headline: `change` is the year before, and `index` the first value. */
export type Comparison = 'years' | 'ten years' | 'change' | 'index' | 'nothing';

/** Describes lines in a sentence that compares the last value with earlier ones, or null if there is no value. */
export function headline(
  lines: readonly Line[],
  write: Writer,
  comparison: Comparison = 'ten years',
): string | null {
  const shared = sharedHeadline(lines, write, comparison);
  if (shared !== null || lines.length < 2) return shared;
  const plain = comparison.endsWith('years') ? 'nothing' : comparison;
  const each = lines.slice(0, MAX_LISTED).map((line) => sharedHeadline([line], write, plain));
  if (each.includes(null)) return null;
  const left = lines.length - each.length;
  return [...each, ...(left > 0 ? [`and ${write.number(left)} more series`] : [])].join('; ');
}

/** Describes lines in a sentence, or returns null if measures differ or no other line ends when the first line does. */
function sharedHeadline(given: readonly Line[], write: Writer, comparison: Comparison): string | null {
  const lines = given.map((line) => withIsolatedNames(withValues(line)));
  const isOfYears = comparison === 'ten years' || comparison === 'years';
  const latest = lines.flatMap((line) => (isOfYears ? latestOf(line, comparison) : lastOf(line)) ?? []);
  const [first] = lines;
  const [own] = latest;
  if (first === undefined || own === undefined || latest.length < lines.length) return null;
  const names = ['metric', 'item', 'unit', 'how'] as const;
  if (!names.every((name) => lines.every((line) => line[name] === first[name]))) return null;
  const period = write.period(own.startMs, own.endMs);
  // Daily and weekly values are aggregated to months here, so the headline names the aggregation.
  const isOfMonth = isOfYears && first.periodDays < MIN_MONTH_DAYS;
  const how = aggregationNames(isOfMonth ? [{ how: first.how ?? defaultAggregation(first) }] : [first]);
  const when = how === '' ? ` ${period}` : `, ${how} of ${period}`;
  const measured = measureName(first);
  const { figure, unit, after } = phrasesOf(lines, comparison, write);
  const withUnit = (text: string) => (unit === '' ? text : `${text} ${unit}`);
  if (lines.length === 1) {
    const usual = isOfYears ? compareWithUsual(own, first, write) : after;
    const subject = first.region === '' ? upperFirst(measured) : `${first.region} ${measured}`;
    return `${subject}${when}: ${withUnit(figure(own))}${usual}`;
  }
  const now = lines
    .map((line, at) => ({ ...latest[at]!, label: line.label, text: figure(latest[at]!) }))
    .filter(({ endMs }) => endMs === own.endMs);
  if (now.length < 2) return null;
  const subject = `${upperFirst(measured)}${when}`;
  if (now.length <= MAX_LISTED)
    return `${subject}: ${withUnit(now.map(({ label, text }) => `${label} ${text}`).join(', '))}${after}`;
  const ranked = [...now].sort((a, b) => b.value - a.value);
  const [highest, lowest] = [ranked[0]!, ranked.at(-1)!];
  return `${subject}: ${highest.label} is the highest of ${now.length} with ${withUnit(highest.text)}, ${lowest.label} the lowest with ${lowest.text}${after}`;
}

function withIsolatedNames(line: Line): Line {
  const names = ['label', 'metric', 'item', 'region'] as const;
  return { ...line, ...Object.fromEntries(names.map((name) => [name, isolateText(line[name])])) };
}

/** Returns the number format, unit and closing phrase for a headline with the given comparison. */
function phrasesOf(lines: readonly Line[], comparison: Comparison, write: Writer) {
  const unit = shortUnit(lines[0]!.unit);
  if (comparison !== 'change') {
    const bases = lines.map(({ start, end }) => write.period(start[0]!, end[0]!));
    const base = new Set(bases).size === 1 ? bases[0] : 'the first value of each';
    // Headlines with several values state the unit only once, but repeat percent signs.
    const own = unit === '%' ? unit : '';
    const figure = ({ value, figures }: Latest) => write.quantity(value, own, figures);
    const after = comparison === 'index' ? `, with ${base} = 100` : '';
    return { figure, unit: own === '' ? unit : '', after };
  }
  const moved = ({ value, figures }: Latest) => {
    if (value === 0) return 'unchanged';
    const amount = write.quantity(Math.abs(value), unit, figures);
    return lines.length === 1
      ? `${amount} ${value > 0 ? 'more' : 'less'}`
      : `${value > 0 ? '+' : '−'}${amount}`;
  };
  const after = lines.length === 1 ? ' than a year earlier' : ' from a year earlier';
  return { figure: moved, unit: '', after };
}

function lastOf(line: Line): Latest | null {
  const row = line.value.length - 1;
  const [startMs, endMs, value] = [line.start[row]!, line.end[row]!, line.value[row]!];
  return row < 0 ? null : { startMs, endMs, value, figures: figuresOf(line), before: [] };
}

/** Compares a value with the average of earlier years, as in `6% above …`. Returns `''` if there are too few years. */
function compareWithUsual({ value, figures, before }: Latest, first: Line, write: Writer): string {
  if (before.length < MIN_YEARS) return '';
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length;
  const month = isAnnual(first) ? '' : ' of this month';
  const usual = `the average${month} of the ${before.length} years before`;
  // Percentages are meaningless for temperatures, which have no true zero, and for series with negative values. A
  // percentage of a percentage would be mistaken for a difference in percentage points.
  const isShare = first.unit === '%';
  const isAmount = !isShare && hasTrueZero(first.unit) && [value, ...before].every((one) => one >= 0);
  if (isAmount && mean !== 0) return `, ${comparisonText(value, mean, write)} ${usual}`;
  const decimals = Math.max(decimalsOf(figures), Math.abs(value) < 100 ? 1 : 0);
  const moved = Number(Math.abs(value - mean).toFixed(decimals));
  const movedUnit = isShare ? 'percentage points' : shortUnit(first.unit);
  const amount = write.quantity(moved, movedUnit, Math.abs(value) < 100 ? [moved] : figures);
  return moved === 0 ? `, equal to ${usual}` : `, ${amount} ${value > mean ? 'above' : 'below'} ${usual}`;
}

export function comparisonText(value: number, usual: number, { quantity }: Writer): string {
  const percent = Math.round(Math.abs((value - usual) / usual) * 100);
  return percent === 0 ? 'equal to' : `${quantity(percent, '%')} ${value > usual ? 'above' : 'below'}`;
}

function latestOf(line: Line, comparison: Comparison): Latest | null {
  const last = lastOf(line);
  if (last === null) return null;
  if (isAnnual(line)) return { ...last, before: [...yearsBefore(line)] };
  const months = groupByMonth(line);
  const wanted = [...months.keys()].findLast((month) => reachesMonthEnd(line, month));
  if (wanted === undefined) return null;
  const isOfAll = comparison === 'years';
  // The chart compares the latest year with all earlier years, so the headline's month must be in the latest year.
  if (isOfAll && Math.floor(wanted / 12) !== yearOf(last.startMs)) return null;
  const years = isOfAll ? yearOf(last.startMs) - yearOf(line.start[0]!) : USUAL_YEARS;
  const figuresOfMonths = () => derivedFigures([...months.values()], line.value, defaultAggregation(line));
  const before = Array.from({ length: years }, (_, i) => months.get(wanted - 12 * (i + 1)));
  return {
    startMs: monthStart(wanted),
    endMs: monthStart(wanted + 1) - DAY_MS,
    value: months.get(wanted)!,
    figures: line.periodDays < MIN_MONTH_DAYS ? figuresOfMonths() : last.figures,
    before: before.filter((one) => one !== undefined),
  };
}

/** The minimum share of a month's days with data that a mean requires. A sum requires all days. */
const MIN_MEAN_SHARE = 0.85;

/** Returns the mean (the sum for amounts such as rain) of each month with enough data, keyed by month number. */
function groupByMonth(line: Line): Map<number, number> {
  const { start, end, value, periodDays } = line;
  const isSum = defaultAggregation(line) === 'sum';
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

/** Checks whether a line's data reach the end of a month, with a tolerance of half a period. */
function reachesMonthEnd({ end, periodDays }: Line, month: number): boolean {
  return end.at(-1)! + DAY_MS >= monthStart(month + 1) - periodDays * DAY_MS * 0.5;
}

/** Returns a phrase such as `corn yield` or, if the item contains the metric's first word, `temperature max, mean of …`. */
export function measureName({ metric, item }: Pick<Line, 'metric' | 'item'>): string {
  const [first = '', ...derived] = metric.split(/(?=, )/);
  const [word = ''] = first.toLowerCase().split(' ');
  if (item === '') return lowerFirst(metric);
  return item.toLowerCase().includes(word)
    ? `${lowerFirst(item)}${derived.join('')}`
    : `${lowerFirst(item)} ${lowerFirst(metric)}`;
}

/** Removes the crop in parentheses from a unit such as `bu/ac (corn)`, because the headline already names the crop. */
export function shortUnit(unit: string): string {
  return unit.replace(/ \(.*\)$/, '');
}
