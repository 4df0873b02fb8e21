import { yearOf } from '../model/calendar.js';
import { hasTrueZero } from '../model/derivations.js';
import { DAY_MS, parseTime, utcDay } from '../model/time.js';
import {
  type Annotation,
  Chart,
  type ChartFigure,
  type ChartForm,
  type DescribedTexts,
  FITTED,
  RESERVED,
  sizeOf,
  textWidth,
  wrapWords,
} from './chart.js';
import { withUnitLabel } from './frame-lines.js';
import { writerIn } from './language.js';
import { type DrawnLine, distinctLabels, joinTexts, spanOf } from './lines.js';
import { COLOURS, INKS, mixColours, QUIET_COLOUR, type Theme } from './theme.js';

/** The kind of horizontal axis: dates, years, or the months of a reference year. */
type Across = 'time' | 'years' | 'months';

/** A line to draw. A NaN in `y` breaks the line. */
export interface LineMark {
  /** The index of the line's series in the chart; negative for a line without a series, such as a median. */
  readonly series: number;
  /** The label at the line's end or in the legend; an empty string if the line has no label. */
  readonly label: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[] | undefined;
  readonly isStepped?: boolean | undefined;
  /** The end of each bar, if bars are drawn instead of a line. Each bar begins at `x`. */
  readonly barEnds?: Float64Array | undefined;
  /** Whether every point is marked with a dot. Isolated points always are. */
  readonly hasDots?: boolean | undefined;
  readonly opacity?: number | undefined;
}

