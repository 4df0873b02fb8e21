import type { Table } from 'apache-arrow';
import { rowsOf } from '../../columns/row-runs.js';
import type { MatchedName } from '../../model/entity.js';
import { plural } from '../../model/names/plural.js';
import { DAY_MS } from '../../model/time.js';
import { type Cell, cellText, dayText, timeText } from '../table/cells.js';
import { columnReader, numbersAt, readColumns } from '../table/columns.js';
import { hasOwnName } from '../table/names.js';
import { readAs } from '../table/row-reader.js';
import { frameSeries, frameShape, type SeriesView } from '../table/series-view.js';
import { type FrameSummary, type ReportSummary, typeName } from './describe.js';
import { labelSeries, sparkline } from './shown-series.js';

export interface DisplayGrid {
  columns: { name: string; type: string; number: boolean }[];
  head: (string | null)[][];
  tail: (string | null)[][];
  omittedRows: number;
  omittedColumns: number;
  /** The parts of series names that all series of a wide frame share. They are omitted from the column names. */
  shared: string;
}

const MAX_COLUMNS = 24;

const MAX_WHOLE_ROWS = 20;

/** Selects the cells to display: all rows of a small frame, or the first and last rows of a larger one. */
export function displayGrid(table: Table, rowsAtEnds: number | undefined): DisplayGrid {
  const positions = namesFirst(table).slice(0, MAX_COLUMNS);
  const rows = rowsAtEnds ?? 5;
  const isWhole = table.numRows <= (rowsAtEnds === undefined ? MAX_WHOLE_ROWS : rowsAtEnds * 2);
  const shown = isWhole ? table.numRows : rows;
  const head = table.numRows === 0 ? table : table.slice(0, shown);
  const tail = shown === table.numRows ? null : table.slice(table.numRows - rows);
  const { names, shared } = shortenNames(table);
  return {
    columns: positions.map((position) => {
      const field = table.schema.fields[position]!;
      const type = typeName(field);
      return {
        name: names.get(field.name) ?? field.name,
        type,
        number: /^(?:u?int|float|decimal)\d*/.test(type),
      };
    }),
    head: readCells(head, positions),
    tail: tail === null ? [] : readCells(tail, positions),
    omittedRows: table.numRows - head.numRows - (tail?.numRows ?? 0),
    omittedColumns: table.numCols - positions.length,
    shared,
  };
}

// Puts id columns last if the table also has the corresponding name columns.
function namesFirst({ schema }: Table): number[] {
  const names = new Set(schema.fields.map(({ name }) => name));
  const isNamed = (position: number) => {
    const { name } = schema.fields[position]!;
    return name.endsWith('_id') && names.has(name.replace(/id$/, 'name'));
  };
  const positions = [...schema.fields.keys()];
  return [...positions.filter((position) => !isNamed(position)), ...positions.filter(isNamed)];
}

function shortenNames(table: Table): { names: Map<string, string>; shared: string } {
  if (frameShape(table) !== 'wide') return { names: new Map(), shared: '' };
  const views = frameSeries(table);
  const { labels, shared } = labelSeries(views);
  // Custom column names, such as short names, are shown unchanged, because code refers to them.
  const hasOwnNames = views.some(({ column }) => hasOwnName(column));
  const headings = hasOwnNames ? views.map(ownHeading) : labels;
  return {
    names: new Map(views.map(({ column }, at) => [column, headings[at]!])),
    shared: hasOwnNames ? '' : shared,
  };
}

function ownHeading({ column, names }: SeriesView): string {
  const unit = names.get('unit_abbreviation') ?? names.get('unit_name');
  return unit === undefined ? column : `${column} | ${unit}`;
}

function readCells(table: Table, positions: readonly number[]): (string | null)[][] {
  const columns = readColumns(table);
  const texts = positions.map((position) => {
    const { column } = columns[position]!;
    const isOfDays =
      column.type === 'timestamp' && column.values.every((time) => time % BigInt(DAY_MS) === 0n);
    return readAs<string | null>(column, {
      none: null,
      time: isOfDays ? dayText : timeText,
      number: formatNumber,
      text: (text) => text,
      other: shortText,
    });
  });
  return Array.from({ length: table.numRows }, (_, row) => texts.map((text) => text(row)));
}

/**
 * Returns labels, sparklines and bounds for the first `max` series of a frame, omitting series without a sparkline.
 * `more` is the number of series beyond the first `max`.
 */
export function seriesLines(
  table: Table,
  max: number,
): { shared: string; lines: [label: string, line: string, bounds: string][]; more: number } {
  const all = frameSeries(table);
  const views = all.slice(0, max);
  const { shared, labels } = labelSeries(views);
  const columnOf = columnReader(table);
  const lines = views.flatMap(({ column, runs }, at): [string, string, string][] => {
    const values = numbersAt(columnOf(column), rowsOf(runs));
    const line = sparkline(values);
    if (line === '') return [];
    const known = values.filter((value) => !Number.isNaN(value));
    const [least, most] = [Math.min, Math.max].map((of) => formatNumber(known.reduce((a, b) => of(a, b))));
    return [[labels[at]!, line, `${least} … ${most}`]];
  });
  return { shared, lines, more: all.length - views.length };
}

const MAX_CELL = 60;

function shortText(cell: Cell): string {
  if (typeof cell === 'number') return formatNumber(cell);
  const text = cellText(cell);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

/** Formats a number with 7 significant digits or, from a million on, 1 decimal place. Integers keep all digits. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  return String(Math.abs(value) >= 1e6 ? Number(value.toFixed(1)) : Number(value.toPrecision(7)));
}

/** Returns the lines above a frame: shape, units, sources with licences, retrieval report and derivation steps. */
export function headLines(summary: FrameSummary): string[] {
  const { shape, rows, columns, series } = summary;
  const kind = shape === 'other' ? 'table' : `${shape} frame`;
  const size = `${counted(rows, 'row')} × ${counted(columns.length, 'column')}`;
  const ofSeries = shape === 'other' ? [] : [`${formatCount(series)} series`];
  const lines = [[kind, size, ...ofSeries].join(' · ')];
  if (summary.units.length > 0)
    lines.push(`units: ${summary.units.map((unit) => unit.abbreviation).join(', ')}`);
  if (summary.sources.length > 0) {
    lines.push(`sources: ${summary.sources.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`);
  }
  if (summary.retrieved_at !== null)
    lines.push(`retrieved: ${summary.retrieved_at} from ${summary.api_host}`);
  if (summary.report !== null) lines.push(...reportLines(summary.report));
  if (summary.matched.length > 0) lines.push(`matched: ${summary.matched.map(matchText).join(', ')}`);
  if (summary.derived.length > 0) lines.push(`computed: ${summary.derived.join(', then ')}`);
  return lines;
}

function matchText({ requested, name, namesakes = [] }: MatchedName): string {
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.join(' or ')}`;
  return `${name} for "${requested}"${others}`;
}

function reportLines(report: ReportSummary): string[] {
  const parts = [
    [report.data, 'with data'],
    [report.empty, 'empty'],
    [report.failed, 'FAILED'],
    [report.truncated, 'truncated'],
    [report.dropped_duplicates, `${plural('point', report.dropped_duplicates)} dropped (same end date)`],
  ] as const;
  const counts = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${formatCount(number)} ${what}`);
  return counts.length === 0 ? [] : [`report: ${formatCount(report.series)} series, ${counts.join(', ')}`];
}

/** Formats an integer with commas as thousands separators in every locale. */
export function formatCount(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function counted(number: number, noun: string): string {
  return `${formatCount(number)} ${plural(noun, number)}`;
}
