import { withDetail } from '../frame/display/credit.js';
import { ArgumentError, shownList } from '../model/errors.js';
import { DAY_MS, formatDay } from '../model/time.js';
import { Chart, type ChartFigure, type DescribedTexts } from './chart.js';
import {
  type DrawnLine,
  distinctLabels,
  drawnLines,
  joinTexts,
  type LineData,
  timeSpan,
  USUAL_YEARS,
  valueSpan,
  yearsBefore,
} from './lines.js';
import {
  type Annotation,
  type LineMark,
  type Mark,
  type Panel,
  panelChart,
  TIME_AXIS,
  type ValueAxis,
} from './panels.js';
import { type ChartTexts, sizeOf, sourceLayer, textWidth, wrapWords } from './texts.js';
import { COLOURS, colourAt, QUIET_COLOUR } from './theme.js';

/** The maximum number of axes of a panel, of panels below one another, and of panels in all. */
const MAX_AXES = 3;
const MAX_UNITS = 6;
const MAX_PANELS = 60;

/** Lines with fewer points than this show each of them. */
const MAX_MARKED_POINTS = 40;

/** Above this, a line is thin, so that neighbouring values can be told apart. */
const MAX_THICK_POINTS = 1_500;

/** How lines over time are shown. */
export interface TimeChartLook {
  /** Label of the line to highlight. */
  readonly highlight?: string | undefined;
  /** Points above which the lines are thinned. */
  readonly maxPoints?: number | undefined;
  /** Several units have a panel each, which is the default, or up to three axes of one panel. */
  readonly axes?: 'panels' | 'one' | undefined;
  /** Places in the order of their colours. */
  readonly places?: readonly number[] | undefined;
  /** Days of a centred mean that is drawn over the faint values. */
  readonly smooth?: number | undefined;
  /** Your lines, bands and texts. */
  readonly annotations?: readonly Annotation[] | undefined;
}

interface TimeChartTexts extends ChartTexts, TimeChartLook {
  readonly title: string;
}

/**
 * Lines over time: up to eight in one panel, more as a panel each; a panel for each unit. Coarser series with finer
 * ones are steps over their periods. The latest of annual values is drawn against the range of the ten years before.
 * @throws ArgumentError when there is nothing to draw, or the lines are in too many units
 */
export function timeChart(given: readonly LineData[], texts: TimeChartTexts): Chart {
  const lines = withValues(given);
  const labels = distinctLabels(lines.map(({ label }) => label));
  const highlight = texts.highlight === undefined ? null : highlightedLine(lines, labels, texts.highlight);
  const units = [...new Set(lines.map(({ unit }) => unit))];
  const isGrid = lines.length > COLOURS.length && highlight === null;
  checkUnits({ count: lines.length, units, isGrid, axes: texts.axes });
  const { drawn, note, times } = drawnLines(lines, {
    width: isGrid ? 160 : sizeOf(texts).width,
    isStepped: (line) => isStepped(lines, line),
    maxPoints: texts.maxPoints,
  });
  const styles = lineStyles(lines, { highlight, isGrid, given: texts.places });
  const described = {
    ...texts,
    subtitle: joinTexts([
      texts.subtitle,
      isGrid ? withDetail(lines[0]!.measure, units[0]!) : '',
      texts.smooth === undefined ? '' : `mean of ${texts.smooth} days over each day`,
      note,
      withoutValues(given.length - lines.length),
    ]),
    description: describe(lines, labels, texts.title),
  };
  const colours = styles.map(({ colour }) => colour);
  if (isGrid) return panels(drawn, { labels, times, colours }, described);
  const markOf = (s: number, axis: number): LineMark => ({
    mark: 'line',
    series: s,
    label: lines.length === 1 || (highlight !== null && s !== highlight) ? '' : labels[s]!,
    ...drawn[s]!,
    ...styles[s]!,
    isStepped: isStepped(lines, lines[s]!),
    axis,
  });
  const isAnnual = lines.every(({ periodDays }) => periodDays >= 360);
  const panelOf = (numbers: readonly number[], axes: readonly string[]): Panel => ({
    x: { kind: 'time', domain: times, isAnnual },
    y: axes.map((unit) => valueAxis(lines, numbers, unit)),
    marks: [
      ...usualRange(lines.length === 1 ? lines[0]! : null),
      ...lastInOrder(numbers, highlight).flatMap((s): LineMark[] => {
        const mark = markOf(s, axes.indexOf(lines[s]!.unit));
        return texts.smooth === undefined ? [mark] : smoothed(mark, lines[s]!, texts.smooth);
      }),
    ],
  });
  const all = [...lines.keys()];
  const ofUnit = (unit: string) => all.filter((s) => lines[s]!.unit === unit);
  const drawnPanels =
    texts.axes === 'one' ? [panelOf(all, units)] : units.map((unit) => panelOf(ofUnit(unit), [unit]));
  return panelChart(drawnPanels, described, { labels, colours });
}

