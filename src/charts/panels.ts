import { DAY_MS } from '../model/time.js';
import { Chart, type ChartFigure, type ChartForm, type DescribedTexts, FITTED } from './chart.js';
import { sizeOf, textWidth } from './texts.js';
import { INKS, QUIET_COLOUR } from './theme.js';

/** The kind of the horizontal axis: moments, the months of any year, or numbers. */
export type HorizontalAxis =
  | { readonly kind: 'time'; readonly domain: Span; readonly isAnnual?: boolean | undefined }
  | { readonly kind: 'months'; readonly domain: Span }
  | { readonly kind: 'number'; readonly domain: Span; readonly title: string };

/** The least and the greatest value of an axis. */
type Span = readonly [from: number, to: number];

/** An axis of values. */
export interface ValueAxis {
  readonly domain: Span;
  readonly title: string;
}

/** A line; NaN breaks it. */
export interface LineMark {
  readonly mark: 'line';
  /** Its number among the series of the chart; below 0 for a line that is none. */
  readonly series: number;
  /** Its name, at its end or in the legend; empty for none. */
  readonly label: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[] | undefined;
  readonly isStepped?: boolean | undefined;
  /** Whether each point is a dot. Points without a neighbour are one always. */
  readonly hasDots?: boolean | undefined;
  readonly opacity?: number | undefined;
  /** The number of its vertical axis. */
  readonly axis?: number | undefined;
}

/** The area between two lines. */
export interface AreaMark {
  readonly mark: 'area';
  readonly label: string;
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly colour: string;
  readonly opacity: number;
}

/** The layers of a panel, the first below the others. */
export type Mark = LineMark | AreaMark;

/** Axes with their layers. */
export interface Panel {
  readonly x: HorizontalAxis;
  /** The first is on the left, the others are on the right. */
  readonly y: readonly ValueAxis[];
  readonly marks: readonly Mark[];
}

/** A line, a band or a height that a user drew, with a text. */
export interface Annotation {
  /** The first date, `YYYY-MM-DD`; a line where it has no last one. */
  readonly from?: string | undefined;
  /** The last date of a band, `YYYY-MM-DD`. */
  readonly to?: string | undefined;
  /** The value of a horizontal line. */
  readonly value?: number | undefined;
  /** Its text. */
  readonly text?: string | undefined;
}

/** The texts of a chart of panels, the notes of users, and its size. */
export interface PanelTexts extends DescribedTexts {
  readonly annotations?: readonly Annotation[] | undefined;
}

/** A chart of a panel, or of panels one below another with one axis of time. */
export function panelChart(
  panels: readonly Panel[],
  texts: PanelTexts,
  named: Pick<ChartFigure, 'labels' | 'colours'>,
): Chart {
  const { title, subtitle = '', annotations = [] } = texts;
  const { width, height } = sizeOf(texts);
  const { kind, domain } = panels[0]!.x;
  const series = panels.map(({ marks }) => linesOf(marks).filter((line) => line.series >= 0));
  const last = panels.length - 1;
  const plan = (hasTexts: boolean) => {
    const roomFor = (text: string) => (hasTexts && text !== '' ? 24 : 0);
    const room = height - 110 - roomFor(title) - roomFor(subtitle);
    const ends = endsOf(panels, { width, height: room / panels.length - GAP });
    const legends = panels.map(({ marks }) => legendPixels(labelledLines(marks), width));
    const gap = GAP + (ends === null ? Math.max(0, ...legends) : 0);
    const plotHeight = (room - gap * last) / panels.length;
    const size = {
      width: Math.max(80, width - 78 - (ends ?? 10)),
      height: Math.max(40, Math.round(plotHeight)),
    };
    return { hasEnds: ends !== null, gap, plotHeight, size };
  };
  const { gap, size } = plan(false);
  const figure = {
    ...named,
    panels: panels.map(({ y }, at) => ({
      left: 0,
      top: at * (size.height + gap),
      ...(last === 0 ? { width: null, height: null } : size),
      series: series[at]!.map((line) => line.series),
      isOfOne: false,
      scale: y.length > 1 ? null : last === 0 ? 'y' : `panel${at}_y`,
    })),
    lines: series.flat().map(({ x, y }) => ({ start: x, end: x, value: y, unit: '' })),
    times: kind === 'number' ? null : domain,
  };
  return new Chart(texts, figure, (form) => {
    const { size, gap, ...planned } = plan(form.hasTexts);
    const specs = panels.map((panel, at) => {
      const source = at === last ? form.source : [];
      return panelSpec(panel, {
        ...form,
        ...planned,
        width,
        annotations,
        source,
        isFirst: at === 0,
        isLast: at === last,
      });
    });
    if (last === 0) return { width, height, ...FITTED, ...specs[0] };
    const vconcat = specs.map((spec, at) => ({ name: `panel${at}`, ...size, ...spec }));
    return { bounds: 'flush', spacing: gap, resolve: { scale: { x: 'shared' } }, vconcat };
  });
}

