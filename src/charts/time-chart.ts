import { withDetail } from '../frame/display/credit.js';
import { ArgumentError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import { Chart, type ChartTexts, captionLines, singlePanel, sizeOf, titleOf } from './chart.js';
import {
  dataOf,
  distinctLabels,
  type LineData,
  type LineRow,
  lineRows,
  rowKinds,
  TIME_AXIS,
  type TimePlan,
  timeAxis,
  timeSpan,
  timesOf,
  valueScale,
} from './lines.js';
import { COLOURS, QUIET_COLOUR } from './theme.js';

/** The most axes that fit beside a panel. */
const MAX_UNITS = 3;

/** Above this, lines of one panel cannot be told apart by colour. */
const MAX_COLOURS = COLOURS.length;

/** Lines with fewer points than this show each of them. */
const MAX_MARKED_POINTS = 40;

/** Longer labels of a legend are cut, in pixels. */
const MAX_LABEL_WIDTH = 560;

/** Above this, a line is thin, so that neighbouring values can be told apart. */
const MAX_THICK_POINTS = 1_500;

/** Texts of a chart of lines over time. */
interface TimeChartTexts extends ChartTexts {
  readonly title: string;
  /** Label of the line to highlight. */
  readonly highlight?: string | undefined;
  /** Points above which the lines are thinned. */
  readonly maxPoints?: number | undefined;
}

/**
 * Lines over time, one axis for each unit: up to eight in one panel, more as a panel each. Coarser series beside finer ones
 * are steps over their periods.
 * @throws ArgumentError when there is nothing to draw, or the lines are in more than three units
 */
export function timeChart(given: readonly LineData[], texts: TimeChartTexts): Chart {
  const lines = withValues(given);
  const labels = distinctLabels(lines.map(({ label }) => label));
  const highlight = texts.highlight === undefined ? null : highlightedLine(lines, labels, texts.highlight);
  const units = unitsOf(lines);
  const inPanels = lines.length > MAX_COLOURS && highlight === null;
  const width = inPanels ? 160 : (texts.width ?? 860);
  const { rows, drawn, total } = lineRows(lines, {
    width,
    isStepped: (line) => isStepped(lines, line),
    maxPoints: texts.maxPoints,
  });
  const described = {
    ...texts,
    subtitle: joinTexts([texts.subtitle, thinned(drawn, total), withoutValues(given.length - lines.length)]),
    description: describe(lines, labels, texts.title),
  };
  const plan = { lines, labels, rows: highlightedLast(rows, highlight), highlight };
  if (inPanels) return panels(plan, described);
  const resolve = units.length > 1 ? { resolve: { scale: { y: 'independent' } } } : {};
  const layersOf = (legend: boolean) => units.map((unit, at) => unitLayer(plan, unit, { at, legend }));
  return singlePanel(described, (form) => ({ layer: layersOf(form.texts), ...dataOf(plan), ...resolve }), {
    labels,
    times: timesOf(rows),
  });
}

/** The layers of one unit, on one axis: lines, steps, and points that have no neighbour. */
function unitLayer(plan: TimePlan, unit: string, { at, legend }: { at: number; legend: boolean }): object {
  const { lines } = plan;
  const ofUnit = [...lines.keys()].filter((s) => lines[s]!.unit === unit);
  const measures = [...new Set(ofUnit.map((s) => lines[s]!.measure))];
  const title = withDetail(measures.length === 1 ? measures[0]! : 'Value', unit);
  const scale = valueScale(ofUnit.flatMap((s) => [...lines[s]!.value]));
  const y = { field: 'v', type: 'quantitative', scale, axis: { title, ...SIDES[at]! } };
  const encoding = { x: timeAxis(lines), y, color: colourOf(plan, legend) };
  const only = (series: readonly number[]) =>
    series.length === lines.length ? [] : [{ filter: { field: 's', oneOf: series } }];
  const steps = ofUnit.filter((s) => isStepped(lines, lines[s]!));
  const curves = ofUnit.filter((s) => !steps.includes(s));
  const longest = Math.max(...ofUnit.map((s) => lines[s]!.value.length));
  const { hasLone, hasBreaks } = rowKinds(plan.rows);
  const strokeWidth = longest > MAX_THICK_POINTS ? 1 : 1.8;
  const stroke = { type: 'line', strokeWidth, ...(!hasBreaks && { invalid: null }) };
  const lineOf = (mark: object) => ({
    mark: { ...stroke, ...mark },
    encoding: { ...encoding, ...emphasis(plan) },
  });
  const isMarked = longest <= MAX_MARKED_POINTS;
  const lone = { mark: { type: 'point', filled: true, size: 24 }, encoding };
  return {
    layer: [
      ...(steps.length > 0 ? [{ transform: only(steps), ...lineOf({ interpolate: 'step-after' }) }] : []),
      ...(curves.length > 0
        ? [
            { transform: only(curves), ...lineOf(isMarked ? { point: { size: 24 } } : {}) },
            ...(hasLone ? [{ transform: [...only(curves), { filter: 'datum.p === 1' }], ...lone }] : []),
          ]
        : []),
    ],
  };
}

/** Whether a series is drawn as steps over its periods: it is coarser than another one. */
function isStepped(lines: readonly LineData[], { periodDays }: LineData): boolean {
  return periodDays > 1.5 * Math.min(...lines.map((line) => line.periodDays));
}

function colourOf({ labels, highlight }: TimePlan, hasLegend: boolean): object {
  const range = labels.map((_, s) =>
    highlight === null || highlight === s ? COLOURS[s % COLOURS.length]! : QUIET_COLOUR,
  );
  const values = highlight === null ? labels : [labels[highlight]!];
  const legend = {
    orient: 'top',
    title: null,
    columns: columnsFor(values),
    labelLimit: MAX_LABEL_WIDTH,
    values,
  };
  return {
    field: 'label',
    type: 'nominal',
    scale: { domain: labels, range },
    legend: hasLegend && labels.length > 1 ? legend : null,
  };
}

/** The axis of the first unit is on the left, the others are on the right beside each other. */
const SIDES = [{}, { orient: 'right', grid: false }, { orient: 'right', grid: false, offset: 64 }] as const;

function emphasis({ highlight, labels }: TimePlan): object {
  if (highlight === null) return {};
  const test = { field: 's', equal: highlight };
  return {
    size: { condition: { test, value: 2.5 }, value: labels.length > 20 ? 0.8 : 1.2 },
  };
}

/** As many columns of a legend as fit above the panel. */
function columnsFor(labels: readonly string[]): number {
  const longest = Math.min(MAX_LABEL_WIDTH, 10 * Math.max(...labels.map(({ length }) => length))) + 34;
  return Math.max(1, Math.floor(800 / longest));
}

function withValues(lines: readonly LineData[]): LineData[] {
  const filled = lines.filter(({ value }) => value.length > 0);
  if (filled.length > 0) return filled;
  throw new ArgumentError('series', 'there is no series with a value to draw; give at least one');
}

/** @throws ArgumentError when there are more units than axes fit */
function unitsOf(lines: readonly LineData[]): string[] {
  const units = [...new Set(lines.map(({ unit }) => unit))];
  if (units.length <= MAX_UNITS) return units;
  throw new ArgumentError(
    'series',
    `the series are in ${units.length} units (${units.join(', ')}), and a chart has ${MAX_UNITS} axes; draw those of fewer units, for instance by selectSeries`,
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

/** The points with those of the highlighted line last, so that it is drawn over the others and keeps its colour. */
function highlightedLast(rows: readonly LineRow[], highlight: number | null): readonly LineRow[] {
  if (highlight === null) return rows;
  return [...rows.filter(({ s }) => s !== highlight), ...rows.filter(({ s }) => s === highlight)];
}

function thinned(drawn: number, total: number): string | undefined {
  const text = (count: number) => count.toLocaleString('en-US');
  return drawn === total ? undefined : `thinned: ${text(drawn)} of ${text(total)} points, extremes kept`;
}

function withoutValues(count: number): string | undefined {
  return count === 0 ? undefined : `${count} series without a value not shown`;
}

export function joinTexts(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ') || undefined;
}

/** What, when, and the last value of each of the first lines. */
function describe(lines: readonly LineData[], labels: readonly string[], title: string): string {
  const { from, to } = timeSpan(lines);
  const last = lines
    .slice(0, 8)
    .map(({ value, unit }, s) => `${labels[s]} ${shownNumber(value.at(-1)!)} ${unit}`);
  const more = lines.length > 8 ? ` and ${lines.length - 8} more` : '';
  return `${title}, ${formatDay(from)} to ${formatDay(to - 1)}. Last values: ${last.join('; ')}${more}.`;
}

function shownNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** More panels cannot be read. */
const MAX_PANELS = 60;

/** Narrower panels show no shape. */
const MIN_PANEL_WIDTH = 120;
/** Wider ones, for names of two lines, leave too few beside each other. */
const MAX_NAME_WIDTH = 260;

const SPACING = 14;
/** Splits a heading into its lines. */
const HEADING = "split(datum.label, '\\n')";

/** Pixels of a letter of a heading, and of a line of it. */
const LETTER = 6.8;
const LINE_HEIGHT = 13;
const MAX_HEADING_LINES = 3;

/**
 * A panel for each line, with the same axes, so that lines are compared by their shape and height.
 * @throws ArgumentError above 60 lines, or for lines in several units
 */
function panels(plan: TimePlan, texts: ChartTexts & { title: string; description: string }): Chart {
  const { lines, labels } = plan;
  const units = new Set(lines.map(({ unit }) => unit));
  if (lines.length > MAX_PANELS || units.size > 1) throw tooMany(lines.length, units);
  const { width, height } = sizeOf(texts);
  const nameWidth = Math.min(MAX_NAME_WIDTH, (LETTER / 2) * Math.max(...labels.map(({ length }) => length)));
  const wanted = Math.floor(width / (Math.max(MIN_PANEL_WIDTH, nameWidth) + 16));
  const columns = Math.max(2, Math.min(lines.length <= 12 ? 4 : 6, wanted));
  const rows = Math.ceil(lines.length / columns);
  const panelWidth = Math.max(40, Math.floor((width - 56) / columns) - SPACING);
  const headings = distinctLabels(labels.map((label) => linesOf(label, panelWidth)));
  const headingLines = Math.max(...headings.map((one) => one.split('\n').length));
  const panelHeight = Math.max(36, Math.floor((height - 110) / rows) - 21 - LINE_HEIGHT * headingLines);
  const { measure, unit } = lines[0]!;
  const y = { field: 'v', type: 'quantitative', scale: { zero: false }, axis: { title: null, tickCount: 3 } };
  const x = { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, tickCount: 2, labelOverlap: true } };
  const facet = {
    field: 'label',
    type: 'nominal',
    sort: headings,
    title: null,
    header: {
      labelPadding: 2,
      labelLimit: 0,
      labelExpr: HEADING,
      labelLineHeight: LINE_HEIGHT,
    },
  };
  const { hasLone, hasBreaks } = rowKinds(plan.rows);
  const lone = {
    transform: [{ filter: 'datum.p === 1' }],
    mark: { type: 'point', filled: true, size: 14, color: COLOURS[0] },
    encoding: { x, y },
  };
  const panel = {
    width: panelWidth,
    height: panelHeight,
    layer: [
      {
        mark: { type: 'line', strokeWidth: 1.2, color: COLOURS[0], ...(!hasBreaks && { invalid: null }) },
        encoding: { x, y },
      },
      ...(hasLone ? [lone] : []),
    ],
  };
  const caption = {
    width: 10,
    height: 1,
    data: { values: [{}] },
    mark: {
      type: 'text',
      style: 'caption',
      x: 0,
      y: 0,
      text: captionLines(texts.source ?? '', sizeOf(texts).width),
    },
  };
  const subtitle = [texts.subtitle, withDetail(measure, unit)].filter(Boolean).join(' · ');
  const { title, description, source = '' } = texts;
  const named = { labels, panels: headings, bands: [], times: timesOf(plan.rows) };
  return new Chart({ title, subtitle, source, description, ...named }, (form) => ({
    description,
    padding: 12,
    ...(form.texts && { title: titleOf(title, subtitle) }),
    vconcat: [
      {
        ...dataOf({ rows: plan.rows, labels: headings, names: labels }),
        facet,
        columns,
        spacing: SPACING,
        spec: panel,
      },
      ...(form.texts && source !== '' ? [caption] : []),
    ],
  }));
}

/** A name on as many lines as it needs in a panel; what three lines do not hold is cut. Vega would cut by a guess where no browser measures. */
function linesOf(name: string, width: number): string {
  const letters = Math.max(2, Math.floor(width / LETTER));
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const last = lines.at(-1);
    const isFull = last === undefined || last.length + 1 + word.length > letters;
    if (isFull && lines.length < MAX_HEADING_LINES) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => (line.length > letters ? `${line.slice(0, letters - 1)}…` : line)).join('\n');
}

function tooMany(count: number, units: ReadonlySet<string>): ArgumentError {
  const what = count > MAX_PANELS ? `${count} series` : `${count} series in ${units.size} units`;
  return new ArgumentError(
    'series',
    `${what} cannot be told apart in one chart; draw at most ${MAX_PANELS} of one unit, or highlight one of them`,
  );
}