/** The axis of the values of a unit. */
function valueAxis(lines: readonly LineData[], numbers: readonly number[], unit: string): ValueAxis {
  const own = numbers.map((s) => lines[s]!).filter((line) => line.unit === unit);
  const measures = [...new Set(own.map(({ measure }) => measure))];
  const title = withDetail(measures.length === 1 ? measures[0]! : 'Value', unit);
  return { domain: valueSpan(own.map(({ value }) => value)), title };
}

/** Whether a series is drawn as steps over its periods: it is coarser than another one. */
function isStepped(lines: readonly LineData[], { periodDays }: LineData): boolean {
  return periodDays > 1.5 * Math.min(...lines.map((line) => line.periodDays));
}

const DASHES = [undefined, [6, 3], [2, 2], [9, 3, 2, 3]] as const;

/** Lines of several places have the colours of their places, and different dashes within one; else a colour each. */
function lineStyles(
  lines: readonly LineData[],
  {
    highlight,
    isGrid,
    given,
  }: { highlight: number | null; isGrid: boolean; given: readonly number[] | undefined },
): { colour: string; width: number; dash?: readonly number[] | undefined; hasDots: boolean }[] {
  const places: readonly (number | undefined)[] = given ?? [...new Set(lines.map(({ place }) => place))];
  const isOfPlaces = places.length > 1 && !places.includes(undefined);
  const longest = Math.max(...lines.map(({ value }) => value.length));
  const base = isGrid ? 1.4 : longest > MAX_THICK_POINTS ? 1 : 2;
  return lines.map(({ place }, s) => {
    const isQuiet = highlight !== null && highlight !== s;
    const colour = isGrid ? 0 : isOfPlaces ? Math.max(0, places.indexOf(place)) : s;
    const isSame = (line: LineData) => line.place === place && line.unit === lines[s]!.unit;
    const before = isOfPlaces ? lines.slice(0, s).filter(isSame).length : 0;
    return {
      colour: isQuiet ? QUIET_COLOUR : colourAt(colour),
      width: highlight === null ? base : isQuiet ? (lines.length > 20 ? 0.8 : 1.2) : 2.5,
      dash: DASHES[before % DASHES.length],
      hasDots: longest <= MAX_MARKED_POINTS && !isGrid,
    };
  });
}

/** The numbers with that of the highlighted line last, so that it is drawn over the others. */
function lastInOrder(numbers: readonly number[], highlight: number | null): readonly number[] {
  return [...numbers.filter((s) => s !== highlight), ...numbers.filter((s) => s === highlight)];
}

/** A faint line, and over it its mean around each point of the days before and after. */
function smoothed(mark: LineMark, line: LineData, days: number): LineMark[] {
  const { x, y } = centredMean(line, days);
  return [
    { ...mark, label: '', width: 0.8, opacity: 0.35 },
    { ...mark, x, y, width: 2.2 },
  ];
}