/** Pixels between panels, with the name of an axis. */
const GAP = 44;

function linesOf(marks: readonly Mark[]): LineMark[] {
  return marks.filter((mark) => mark.mark === 'line');
}

function areasOf(marks: readonly Mark[]): AreaMark[] {
  return marks.filter((mark) => mark.mark === 'area');
}

const LABEL_SIZE = 12;
/** Pixels from label to label at the ends of lines, and the maximum share of the width that they take. */
const LABEL_GAP = 15;
const MAX_LABEL_SHARE = 0.34;
/** More labels at the ends of lines cannot be told apart. */
const MAX_ENDS = 14;

/** The width of the labels at the ends of lines; null where they do not fit, and a legend has them. */
function endsOf(
  panels: readonly Panel[],
  { width, height }: { width: number; height: number },
): number | null {
  const labels = panels.map(({ marks }) => labelledLines(marks).map(({ label }) => label));
  const late = panels.flatMap(({ x, marks }) =>
    labelledLines(marks).filter((line) => isLate(line.x.at(-1) ?? 0, x)),
  );
  const widest = 12 + Math.max(0, ...late.map(({ label }) => textWidth(label, LABEL_SIZE)));
  const fit =
    panels.every(({ y }) => y.length === 1) &&
    widest <= MAX_LABEL_SHARE * width &&
    labels.every(({ length }) => length <= MAX_ENDS && length * LABEL_GAP <= height);
  return fit ? widest : null;
}

function labelledLines(marks: readonly Mark[]): LineMark[] {
  return linesOf(marks).filter(({ label }) => label !== '');
}

interface PanelPlan extends ChartForm {
  /** Pixels of the whole chart. */
  readonly width: number;
  /** Whether lines have their names at their ends. */
  readonly hasEnds: boolean;
  /** Pixels, about. */
  readonly plotHeight: number;
  readonly annotations: readonly Annotation[];
  readonly isFirst: boolean;
  /** The axis of the last panel has labels, and the source below them. */
  readonly isLast: boolean;
}

/** The lines of a panel by their numbers `s`, above its areas. Names never become fields or expressions. */
function panelSpec({ x, y, marks }: Panel, plan: PanelPlan): object {
  const [lines, areas] = [linesOf(marks), areasOf(marks)];
  const across = horizontal(x, plan);
  const known = lines.flatMap((line) => [...line.y]).filter((value) => !Number.isNaN(value));
  const isFlat = areas.length === 0 && known.every((value) => value === known[0]);
  const up = y.map((axis, at) => vertical(axis, at, isFlat));
  return {
    data: { values: lines.flatMap(rowsOf), format: { parse: { t: null } } },
    layer: [
      ...areaLayers(areas, across, plan.width),
      ...y.map((_, at) => ({ layer: lineLayers(lines, at, { x: across, y: up[at]! }) })),
      ...legendLayers(plan.hasEnds ? [] : labelledLines(marks), plan.width),
      ...(plan.hasEnds ? endLayers(labelledLines(marks), { x, y: y[0]!, across, plan }) : []),
      ...annotationLayers(plan, x, across),
    ],
    ...(y.length > 1 && { resolve: { scale: { y: 'independent' } } }),
  };
}

/** The points of a line: null breaks it, and `p` marks those that have no neighbour. */
function rowsOf({ x, y }: LineMark, s: number): object[] {
  const isBreak = (row: number) => row < 0 || row >= y.length || Number.isNaN(y[row]!);
  return Array.from(x, (t, row) => {
    if (isBreak(row)) return { s, t, v: null };
    return isBreak(row - 1) && isBreak(row + 1) ? { s, t, v: y[row]!, p: 1 } : { s, t, v: y[row]! };
  });
}

