import type { Table } from 'apache-arrow';
import { creditOf } from '../frame/display/credit.js';
import { findColumn } from '../frame/table/columns.js';
import { axisColumn, compareValues, type OrderedColumn, type OrderedValue } from '../frame/table/ordered.js';
import { frameSeries, frameShape } from '../frame/table/series-view.js';
import { badArgument } from '../model/errors.js';
import { getOrCompute } from '../model/grouping.js';
import { checkRequiredOptions, type OptionKeys } from '../model/schema/check.js';
import { oneOf, TEXT } from '../model/schema/schemas.js';
import { DAY_MS } from '../model/time.js';
import { type Chart, type ChartTexts, singlePanel, sizeOf, TEXT_KEYS, textWidth } from './chart.js';
import { COLOURS } from './theme.js';

const MARKS = {
  scatter: { type: 'point', filled: true, opacity: 0.7 },
  line: { type: 'line' },
  bar: { type: 'bar' },
  histogram: { type: 'bar' },
  box: { type: 'boxplot', extent: 1.5 },
};
/** What a plot draws: points, a line, bars, a histogram, or box plots of quartiles. */
export type PlotMark = keyof typeof MARKS;

/** The columns to draw, the mark, and the chart's texts and size. */
export interface PlotOptions<Name extends string = string> extends ChartTexts {
  /** The column on the horizontal axis. Optional for box plots. */
  x?: Name | undefined;
  /** The column on the vertical axis. Must be omitted for histograms. */
  y?: Name | undefined;
  /**
   * The column whose values determine the colours. It may contain up to eight distinct strings or dates. For `scatter`,
   * it may also contain numbers or any number of dates.
   */
  color?: Name | undefined;
  /** The kind of plot; `scatter` by default. */
  mark?: PlotMark | undefined;
}

const PLOT_KEYS: OptionKeys<PlotOptions> = {
  x: TEXT,
  y: TEXT,
  color: TEXT,
  mark: oneOf(Object.keys(MARKS) as PlotMark[]),
  ...TEXT_KEYS,
};

/** The maximum number of rows that can be drawn. With more rows, the specification would take up many megabytes. */
const MAX_ROWS = 100_000;
const TYPES = { number: 'quantitative', date: 'temporal', text: 'nominal' } as const;

interface Drawn {
  readonly name: string;
  readonly heading: string;
  readonly type: (typeof TYPES)[keyof typeof TYPES];
  readonly at: OrderedColumn['at'];
  /** The format of dates in the legend; absent if the values are not dates. */
  readonly dateFormat?: string | undefined;
  /** Whether the values are strings, which are drawn in row order. Numbers and dates are sorted. */
  readonly isText: boolean;
}

type Axes = Readonly<Record<'x' | 'y' | 'color', Drawn | undefined>>;

/** Draws columns of a table of any shape (see `Frame.plot`). */
export function plot(table: Table, options: PlotOptions): Chart {
  checkRequiredOptions(options, PLOT_KEYS, 'plot');
  const { mark = 'scatter' } = options;
  if (table.numRows > MAX_ROWS)
    throw badArgument('table', `it has ${table.numRows} rows, but a chart can draw at most ${MAX_ROWS}`, {
      remedy: `draw table.sample(${MAX_ROWS}), or aggregate it first`,
    });
  const drawn = (axis: keyof Axes) => readDrawn(table, axis, options[axis]);
  const columns = { x: drawn('x'), y: drawn('y'), color: drawn('color') };
  checkPlotMark(mark, columns);
  const axes = withDiscretePositions(table, columns, mark);
  const values = drawnRows(table, axes, mark);
  if (mark === 'line' || mark === 'bar') checkOneRowEach(values, axes, mark);
  const title = options.title ?? defaultTitle(mark, axes);
  const left = table.numRows - values.length;
  const note =
    left === 0 ? undefined : `without ${left} of ${table.numRows} rows, in which a value is missing`;
  const texts = {
    ...options,
    title,
    subtitle: options.subtitle ?? note,
    source: options.source ?? creditOf(table),
    description: `${title}: ${mark} of ${values.length} rows.`,
  };
  const isHorizontal = axes.x?.type === 'nominal' && fitHorizontally(values, sizeOf(options).width);
  const layer = [{ mark: MARKS[mark], encoding: encodingOf(mark, axes, isHorizontal) }];
  return singlePanel(texts, () => ({ layer, data: { values } }));
}

