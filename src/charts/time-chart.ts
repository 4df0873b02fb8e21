import { dateParts } from '../model/calendar.js';
import { isSum } from '../model/derivations.js';
import { ArgumentError, badArgument, shownList } from '../model/errors.js';
import { DAY_MS, formatDay } from '../model/time.js';
import { type Chart, type FramePlotOptions, sizeOf } from './chart.js';
import { writerIn } from './language.js';
import { distinctLabels, drawnLines, isAnnual, joinTexts, type Line, momentOf, withValues } from './lines.js';
import { type Axis, axisOf, type LineMark, type Panel, panelChart, panelGrid } from './panels.js';
import { COLOURS, lineStyles } from './theme.js';

/** The maximum number of panels in a grid, which has one panel for each series. */
const MAX_PANELS = 60;
/** Each point is marked with a dot if no line has more points than this. */
const MAX_MARKED_POINTS = 40;
/** Lines with more points than this are drawn thin, so that neighbouring values can be told apart. */
const MAX_THICK_POINTS = 1_500;

/**
 * Draws lines over time. Up to eight lines share one panel per unit; if there are more, each line has its own panel.
 * Lines whose periods are longer than those of another line are drawn as steps.
 * @throws ArgumentError if there is nothing to draw, or there are too many lines or units
 */
export function timeChart(
  given: readonly Line[],
  texts: FramePlotOptions & { readonly title: string },
): Chart {
  const figureLines = given.filter(({ value }) => !value.every(Number.isNaN));
  const lines = figureLines.map(withValues);
  if (lines.length === 0)
    throw new ArgumentError('series', 'there is no series with a value to draw', {
      remedy: 'pass at least one',
    });
  const { places, smooth, scale } = texts;
  const labels = distinctLabels(lines.map(({ label }) => label));
  const named = { labels, lines: figureLines };
  const units = [...new Set(lines.map(({ unit }) => unit))];
  const isGrid = lines.length > COLOURS.length;
  if (isGrid) checkGrid(lines.length, units.length);
  // Lines with longer periods are not smoothed, because the window around a value would contain no other value.
  const isSmooth = ({ periodDays }: Line) => smooth !== undefined && !isGrid && periodDays <= smooth / 2;
  const width = isGrid ? 160 : sizeOf(texts).width;
  const { drawn, note, span } = drawnLines(lines, { width, maxPoints: texts.max_points });
  const without = given.length - lines.length;
  const described = {
    ...texts,
    subtitle: joinTexts([
      texts.subtitle,
      lines.some(isSmooth) ? `${smooth}-day mean (original values drawn faintly)` : '',
      note,
      without === 0 ? '' : `not shown: ${without} series without a value`,
    ]),
    description: describeLines(lines, labels, { title: texts.title, span }),
  };
  if (isGrid) return panelGrid(drawn, described, { ...named, axis: valueAxis(lines, scale) });
  const isOfYears = lines.every(isAnnual);
  const longest = Math.max(...lines.map(({ value }) => value.length));
  const styles = lineStyles(lines, places);
  const bars = barsOf(lines, scale);
  const panels = units.map((unit): Panel => {
    const ofUnit = lines.filter((line) => line.unit === unit);
    const marks = ofUnit.flatMap((line): LineMark[] => {
      const s = lines.indexOf(line);
      const mark = {
        series: s,
        label: lines.length === 1 ? '' : labels[s]!,
        ...(bars ?? drawn[s]!),
        ...styles[s]!,
        ...(line.value.length > MAX_THICK_POINTS && { width: 1 }),
        hasDots: longest <= MAX_MARKED_POINTS,
      };
      if (smooth === undefined || !isSmooth(line)) return [mark];
      // The original values are drawn faintly behind their mean.
      const faint = { ...mark, label: '', width: 0.8, opacity: 0.35 };
      return [faint, { ...mark, ...computeCentredMean(line, smooth), width: 2.2 }];
    });
    return { axis: valueAxis(ofUnit, scale), lines: marks };
  });
  const [firstMonth, ...otherMonths] = new Set(lines.flatMap(({ start }) => dateParts(start[0]!).month));
  const years = { ...described, firstMonth: otherMonths.length === 0 ? firstMonth : 1 };
  return panelChart(isOfYears ? 'years' : 'time', panels, years, named);
}