/** The layers of the lines of an axis: curves, steps, and points that have no neighbour. */
function lineLayers(lines: readonly LineMark[], axis: number, places: { x: object; y: object }): object[] {
  const own = [...lines.keys()].filter((s) => (lines[s]!.axis ?? 0) === axis);
  const only = (numbers: readonly number[]) =>
    numbers.length === lines.length ? [] : [{ filter: { field: 's', oneOf: numbers } }];
  const color = styleOf(lines, ({ colour }) => colour);
  const styles = {
    color,
    strokeWidth: styleOf(lines, ({ width }) => width),
    strokeOpacity: styleOf(lines, ({ opacity = 1 }) => opacity),
    strokeDash: styleOf(lines, ({ dash = [1, 0] }) => dash),
    detail: { field: 's', type: 'nominal' },
  };
  const kinds = [true, false].flatMap((isStepped) => {
    const numbers = own.filter((s) => (lines[s]!.isStepped ?? false) === isStepped);
    if (numbers.length === 0) return [];
    const isWhole = numbers.every((s) => !lines[s]!.y.some(Number.isNaN));
    const hasDots = numbers.some((s) => lines[s]!.hasDots);
    const mark = {
      type: 'line',
      ...(isStepped && { interpolate: 'step-after' }),
      ...(hasDots && { point: { size: 24 } }),
      // Vega tests each row for breaks.
      ...(isWhole && { invalid: null }),
    };
    return [{ transform: only(numbers), mark, encoding: { ...places, ...styles } }];
  });
  const hasLone = own.some((s) => rowsOf(lines[s]!, s).some((row) => 'p' in row));
  const lone = { type: 'point', filled: true, size: 24 };
  return hasLone
    ? [
        ...kinds,
        {
          transform: [...only(own), { filter: 'datum.p === 1' }],
          mark: lone,
          encoding: { ...places, color },
        },
      ]
    : kinds;
}

/** A style of lines: one value where all have it, else by their number `s`. A scale that is not said to be ordinal spaces its range evenly. */
function styleOf(lines: readonly LineMark[], style: (line: LineMark) => unknown): object {
  const range = lines.map(style);
  if (new Set(range.map((one) => JSON.stringify(one))).size === 1) return { value: range[0] };
  return {
    field: 's',
    type: 'ordinal',
    scale: { type: 'ordinal', domain: [...range.keys()], range },
    legend: null,
  };
}

/** A piece of a line, as the symbol of a legend. */
const STROKE = { symbolType: 'stroke', symbolStrokeWidth: 3 };

/** A legend above the name of the vertical axis. */
const ABOVE_THE_AXIS = { orient: 'top', title: null, offset: 24 } as const;