function readDrawn(table: Table, axis: keyof Axes, name: string | undefined): Drawn | undefined {
  if (name === undefined) return undefined;
  const { kind, at } = axisColumn(findColumn(table, name, axis));
  const { metadata, type } = table.schema.fields.find((field) => field.name === name)!;
  const unit = singleUnit(table, name, axis) ?? metadata.get('unit_name');
  const heading = unit === undefined ? name : `${name} (${unit})`;
  if (kind === 'none') throw badArgument(axis, `column "${name}" has type ${type}, which cannot be plotted`);
  return { name, heading, type: TYPES[kind], at, isText: kind === 'text' };
}

/** Returns the unit of a long frame's values; `undefined` for anything else. @throws ArgumentError if units differ */
function singleUnit(table: Table, name: string, argument: string): string | undefined {
  if (name !== 'value' || frameShape(table) !== 'long') return undefined;
  const views = frameSeries(table);
  if (new Set(views.map(({ unit_id }) => unit_id)).size <= 1) return views[0]?.names.get('unit_name');
  throw badArgument(argument, 'the values have different units', {
    remedy: 'request a single unit, or choose series with selectSeries',
  });
}

function checkPlotMark(mark: PlotMark, { x, y, color }: Axes): void {
  if (mark === 'histogram') {
    if (x?.type !== 'quantitative') throw badArgument('x', 'a histogram needs a column of numbers');
    if (y !== undefined) throw badArgument('y', 'a histogram counts the rows', { remedy: 'omit y' });
  } else if (y === undefined || (x === undefined && mark !== 'box')) {
    throw badArgument(y === undefined ? 'y' : 'x', `specify a column, which mark "${mark}" requires`);
  }
  if ((mark === 'box' || mark === 'bar') && y!.type !== 'quantitative')
    throw badArgument('y', `"${y!.name}" has no numbers, which mark "${mark}" requires`);
  if (color?.type === 'quantitative' && mark !== 'scatter')
    throw badArgument('color', `"${color.name}" has numbers, which only mark "scatter" can colour by`, {
      remedy: `pass a column of strings`,
    });
}

/** Makes x discrete for bars or boxes at numbers, and colours for dates, unless a scatter plot has too many dates. */
function withDiscretePositions(table: Table, { x, y, color }: Axes, mark: PlotMark): Axes {
  const isPlaced = (mark === 'bar' || mark === 'box') && x?.type === 'quantitative';
  const dates = new Set(
    color?.type === 'temporal' ? Array.from({ length: table.numRows }, (_, row) => color.at(row)) : [],
  );
  const isFew = dates.size > 0 && (dates.size <= COLOURS.length || mark !== 'scatter');
  const isOfDays = [...dates].every((ms) => Number(ms) % DAY_MS === 0);
  const dateFormat = dates.size === 0 ? undefined : `%Y-%m-%d${isOfDays ? '' : ' %H:%M'}`;
  return {
    x: isPlaced ? { ...x, type: 'nominal' } : x,
    y,
    color: color && { ...color, type: isFew ? 'nominal' : color.type, dateFormat },
  };
}

type DrawnRow = Record<string, string | number>;