/** Returns the axis for lines with the same unit. @throws ArgumentError if values on a log axis are not positive */
function valueAxis(lines: readonly Line[], scale: FramePlotOptions['scale']): Axis {
  const [first, ...others] = new Set(lines.map(({ metric }) => metric));
  const axis = axisOf(others.length === 0 ? first! : 'Value', lines[0]!.unit);
  if (scale === 'log') {
    const low = lines.find(({ value }) => value.some((one) => one <= 0));
    if (low === undefined) return { ...axis, zero: 'log' };
    throw badArgument(
      'scale',
      `${low.label} has values that are not above 0, which a logarithmic axis cannot show`,
    );
  }
  return scale === 'zero' || lines.every(({ metric }) => isSum(metric)) ? { ...axis, zero: 'always' } : axis;
}

const MAX_BARS = 200;

/** Returns bars for a single series of sums, each bar as wide as its period, or null if a line is more suitable. */
function barsOf(
  lines: readonly Line[],
  scale: FramePlotOptions['scale'],
): Pick<LineMark, 'x' | 'y' | 'barEnds'> | null {
  const [line, another] = lines;
  if (another !== undefined || scale === 'log' || !isSum(line!.metric) || line!.value.length > MAX_BARS)
    return null;
  const { start, end, value } = line!;
  return { x: start, y: value, barEnds: end.map((day) => day + DAY_MS) };
}

/** Computes centred means, about eight per window of days. The line breaks where about half of a window lacks values. */
function computeCentredMean(line: Line, days: number): Pick<LineMark, 'x' | 'y'> {
  const { start, end, value, periodDays } = line;
  const half = (days / 2) * DAY_MS;
  const step = Math.max(1, Math.round(days / periodDays / 8));
  const least = days / periodDays / 2;
  const [x, y]: [number[], number[]] = [[], []];
  let [from, to, sum] = [0, 0, 0];
  const isBeforeGap = (row: number) => start[row + 1]! - end[row]! > half;
  for (let row = 0; row < start.length; row++) {
    while (to < start.length && start[to]! <= start[row]! + half) sum += value[to++]!;
    while (start[from]! < start[row]! - half) sum -= value[from++]!;
    const isFirst = row === 0 || isBeforeGap(row - 1);
    const isLast = row === start.length - 1 || isBeforeGap(row);
    if (row % step !== 0 && !isFirst && !isLast) continue;
    x.push(momentOf(line, row));
    y.push(to - from < least * 0.9 ? Number.NaN : sum / (to - from));
    if (!isLast || row === start.length - 1) continue;
    x.push(end[row]! + DAY_MS);
    y.push(Number.NaN);
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

function checkGrid(count: number, unitCount: number): void {
  if (count <= MAX_PANELS && unitCount === 1) return;
  const what = count > MAX_PANELS ? `${count} series` : `${count} series in ${unitCount} units`;
  throw new ArgumentError('series', `${what} cannot be told apart in one chart`, {
    remedy: `draw at most ${MAX_PANELS} series with the same unit`,
  });
}

/** Describes a chart in words: its title, the dates that it covers, and the last values of the first few lines. */
function describeLines(
  lines: readonly Line[],
  labels: readonly string[],
  { title, span: [from, to] }: { title: string; span: readonly [number, number] },
): string {
  const { quantity } = writerIn(['en-GB']);
  const last = lines.map(
    ({ value, unit, figures }, s) => `${labels[s]} ${quantity(value.at(-1)!, unit, figures ?? value)}`,
  );
  return `${title}, ${formatDay(from)} to ${formatDay(to)}. Last values: ${shownList(last, 8, '; ')}.`;
}