function areaLayers(areas: readonly AreaMark[], x: object, width: number): object[] {
  const domain = areas.map(({ label }) => label);
  const range = areas.map(({ colour }) => colour);
  const square = { symbolType: 'square', symbolStrokeWidth: 0, labelLimit: 420 };
  const legend = { ...ABOVE_THE_AXIS, ...square, columns: legendColumns(areas, width) };
  return areas.map(({ label, x: times, low, high, opacity }) => ({
    data: {
      values: Array.from(times, (t, i) => ({ t, v: finite(low[i]!), high: finite(high[i]!), label })),
      format: { parse: { t: null } },
    },
    mark: { type: 'area', opacity },
    encoding: {
      x,
      y: { field: 'v', type: 'quantitative' },
      y2: { field: 'high' },
      fill: { field: 'label', type: 'nominal', scale: { domain, range }, legend },
    },
  }));
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The columns of a legend within a width. */
function legendColumns(named: readonly Mark[], width: number): number {
  const longest = Math.max(0, ...named.map(({ label }) => textWidth(label, LABEL_SIZE))) + 34;
  return Math.max(1, Math.floor((width - 60) / longest));
}

/** The height of a legend. */
function legendPixels(named: readonly Mark[], width: number): number {
  return 18 * Math.ceil(named.length / legendColumns(named, width));
}

/** A legend of the lines whose names have no room at their ends. It is of marks of no size, one a line. */
function legendLayers(named: readonly LineMark[], width: number): object[] {
  if (named.length === 0) return [];
  const scale = { domain: named.map(({ label }) => label), range: named.map(({ colour }) => colour) };
  const legend = { ...ABOVE_THE_AXIS, columns: legendColumns(named, width), labelLimit: 560, ...STROKE };
  return [
    {
      data: { values: named.map(({ label }) => ({ label })) },
      mark: { type: 'point', size: 0, filled: true },
      encoding: { stroke: { field: 'label', type: 'nominal', scale, legend } },
    },
  ];
}

/** Lines that end this share of the axis before its end have their names there. */
const MAX_LEAD = 0.08;

function isLate(t: number, { domain: [from, to] }: HorizontalAxis): boolean {
  return to - t <= MAX_LEAD * (to - from);
}

/** The names of lines at their ends, in their colours. */
function endLayers(
  lines: readonly LineMark[],
  { x, y, across, plan }: { x: HorizontalAxis; y: ValueAxis; across: object; plan: PanelPlan },
): object[] {
  const to = x.domain[1];
  const [low, high] = y.domain;
  const all = lines.flatMap((line) => {
    const row = line.y.findLastIndex((value) => !Number.isNaN(value));
    return row < 0 ? [] : [{ line, t: line.x[row]!, v: line.y[row]! }];
  });
  const late = all.filter(({ t }) => isLate(t, x));
  const heights = spreadLabels(
    late.map(({ v }) => v),
    (LABEL_GAP * (high - low)) / Math.max(40, plan.plotHeight),
    [low, high],
  );
  const { text: colourOf } = INKS[plan.theme];
  const row = ({ line, t, v }: (typeof all)[number]) => ({
    t,
    v,
    text: line.label,
    colour: colourOf(line.colour),
  });
  const layer = (values: object[], mark: object) =>
    values.length === 0
      ? []
      : [
          {
            data: { values, format: { parse: { t: null } } },
            mark: { type: 'text', align: 'left', fontSize: LABEL_SIZE, limit: 420, ...mark },
            encoding: {
              x: across,
              y: { field: 'v', type: 'quantitative' },
              text: { field: 'text' },
              fill: { field: 'colour', type: 'nominal', scale: null },
            },
          },
        ];
  return [
    ...layer(
      late.map((one, i) => row({ ...one, t: to, v: heights[i]! })),
      { dx: 8 },
    ),
    ...layer(all.filter(({ t }) => !isLate(t, x)).map(row), { dx: 5, dy: -7 }),
  ];
}

const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Lines, bands and heights that a user drew; their texts in the first panel. */
function annotationLayers(
  { annotations, isFirst, theme }: PanelPlan,
  { kind, domain }: HorizontalAxis,
  x: object,
): object[] {
  const y = { field: 'v', type: 'quantitative' };
  const text = { field: 'text' };
  const { ink } = INKS[theme];
  const words = { type: 'text', align: 'left', dx: 4, fontSize: 11, color: ink };
  return annotations.flatMap(({ from, to, value, text: said = '' }, at): object[] => {
    if (value !== undefined) {
      const mark = { type: 'rule', color: QUIET_COLOUR, strokeDash: [5, 3] };
      const rule = { data: { values: [{ v: value }] }, mark, encoding: { y } };
      const data = { values: [{ v: value, t: domain[0], text: said }] };
      const label = { data, mark: { ...words, dy: -7 }, encoding: { x, y, text } };
      return [rule, ...(isFirst && said !== '' ? [label] : [])];
    }
    if (from === undefined || kind !== 'time') return [];
    const high = to === undefined ? undefined : momentOf(to) + DAY_MS;
    const data = {
      values: [{ t: momentOf(from), text: said, ...(high !== undefined && { high }) }],
    };
    const shape =
      high === undefined
        ? { data, mark: { type: 'rule', color: QUIET_COLOUR, strokeDash: [5, 3] }, encoding: { x } }
        : {
            data,
            mark: { type: 'rect', color: QUIET_COLOUR, opacity: 0.18 },
            encoding: { x, x2: { field: 'high' } },
          };
    const label = { data, mark: words, encoding: { x, y: { value: 8 + 14 * (at % 3) }, text } };
    return [shape, ...(isFirst && said !== '' ? [label] : [])];
  });
}

/**
 * The labels of an axis of time. Vega names a month without its year, and a day without its month: the missing part is
 * below the first of them.
 */
const TIME_LABEL =
  "datum.index > 0 || utcFormat(datum.value, '%m-%d') === '01-01' ? datum.label : " +
  "[datum.label, utcFormat(datum.value, utcdate(datum.value) === 1 || utcday(datum.value) === 0 ? '%Y' : '%B %Y')]";

/** The time axis. Dates are UTC in every zone of the viewer. */
export const TIME_AXIS = {
  field: 't',
  type: 'temporal',
  scale: { type: 'utc' },
  axis: {
    title: null,
    tickCount: 8,
    format: { quarter: '%b', month: '%b' },
    labelSeparation: 4,
    labelExpr: TIME_LABEL,
  },
} as const;

/** Below this, Vega would put hours between the days. */
const MAX_DAYS_OF_HOURS = 8;
const MAX_YEAR_TICKS = 12;

/** The horizontal axis of a panel, with the source of the chart below it, at any height. */
function horizontal(axis: HorizontalAxis, { source, isLast }: PanelPlan): object {
  const [from, to] = axis.domain;
  const title = [...(axis.kind === 'number' ? [axis.title] : []), ...source];
  const texts = {
    title: title.length === 0 ? null : title,
    ...(source.length > 0 && {
      titleAnchor: 'start',
      titleAlign: 'left',
      titleFontSize: 11,
      titlePadding: 12,
    }),
    ...(!isLast && { labels: false, ticks: false }),
  };
  if (axis.kind === 'number')
    return { field: 't', type: 'quantitative', scale: { nice: false }, axis: texts };
  if (axis.kind === 'months') {
    const ticks = {
      format: '%b',
      tickCount: { interval: 'month', step: 1 },
      labelOverlap: true,
      labelSeparation: 6,
    };
    return {
      field: 't',
      type: 'temporal',
      scale: { type: 'utc', nice: false },
      axis: { ...ticks, ...texts },
    };
  }
  if (to - from <= MAX_DAYS_OF_HOURS * DAY_MS) {
    const axis = { ...TIME_AXIS.axis, tickCount: { interval: 'day', step: 1 }, ...texts };
    // Of a single moment, the data alone would have no axis.
    return {
      ...TIME_AXIS,
      scale: { ...TIME_AXIS.scale, domain: [from, to].map((ms) => ({ expr: String(ms) })) },
      axis,
    };
  }
  if (axis.isAnnual !== true) return { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, ...texts } };
  const years = (to - from) / (365.25 * DAY_MS);
  const step = [1, 2, 5, 10, 20, 50].find((wide) => years / wide <= MAX_YEAR_TICKS) ?? 100;
  return { ...TIME_AXIS, axis: { format: '%Y', tickCount: { interval: 'year', step }, ...texts } };
}