/** A value for every fourth or later day of a window: the mean of those within half a window of it, where half of them are there. */
function centredMean({ start, value, periodDays }: LineData, days: number): DrawnLine {
  const half = (days / 2) * DAY_MS;
  const step = Math.max(1, Math.round(days / periodDays / 8));
  const least = days / periodDays / 2;
  const [x, y]: [number[], number[]] = [[], []];
  let [from, to, sum] = [0, 0, 0];
  for (let row = 0; row < start.length; row++) {
    while (to < start.length && start[to]! <= start[row]! + half) sum += value[to++]!;
    while (start[from]! < start[row]! - half) sum -= value[from++]!;
    if (row % step !== 0 && row < start.length - 1) continue;
    x.push(start[row]!);
    y.push(to - from < least * 0.9 ? Number.NaN : sum / (to - from));
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

/** Of annual values: the range of the ten before the latest, over all of them and it. */
function usualRange(line: LineData | null): Mark[] {
  if (line === null || line.periodDays < 360) return [];
  const before = yearsBefore(line);
  if (before.length < USUAL_YEARS) return [];
  const x = Float64Array.of(line.start.at(-USUAL_YEARS - 1)!, line.start.at(-1)!);
  const flat = (value: number) => Float64Array.of(value, value);
  const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
  const colour = COLOURS[0];
  return [
    {
      mark: 'area',
      label: `range of the ${USUAL_YEARS} years before`,
      x,
      low: flat(Math.min(...before)),
      high: flat(Math.max(...before)),
      colour,
      opacity: 0.14,
    },
    { mark: 'line', series: -1, label: '', x, y: flat(mean), colour, width: 1, dash: [5, 4], opacity: 0.7 },
  ];
}

function withValues(lines: readonly LineData[]): LineData[] {
  const filled = lines.filter(({ value }) => value.length > 0);
  if (filled.length > 0) return filled;
  throw new ArgumentError('series', 'there is no series with a value to draw; give at least one');
}

/** @throws ArgumentError when there are more lines or units than can be told apart */
function checkUnits(given: {
  count: number;
  units: readonly string[];
  isGrid: boolean;
  axes: TimeChartLook['axes'];
}): void {
  const { count, units, isGrid, axes } = given;
  if (isGrid && (count > MAX_PANELS || units.length > 1)) {
    const what = count > MAX_PANELS ? `${count} series` : `${count} series in ${units.length} units`;
    throw new ArgumentError(
      'series',
      `${what} cannot be told apart in one chart; draw at most ${MAX_PANELS} of one unit, or highlight one of them`,
    );
  }
  const [most, what] = axes === 'one' ? [MAX_AXES, 'axes'] : [MAX_UNITS, 'panels'];
  if (units.length <= most) return;
  throw new ArgumentError(
    'series',
    `the series are in ${units.length} units (${units.join(', ')}), and a chart has ${most} ${what}; draw those of fewer units, for instance by selectSeries`,
  );
}

/** The number of the line with a label. @throws ArgumentError when there is none */
function highlightedLine(lines: readonly LineData[], labels: readonly string[], wanted: string): number {
  const exact = labels.indexOf(wanted);
  const at = exact >= 0 ? exact : lines.findIndex(({ fullLabel }) => fullLabel === wanted);
  if (at >= 0) return at;
  throw new ArgumentError(
    'highlight',
    `highlight: nothing is labelled "${wanted}"; choose one of ${labels.slice(0, 10).join(', ')}`,
  );
}

function withoutValues(count: number): string | undefined {
  return count === 0 ? undefined : `${count} series without a value not shown`;
}

/** The title, the period, and the last value of each of the first lines. */
function describe(lines: readonly LineData[], labels: readonly string[], title: string): string {
  const { from, to } = timeSpan(lines);
  const last = lines.map(
    ({ value, unit }, s) => `${labels[s]} ${Number(value.at(-1)!.toPrecision(6))} ${unit}`,
  );
  return `${title}, ${formatDay(from)} to ${formatDay(to - 1)}. Last values: ${shownList(last, 8, '; ')}.`;
}

/** Narrower panels show no shape. */
const MIN_PANEL_WIDTH = 120;
/** Wider ones, for names of two lines, leave too few side by side. */
const MAX_NAME_WIDTH = 260;

const SPACING = 14;
/** Splits a heading into its lines. */
const HEADING = "split(datum.label, '\\n')";

/** Pixels of the text of a heading, and of a line of it. */
const HEADING_SIZE = 11;
const LINE_HEIGHT = 13;
const MAX_HEADING_LINES = 3;

/** A panel for each line, with the same axes, so that lines are compared by their shape and height. */
function panels(
  lines: readonly DrawnLine[],
  { labels, times, colours }: Pick<ChartFigure, 'labels' | 'colours'> & { times: readonly [number, number] },
  texts: DescribedTexts,
): Chart {
  const { width, height } = sizeOf(texts);
  const longest = Math.max(...labels.map((label) => textWidth(label, HEADING_SIZE)));
  const nameWidth = Math.max(MIN_PANEL_WIDTH, Math.min(MAX_NAME_WIDTH, longest / 2));
  const wanted = Math.floor(width / (nameWidth + 16));
  const columns = Math.max(2, Math.min(lines.length <= 12 ? 4 : 6, wanted));
  const rows = Math.ceil(lines.length / columns);
  const panelWidth = Math.max(40, Math.floor((width - 56) / columns) - SPACING);
  const headings = distinctLabels(labels.map((label) => headingOf(label, panelWidth)));
  const headingLines = Math.max(...headings.map((one) => one.split('\n').length));
  const gap = 21 + LINE_HEIGHT * headingLines;
  const panelHeight = Math.max(36, Math.floor((height - 110) / rows) - gap);
  const y = { field: 'v', type: 'quantitative', scale: { zero: false }, axis: { title: null, tickCount: 3 } };
  const x = { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, tickCount: 2, labelOverlap: true } };
  const header = { labelPadding: 2, labelLimit: 0, labelExpr: HEADING, labelLineHeight: LINE_HEIGHT };
  const points = lines.flatMap(({ x, y }, s) =>
    Array.from(x, (t, row) => ({ s, t, v: Number.isNaN(y[row]!) ? null : y[row]! })),
  );
  const hasBreaks = points.some(({ v }) => v === null);
  const mark = { type: 'line', strokeWidth: 1.2, color: COLOURS[0], ...(!hasBreaks && { invalid: null }) };
  const looked = headings.map((label, s) => ({ s, label }));
  const grid = {
    name: 'grid',
    // Vega would make a date of each time.
    data: { values: points, format: { parse: { t: null } } },
    transform: [{ lookup: 's', from: { data: { values: looked }, key: 's', fields: ['label'] } }],
    // A list of headings would be tried one by one for each point.
    facet: { field: 'label', type: 'nominal', sort: { field: 's', op: 'min' }, title: null, header },
    columns,
    bounds: 'flush',
    spacing: { row: gap, column: SPACING },
    spec: { width: panelWidth, height: panelHeight, layer: [{ mark, encoding: { x, y } }] },
  };
  const places = lines.map((_, at) => ({
    left: (at % columns) * (panelWidth + SPACING),
    top: Math.floor(at / columns) * (panelHeight + gap),
    width: panelWidth,
    height: panelHeight,
    series: [at],
    isOfOne: true,
    scale: 'grid_y',
  }));
  return new Chart(texts, { labels, colours, panels: places, times }, ({ source }) => ({
    vconcat: [grid, ...sourceLayer(source, 0).map((layer) => ({ width: 10, height: 1, ...layer }))],
  }));
}

/**
 * A name on as many lines as it needs in a panel; the rest after three lines is cut. Vega would cut by a guess where no
 * browser measures.
 */
function headingOf(name: string, width: number): string {
  const fits = (line: string) => textWidth(line, HEADING_SIZE) <= width;
  const cut = (line: string): string =>
    fits(`${line}…`) || line.length < 2 ? `${line}…` : cut(line.slice(0, -1));
  const lines = wrapWords(name, fits, MAX_HEADING_LINES);
  return lines.map((line) => (fits(line) ? line : cut(line))).join('\n');
}