function drawnRows({ numRows }: Table, axes: Axes, mark: PlotMark): DrawnRow[] {
  const { x, color } = axes;
  const columns = Object.entries(axes).flatMap(([axis, column]) => (column ? [{ axis, ...column }] : []));
  const order = Array.from({ length: numRows }, (_, row) => row);
  if (x?.type === 'nominal' && !x.isText) order.sort((a, b) => compareValues(x.at(a), x.at(b)));
  const places = new Map<string | number, number>();
  const rows: DrawnRow[] = [];
  for (const row of order) {
    const cells = columns.map(({ axis, at, type }) => [axis, toVegaValue(at(row), type)] as const);
    if (cells.some(([, cell]) => cell === null)) continue;
    const drawn = Object.fromEntries(cells) as DrawnRow;
    if (mark === 'line' && x?.type === 'nominal') {
      drawn.place = getOrCompute(places, drawn.x!, () => places.size);
    }
    rows.push(drawn);
  }
  if (color?.type !== 'nominal') return rows;
  const values = new Set(rows.map(({ color }) => color));
  if (values.size <= COLOURS.length) return rows;
  const kind = color.isText ? 'strings' : 'dates';
  throw badArgument(
    'color',
    `"${color.name}" has ${values.size} different ${kind}, but only ${COLOURS.length} colours can be told apart`,
    { remedy: `keep some of them with filter` },
  );
}

/** Converts a value for Vega. On discrete axes, large integers become strings, because doubles would lose digits. */
function toVegaValue(value: OrderedValue, type: Drawn['type']): string | number | null {
  if (value === null) return null;
  const number = Number(value);
  if (type !== 'nominal' || typeof value === 'number') return Number.isFinite(number) ? number : null;
  return typeof value === 'bigint' && Number.isSafeInteger(number) ? number : String(value);
}

/** Checks that no two rows share a position, because bars would be stacked, and lines would double back. */
function checkOneRowEach(rows: readonly DrawnRow[], { x, color }: Axes, mark: PlotMark): void {
  const places = new Set(rows.map((row) => JSON.stringify([row.x, row.color])));
  if (places.size === rows.length) return;
  const columns = color === undefined ? `"${x!.name}"` : `"${x!.name}" and "${color.name}"`;
  throw badArgument('table', `several rows have the same ${columns}, and a ${mark} can show only one`, {
    remedy: `aggregate them first, or pass the column that distinguishes them as color`,
  });
}

function defaultTitle(mark: PlotMark, { x, y }: Axes): string {
  if (mark === 'histogram') return `Distribution of ${x!.name}`;
  return x === undefined ? y!.name : `${y!.name} by ${x.name}`;
}

const LABEL_SIZE = 11;
const MAX_LABEL_PIXELS = 260;

/** Checks whether the x-axis labels fit horizontally; otherwise, Vega would rotate them. */
function fitHorizontally(rows: readonly DrawnRow[], width: number): boolean {
  const texts = new Set(rows.map(({ x }) => String(x)));
  const longest = Math.max(0, ...Array.from(texts, (text) => textWidth(text, LABEL_SIZE)));
  return (longest + LABEL_SIZE) * texts.size <= width;
}

function encodingOf(mark: PlotMark, { x, y, color }: Axes, isHorizontal: boolean) {
  const isBar = mark === 'bar';
  const axis = (field: 'x' | 'y', { type, heading }: Drawn) => ({
    field,
    type,
    title: heading,
    ...(type === 'temporal' && { scale: { type: 'utc' } }),
    ...(type === 'quantitative' && { scale: { zero: isBar && field === 'y' } }),
    ...(type === 'nominal' && {
      sort: null,
      axis: {
        labelLimit: MAX_LABEL_PIXELS,
        labelFlush: false,
        ...(isHorizontal && field === 'x' && { labelAngle: 0 }),
      },
    }),
  });
  const sort = color?.isText === true ? null : 'ascending';
  const colour = color && {
    field: 'color',
    type: color.type,
    title: color.heading,
    ...(color.type === 'nominal' && { sort, scale: { range: COLOURS } }),
    ...(color.dateFormat && { legend: { labelExpr: `utcFormat(datum.value, '${color.dateFormat}')` } }),
  };
  return {
    ...(x && { x: axis('x', x) }),
    ...(y && { y: axis('y', y) }),
    ...(mark === 'histogram' && {
      x: { ...axis('x', x!), bin: { maxbins: 30 } },
      y: { aggregate: 'count', title: 'Rows' },
    }),
    color: colour ?? { value: COLOURS[0] },
    ...(isBar && color && color.name !== x?.name && { xOffset: { field: 'color', sort } }),
    order: mark === 'line' ? { field: x?.type === 'nominal' ? 'place' : 'x' } : undefined,
  };
}