/** A vertical axis with its name above it; the first is on the left, the others are side by side on the right. */
function vertical({ title, domain }: ValueAxis, at: number, isFlat: boolean): object {
  const above = { titleAngle: 0, titleAnchor: 'end', titleBaseline: 'bottom', titleY: -8 };
  const sides = [
    { titleAlign: 'left', titleX: 0 },
    { orient: 'right', grid: false, titleAlign: 'right', titleX: 40 },
    { orient: 'right', grid: false, offset: 64, titleAlign: 'right', titleX: 40, titleY: -24 },
  ];
  return {
    field: 'v',
    type: 'quantitative',
    // Vega would write a scale of one value as 5.000000.
    scale: { zero: false, ...(isFlat && { domain }), ...(domain[0] === 0 && { domainMin: 0 }) },
    axis: { title, ...above, ...sides[at] },
  };
}

/**
 * Heights for labels, at least `gap` apart and as near to their values as that allows, in the order of the values.
 * @param limits the lowest and the highest height
 */
export function spreadLabels(
  values: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const heights = new Array<number>(values.length);
  let floor = low;
  for (const at of order) {
    heights[at] = Math.max(values[at]!, floor);
    floor = heights[at]! + gap;
  }
  let ceiling = high;
  for (const at of order.reverse()) {
    heights[at] = Math.min(heights[at]!, ceiling);
    ceiling = heights[at]! - gap;
  }
  return heights;
}