/** The area between two lines, such as a usual range. */
export interface Band {
  readonly label: string;
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface Axis {
  readonly title: string;
  /** Whether the axis starts at 0: always, only if the lowest value is near 0, or never. A `log` axis has no zero. */
  readonly zero: 'always' | 'near' | 'never' | 'log';
}

export function axisOf(metric: string, unit: string): Axis {
  return { title: withUnitLabel(metric, unit), zero: hasTrueZero(unit) ? 'near' : 'never' };
}

/** A panel's axis, bands and lines. Bands are drawn behind lines, with the first band at the back. */
export interface Panel {
  readonly axis: Axis;
  readonly bands?: readonly Band[] | undefined;
  readonly lines: readonly LineMark[];
}

/** Colours for nested bands, outermost first, visible on both white and black. A middle line has the last colour. */
const BAND_COLOURS = ['#8ab6d8', '#5c98c4', '#3d7fae'] as const;

/** Returns a dashed line for the middle of a band, such as a median. */
export function middleLine(label: string, x: Float64Array, y: Float64Array): LineMark {
  return { series: -1, label, x, y, colour: BAND_COLOURS[2], width: 1.5, dash: [5, 4] };
}

type Span = ReturnType<typeof spanOf>;

/** Draws a single panel, or several stacked panels that share a time axis. */
export function panelChart(
  across: Across,
  panels: readonly Panel[],
  texts: DescribedTexts & {
    readonly annotations?: readonly Annotation[] | undefined;
    /** The month in which years on the axis begin; January by default. */
    readonly firstMonth?: number | undefined;
  },
  named: Pick<ChartFigure, 'labels'> & Partial<Pick<ChartFigure, 'lines'>>,
): Chart {
  const { title, subtitle = '', annotations = [], firstMonth = 1 } = texts;
  const { width, height } = sizeOf(texts);
  const ofSeries = panels.map(({ lines }) => lines.filter((line) => line.series >= 0));
  const lines = ofSeries.flat();
  const drawn = panels.flatMap(({ bands = [], lines }) => [...bands, ...lines].map(({ x }) => x));
  const ends = lines.flatMap(({ barEnds }) => (barEnds ? [barEnds] : []));
  const marginMs = (across === 'years' ? DAYS_AROUND : 1) * DAY_MS;
  const domain = spanOf([...drawn, ...ends], () => marginMs);
  // The lines are taken in reverse order, so that a series keeps the colour of its first line.
  const colours = new Map([...lines].reverse().map(({ series, colour }) => [series, colour]));
  const last = panels.length - 1;
  const figure = {
    panels: ofSeries.map((own, at) => ({
      series: own.map(({ series }) => series),
      isOfOne: false,
      scale: last === 0 ? 'y' : `panel${at}_y`,
    })),
    lines: lines.map(({ x, y }) => ({ start: x, end: x, value: y, unit: '' })),
    colours: named.labels.map((_, s) => colours.get(s) ?? BAND_COLOURS[0]),
    ...named,
    isOneYear: across === 'months',
    times: domain,
  };
  return new Chart(texts, figure, (form) => {
    const roomFor = (text: string) => (form.hasTexts && text !== '' ? 24 : 0);
    const room = height - 110 - roomFor(title) - roomFor(subtitle);
    const ends = endsOf(panels, { domain, width, height: room / panels.length - GAP });
    const legends = panels.map(({ lines }) => {
      const named = keepLabelled(lines);
      return 18 * Math.ceil(named.length / legendOf(named, width).columns);
    });
    const scales = panels.map((panel) => verticalScaleOf(panel, width));
    const titleLines = Math.max(...scales.map(({ title }) => title.length));
    const gap = GAP + (ends === null ? Math.max(...legends) : 0) + (titleLines - 1) * TITLE_LINE;
    const plotHeight = Math.max(40, Math.round((room - gap * last) / panels.length));
    const shared = { ...form, plotHeight, across, firstMonth, domain, width, annotations };
    const specs = panels.map((panel, at) =>
      panelSpec(panel, { ...shared, hasEnds: ends !== null, isFirst: at === 0, isLast: at === last }),
    );
    if (last === 0) return { width, height, ...FITTED, ...specs[0] };
    const margin = Math.max(MARGIN, ...scales.map(({ span }) => AROUND_LABEL + axisLabelWidth(span)));
    const size = { width: Math.max(80, width - margin - (ends ?? 10)), height: plotHeight };
    const vconcat = specs.map((spec, at) => ({ name: `panel${at}`, ...size, ...spec }));
    const scale = { x: 'shared', stroke: 'independent', strokeDash: 'independent', fill: 'independent' };
    return { bounds: 'flush', spacing: gap, resolve: { scale }, vconcat };
  });
}

/** The distance between panels in pixels, including the axis title. */
const GAP = 44;
/** The minimum space beside a panel (left and right together) in pixels, excluding the labels at line ends. */
const MARGIN = 78;
/** The part of `MARGIN` that is not used for axis labels. */
const AROUND_LABEL = 42;
/** The line height of axis titles in pixels. */
const TITLE_LINE = 14;

/** Estimates the width, in pixels, of the longest label on a vertical axis. */
function axisLabelWidth(span: Span): number {
  const { number } = writerIn(['en-GB']);
  return Math.max(...span.map((value) => textWidth(number(Number(value.toPrecision(2))), AXIS_LABEL_SIZE)));
}

const LABEL_SIZE = 12;
const AXIS_LABEL_SIZE = 11;
/** The minimum vertical distance between labels at line ends, in pixels. */
const LABEL_GAP = 15;
/** The maximum share of the chart's width for labels at line ends. */
const MAX_LABEL_SHARE = 0.34;
/** The maximum number of labels at line ends that can be told apart. */
const MAX_ENDS = 14;

/** Returns the width, in pixels, of the labels at line ends, or null if they do not fit and a legend is needed. */
function endsOf(
  panels: readonly Panel[],
  { domain, width, height }: { domain: Span; width: number; height: number },
): number | null {
  const lines = panels.map((panel) => keepLabelled(panel.lines));
  const [from, to] = domain;
  // If a line ends early, its label may extend into the rest of the panel, which is at least this wide.
  const minRest = (1 - MAX_LABEL_SHARE) * width - MARGIN;
  const roomFor = (text: string) => 12 + textWidth(text, LABEL_SIZE);
  const rooms = lastPoints(lines.flat()).map(
    ({ t, text }) => roomFor(text) - ((to - t) / (to - from)) * minRest,
  );
  const room = Math.max(12, ...rooms);
  // Labels within a panel would cover other lines if they took up more than half of its width.
  const within = lines.map((own) =>
    lastPoints(own).reduce((sum, { t, text }) => sum + (isLate(t, domain) ? 0 : roomFor(text)), 0),
  );
  const fit =
    room <= MAX_LABEL_SHARE * width &&
    within.every((sum) => sum <= width / 2) &&
    lines.every(({ length }) => length <= MAX_ENDS && length * LABEL_GAP <= height);
  return fit ? room : null;
}

function keepLabelled(lines: readonly LineMark[]): LineMark[] {
  return lines.filter(({ label }) => label !== '');
}

interface PanelPlan extends ChartForm {
  readonly across: Across;
  readonly firstMonth: number;
  readonly domain: Span;
  readonly width: number;
  /** Whether lines are labelled at their ends instead of in a legend. */
  readonly hasEnds: boolean;
  /** The approximate height of the plotting area in pixels. */
  readonly plotHeight: number;
  readonly annotations: readonly Annotation[];
  readonly isFirst: boolean;
  /** Whether this is the last panel, which alone shows the time-axis labels and the source. */
  readonly isLast: boolean;
}

/** Returns a panel's specification. Labels are used only as values, never as field names or expressions. */
function panelSpec(panel: Panel, plan: PanelPlan): object {
  const { bands = [], lines } = panel;
  const x = horizontalAxis(plan);
  const { title, ...vertical } = verticalScaleOf(panel, plan.width);
  const y = { ...VALUE, scale: vertical.scale, axis: verticalAxis(title) };
  const rows = lines.flatMap(markRows);
  const color = styleOf(lines, ({ colour }) => colour);
  return {
    data: inlineData(rows),
    // Legends have dashes of their own, because their entries are labels.
    resolve: { scale: { stroke: 'independent', strokeDash: 'independent' } },
    layer: [
      ...bandLayers(bands, x, plan.width, title.length),
      ...lineLayers(lines, { x, y, color }, plan.theme),
      ...isolatedLayers(rows, 24, { x, y, color }),
      ...annotationLayers(plan, x),
      ...(plan.hasEnds
        ? endLayers(keepLabelled(lines), vertical.span, { x, plan, isLog: panel.axis.zero === 'log' })
        : legendLayers(keepLabelled(lines), plan.width, title.length)),
      ...(plan.isLast ? plan.source : []),
    ],
  };
}

/** An axis for amounts starts at 0 if the lowest value is below this share of the highest value. */
const NEAR_ZERO = 1 / 3;

/** Checks whether an axis starts at 0 for the given range of values. */
function startsAtZero({ zero }: Axis, [low, high]: Span): boolean {
  return zero === 'always' || (zero === 'near' && low >= 0 && low < high * NEAR_ZERO);
}

/** Returns a note if an axis for positive amounts does not start at 0; otherwise returns an empty string. */
function zeroNote(axis: Axis, [low, high]: Span): string {
  const isCut = axis.zero === 'near' && low > 0 && !startsAtZero(axis, [low, high]);
  return isCut ? 'the axis does not start at 0' : '';
}

/** Returns a panel's wrapped axis title, scale and value range. */
function verticalScaleOf({ axis, bands = [], lines }: Panel, width: number) {
  const wrap = (...parts: string[]) =>
    wrapWords(joinTexts(parts), (line) => textWidth(line, LABEL_SIZE) <= width - MARGIN);
  const span = spanOf([...lines.map(({ y }) => y), ...bands.flatMap(({ low, high }) => [low, high])]);
  if (axis.zero === 'log')
    return { title: wrap(axis.title, 'logarithmic'), scale: { type: 'log', domain: span }, span };
  const isFromZero = startsAtZero(axis, span);
  const known = lines.flatMap(({ y }) => [...y.filter((value) => !Number.isNaN(value))]);
  const isFlat = bands.length === 0 && known.every((value) => value === known[0]);
  // Without this, Vega would label a single value of 5 as 5.000000.
  const scale = isFlat && !isFromZero ? { domain: span } : { zero: isFromZero };
  const low = isFromZero ? Math.min(0, span[0]) : span[0];
  return { title: wrap(axis.title, zeroNote(axis, span)), scale, span: [low, span[1]] as const };
}

const VALUE = { field: 'v', type: 'quantitative' } as const;

/** Returns inline data for Vega. Times remain numbers, because Vega would otherwise parse each one as a date. */
function inlineData(values: readonly object[]): object {
  return { values, format: { parse: { t: null } } };
}

/** Returns a finite number unchanged, and null for any other number, because JSON has no NaN. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns a line's points for Vega. A null value breaks the line, and `p` marks isolated points. */
function markRows({ x, y, barEnds }: Pick<LineMark, 'x' | 'y' | 'barEnds'>, s: number): object[] {
  const isBreak = (row: number) => !Number.isFinite(y[row] ?? Number.NaN);
  return Array.from(x, (t, row) => {
    const v = finiteOrNull(y[row]!);
    if (barEnds !== undefined) return { s, t, v, e: barEnds[row] };
    const isLone = v !== null && isBreak(row - 1) && isBreak(row + 1);
    return isLone ? { s, t, v, p: 1 } : { s, t, v };
  });
}

function lineLayers(
  lines: readonly LineMark[],
  places: { x: object; y: object; color: object },
  theme: Theme,
): object[] {
  const numbersOf = (isOfKind: (line: LineMark) => boolean) =>
    [...lines.keys()].filter((s) => isOfKind(lines[s]!));
  const only = (numbers: readonly number[]) =>
    numbers.length === lines.length ? [] : [{ filter: { field: 's', oneOf: numbers } }];
  const styles = {
    strokeWidth: styleOf(lines, ({ width }) => width),
    strokeOpacity: styleOf(lines, ({ opacity = 1 }) => opacity),
    strokeDash: styleOf(lines, ({ dash = [1, 0] }) => dash),
    detail: { field: 's', type: 'nominal' },
  };
  const barred = numbersOf(({ barEnds }) => barEnds !== undefined);
  const bars = {
    transform: only(barred),
    mark: { type: 'bar', stroke: INKS[theme].paper, strokeWidth: 0.5 },
    encoding: { ...places, x2: { field: 'e' }, y2: { datum: 0 }, detail: styles.detail },
  };
  const curves = [true, false].flatMap((wanted) => {
    const numbers = numbersOf(({ barEnds, isStepped = false }) => !barEnds && isStepped === wanted);
    if (numbers.length === 0) return [];
    const mark = {
      type: 'line',
      ...(wanted && { interpolate: 'step-after' }),
      ...(numbers.some((s) => lines[s]!.hasDots) && { point: { size: 24 } }),
      // If no line has gaps, Vega need not test each row for invalid values.
      ...(numbers.every((s) => lines[s]!.y.every(Number.isFinite)) && { invalid: null }),
    };
    return [{ transform: only(numbers), mark, encoding: { ...places, ...styles } }];
  });
  return [...(barred.length === 0 ? [] : [bars]), ...curves];
}

/** Returns a layer for isolated values, which a line cannot show, or an empty array if there are none. */
function isolatedLayers(rows: readonly object[], size: number, encoding: object): object[] {
  if (!rows.some((row) => 'p' in row)) return [];
  const mark = { type: 'point', filled: true, size };
  return [{ transform: [{ filter: 'datum.p === 1' }], mark, encoding }];
}

/** Encodes a constant style, or a lookup by `s` on an ordinal scale, because Vega's default spaces styles evenly. */
function styleOf(lines: readonly LineMark[], style: (line: LineMark) => unknown): object {
  const range = lines.map(style);
  if (new Set(range.map((one) => JSON.stringify(one))).size === 1) return { value: range[0] };
  const scale = { type: 'ordinal', domain: [...range.keys()], range };
  return { field: 's', type: 'ordinal', scale, legend: null };
}

function bandLayers(bands: readonly Band[], x: object, width: number, titleLines: number): object[] {
  const [colours, opacity] = bands.length === 1 ? [[COLOURS[0]], 0.18] : [BAND_COLOURS, 0.35];
  const legend = { ...legendOf(bands, width, titleLines), symbolType: 'square', symbolStrokeWidth: 0 };
  const range = bands.map((_, i) => colours[i % colours.length]);
  const scale = { domain: bands.map(({ label }) => label), range };
  const fill = { field: 'label', type: 'nominal', scale, legend };
  return bands.map(({ label, x: times, low, high }) => ({
    data: inlineData(
      Array.from(times, (t, i) => ({ t, v: finiteOrNull(low[i]!), high: finiteOrNull(high[i]!), label })),
    ),
    mark: { type: 'area', opacity },
    encoding: { x, y: VALUE, y2: { field: 'high' }, fill },
  }));
}

/** Returns a legend placed above the panel's axis title, with as many columns as fit. */
function legendOf(named: readonly (LineMark | Band)[], width: number, titleLines = 1) {
  const longest = Math.max(0, ...named.map(({ label }) => label.length)) * RESERVED * LABEL_SIZE + 34;
  const columns = Math.max(1, Math.floor((width - 60) / longest));
  const [offset, labelLimit] = [10 + titleLines * TITLE_LINE, Math.min(560, width - 120)];
  return { orient: 'top', title: null, offset, labelLimit, columns };
}

/** Returns a legend for lines without end labels. The legend is attached to invisible points, one for each line. */
function legendLayers(lines: readonly LineMark[], width: number, titleLines: number): object[] {
  if (lines.length === 0) return [];
  const legend = {
    ...legendOf(lines, width, titleLines),
    symbolType: 'stroke',
    symbolStrokeWidth: 3,
    symbolSize: 300,
  };
  const scale = { domain: lines.map(({ label }) => label), range: lines.map(({ colour }) => colour) };
  const mark = { type: 'point', size: 0, filled: true };
  const named = { field: 'label', type: 'nominal', legend };
  const dashes = { domain: scale.domain, range: lines.map(({ dash = [1, 0] }) => dash) };
  const encoding = { stroke: { ...named, scale }, strokeDash: { ...named, scale: dashes } };
  return [{ data: { values: lines.map(({ label }) => ({ label })) }, mark, encoding }];
}

/** The share of the line's colour in its label's colour. A higher share would make yellow labels illegible on white. */
const TEXT_SHARE = 0.62;
/** Lines that end closer to the right edge than this share of the axis length are labelled at the edge. */
const MAX_LEAD = 0.08;
const isLate = (t: number, [from, to]: Span) => to - t <= MAX_LEAD * (to - from);

/** Returns each line's last point with a value, together with the line's label. Lines without values are left out. */
function lastPoints(lines: readonly LineMark[]) {
  return lines.flatMap(({ x, y, label, colour }) => {
    const row = y.findLastIndex((value) => !Number.isNaN(value));
    return row < 0 ? [] : [{ t: x[row]!, v: y[row]!, text: label, colour }];
  });
}

/** Returns labels in the lines' colours, each at its line's end if the line ends early, otherwise at the right edge. */
function endLayers(
  named: readonly LineMark[],
  [low, high]: Span,
  { x, isLog, plan: { domain, plotHeight, theme } }: { x: object; isLog: boolean; plan: PanelPlan },
): object[] {
  const ends = lastPoints(named);
  if (ends.length === 0) return [];
  const late = ends.filter(({ t }) => isLate(t, domain));
  const [to, from] = isLog ? [Math.log, Math.exp] : [Number, Number];
  const gap = (LABEL_GAP * (to(high) - to(low))) / plotHeight;
  const wanted = late.map(({ v }) => to(v));
  const heights = spreadLabels(wanted, gap, [to(low), to(high)]);
  const values = ends.map((end) => {
    const at = late.indexOf(end);
    // A label within the panel is placed above the time axis, so that the axis does not cross it.
    const within = { ...end, v: from(Math.max(to(end.v), to(low) + gap / 2)) };
    const place = at < 0 ? within : { ...end, t: domain[1], v: from(heights[at]!) };
    return { ...place, colour: mixColours(INKS[theme].ink, end.colour, TEXT_SHARE) };
  });
  const fill = { field: 'colour', type: 'nominal', scale: null };
  const mark = { type: 'text', align: 'left', dx: 8, fontSize: LABEL_SIZE, limit: 420 };
  return [{ data: inlineData(values), mark, encoding: { x, y: VALUE, text: { field: 'text' }, fill } }];
}

/** Returns the layers for annotations. Only the first panel shows their labels. */
function annotationLayers({ annotations, isFirst, theme, across, domain }: PanelPlan, x: object): object[] {
  const rule = { type: 'rule', color: QUIET_COLOUR, strokeDash: [5, 3] };
  const words = { type: 'text', align: 'left', dx: 4, fontSize: 11, color: INKS[theme].ink };
  return annotations.flatMap(({ from, to, value, text = '' }, at): object[] => {
    const isDated = value == null;
    if (isDated && (from == null || (across !== 'time' && across !== 'years'))) return [];
    const t = isDated ? parseTime(from!, 'from') : domain[0];
    const high = to == null ? undefined : parseTime(to, 'to') + DAY_MS;
    const data = { values: [{ t, text, v: value ?? undefined, high }] };
    const band = { type: 'rect', color: QUIET_COLOUR, opacity: 0.18 };
    const shape =
      isDated && high !== undefined
        ? { mark: band, encoding: { x, x2: { field: 'high' } } }
        : { mark: rule, encoding: isDated ? { x } : { y: VALUE } };
    const mark = isDated ? words : { ...words, dy: -7 };
    const y = isDated ? { value: 8 + 14 * (at % 3) } : VALUE;
    const label = { data, mark, encoding: { x, y, text: { field: 'text' } } };
    return [{ data, ...shape }, ...(isFirst && text !== '' ? [label] : [])];
  });
}

/** A Vega expression that completes the first time label with the year, or the month and year, on a second line. */
const TIME_LABEL =
  "datum.index > 0 || utcFormat(datum.value, '%m-%d') === '01-01' ? datum.label : " +
  "[datum.label, utcFormat(datum.value, utcdate(datum.value) === 1 || utcday(datum.value) === 0 ? '%Y' : '%B %Y')]";

/** A time axis that uses UTC, regardless of the viewer's time zone. */
const TIME_AXIS = {
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

/** Spans of up to this many days have one tick per day, because Vega would otherwise add hours. */
const MAX_DAYS_OF_HOURS = 8;
const MAX_YEAR_TICKS = 12;
/** The margin of the time axis, in days, on both sides of a single annual value. */
const DAYS_AROUND = 366;

function horizontalAxis({ across, domain: [from, to], firstMonth, isLast }: PanelPlan): object {
  const texts = { title: null, ...(!isLast && { labels: false, ticks: false }) };
  // The domain is set explicitly, because Vega draws no axis for a single moment.
  const whole = { domain: [from, to].map((ms) => ({ expr: String(ms) })) };
  const timeAxis = (ticks: object, scale: object = {}) => ({
    ...TIME_AXIS,
    scale: { ...TIME_AXIS.scale, ...scale },
    axis: { ...ticks, ...texts },
  });
  if (across === 'months') {
    const tickCount = { interval: 'month', step: 1 };
    return timeAxis({ format: '%b', tickCount, labelOverlap: true, labelSeparation: 6 }, { nice: false });
  }
  if (to - from <= MAX_DAYS_OF_HOURS * DAY_MS)
    return timeAxis({ ...TIME_AXIS.axis, tickCount: { interval: 'day', step: 1 } }, whole);
  if (across === 'time') return timeAxis(TIME_AXIS.axis);
  const isLone = to - from === 2 * DAYS_AROUND * DAY_MS;
  return timeAxis(yearTicks(from, to, firstMonth), isLone ? whole : {});
}

/** Slightly less than half a year, so that shifting the middle of a year by this amount does not leave that year. */
const HALF_YEAR_MS = 170 * DAY_MS;

/** Returns ticks at the middle of each year. Years that do not begin in January are labelled like `2012/13`. */
function yearTicks(from: number, to: number, firstMonth: number): object {
  const [first, last] = [yearOf(from) - 1, yearOf(to) + 1];
  const count = (to - from) / (365.25 * DAY_MS);
  const step = [1, 2, 5, 10, 20, 50].find((wide) => count / wide <= MAX_YEAR_TICKS) ?? 100;
  const values = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((year) => year % step === 0)
    .map((year) => (utcDay(year, firstMonth, 1) + utcDay(year + 1, firstMonth, 1) - DAY_MS) / 2);
  const begun = `utcFormat(datum.value - ${HALF_YEAR_MS}, '%Y')`;
  const ended = `utcFormat(datum.value + ${HALF_YEAR_MS}, '%y')`;
  return {
    values: { expr: `[${values}]` },
    labelExpr: firstMonth === 1 ? begun : `${begun} + '/' + ${ended}`,
    labelOverlap: true,
  };
}

function verticalAxis(title: readonly string[]): object {
  const titleY = -8 - (title.length - 1) * TITLE_LINE;
  const aligned = { titleAnchor: 'end', titleAlign: 'left', titleBaseline: 'bottom' };
  return { title, titleAngle: 0, ...aligned, titleX: 0, titleY };
}

/** Returns label positions within limits that are at least `gap` apart, in the order of the values and near them. */
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

/** The minimum panel width in pixels at which the shape of a line is visible. */
const MIN_PANEL_WIDTH = 120;
/** The maximum panel width in pixels when fitting long names. Wider panels would leave room for too few columns. */
const MAX_NAME_WIDTH = 260;
const SPACING = 14;
const HEADING = "split(datum.label, '\\n')";
const HEADING_PIXELS = 11;
const HEADING_LINE_PIXELS = 13;
const MAX_HEADING_LINES = 3;

/** Draws a panel for each line. All panels have the same axes, so that the lines can be compared. */
export function panelGrid(
  lines: readonly DrawnLine[],
  texts: DescribedTexts,
  { axis, ...named }: Pick<ChartFigure, 'labels' | 'lines'> & { readonly axis: Axis },
): Chart {
  const { labels } = named;
  const span = spanOf(lines.map(({ y }) => y));
  const scale = axis.zero === 'log' ? { type: 'log' } : { zero: startsAtZero(axis, span) };
  const subtitle = joinTexts([texts.subtitle, axis.title, zeroNote(axis, span)]);
  const { width, height } = sizeOf(texts);
  const longest = Math.max(...labels.map((label) => textWidth(label, HEADING_PIXELS)));
  const nameWidth = Math.max(MIN_PANEL_WIDTH, Math.min(MAX_NAME_WIDTH, longest / 2));
  const wanted = Math.floor(width / (nameWidth + 16));
  const columns = Math.max(2, Math.min(lines.length <= 12 ? 4 : 6, wanted));
  const rowCount = Math.ceil(lines.length / columns);
  const panelWidth = Math.max(40, Math.floor((width - 56) / columns) - SPACING);
  const headings = distinctLabels(labels.map((label) => wrapHeading(label, panelWidth)));
  const headingLines = Math.max(...headings.map((one) => one.split('\n').length));
  const gap = 21 + HEADING_LINE_PIXELS * headingLines;
  const size = { width: panelWidth, height: Math.max(36, Math.floor((height - 110) / rowCount) - gap) };
  const y = { ...VALUE, scale, axis: { title: null, tickCount: 3 } };
  const x = { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, tickCount: 2, labelOverlap: true } };
  const header = { labelPadding: 2, labelLimit: 0, labelExpr: HEADING, labelLineHeight: HEADING_LINE_PIXELS };
  const rows = lines.flatMap(markRows);
  const hasBreaks = lines.some((line) => !line.y.every(Number.isFinite));
  const mark = { type: 'line', strokeWidth: 1.2, color: COLOURS[0], ...(!hasBreaks && { invalid: null }) };
  const looked = headings.map((label, s) => ({ s, label }));
  const grid = {
    data: inlineData(rows),
    transform: [{ lookup: 's', from: { data: { values: looked }, key: 's', fields: ['label'] } }],
    // The headings are added by a lookup, because Vega would otherwise try every heading for every point.
    facet: { field: 'label', type: 'nominal', sort: { field: 's', op: 'min' }, title: null, header },
    columns,
    bounds: 'flush',
    spacing: { row: gap, column: SPACING },
  };
  const dates = lines.map(({ x }) => x);
  const figure = {
    ...named,
    colours: labels.map(() => COLOURS[0]),
    times: spanOf(dates, () => DAY_MS),
    panels: lines.map((_, at) => ({ series: [at], isOfOne: true, scale: 'y' })),
  };
  const color = { value: COLOURS[0] };
  const layer = [{ mark, encoding: { x, y } }, ...isolatedLayers(rows, 12, { x, y, color })];
  return new Chart({ ...texts, subtitle }, figure, ({ source }) => ({
    ...grid,
    spec: { ...size, layer: [...layer, ...source] },
  }));
}

/** Wraps a name to a panel's width and truncates it after three lines, because Vega can only estimate text widths. */
function wrapHeading(name: string, width: number): string {
  const fits = (line: string) => textWidth(line, HEADING_PIXELS) <= width;
  const cut = (line: string): string =>
    fits(`${line}…`) || line.length < 2 ? `${line}…` : cut(line.slice(0, -1));
  const lines = wrapWords(name, fits, MAX_HEADING_LINES);
  return lines.map((line) => (fits(line) ? line : cut(line))).join('\n');
}
