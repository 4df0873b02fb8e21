import type { Table } from 'apache-arrow';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { integer } from '../../model/schema/schemas.js';
import { summariseFrame } from './describe.js';
import { visibleLine } from './escape-text.js';
import { type DisplayGrid, displayGrid, formatCount, headLines, seriesLines } from './grid.js';

const DISPLAY = {
  /** The maximum number of characters per line (default 120). */
  width: integer({ min: 1 }),
  /**
   * The number of rows to show at the beginning and at the end (default 5). If the option is omitted, a frame of up to
   * 20 rows is shown in full.
   */
  rows: integer(),
  /** The maximum number of series to show with a sparkline (default 6). */
  series: integer(),
};

/** Options that limit how much of a frame is displayed. */
export interface DisplayOptions extends OptionsOf<typeof DISPLAY> {}

export function displayFrame(table: Table, options: DisplayOptions = {}): string {
  checkOptions(options, DISPLAY, 'displayFrame');
  const width = options.width ?? 120;
  const lines = [...headLines(summariseFrame(table)), ''];
  lines.push(...gridLines(displayGrid(table, options.rows), width));
  const series = seriesText(table, options.series ?? 6);
  if (series.length > 0) lines.push('', ...series);
  return lines.map((line) => clip(visibleLine(line).trimEnd(), width)).join('\n');
}

// The parts of a series name are stacked above its column.
function gridLines(grid: DisplayGrid, width: number): string[] {
  const titles = grid.columns.map(({ name }) => name.split(' | '));
  const height = Math.max(1, ...titles.map((parts) => parts.length));
  const texts = grid.columns.map(({ type }, at) => [
    ...new Array<string>(height - titles[at]!.length).fill(''),
    ...titles[at]!,
    type,
    ...[...grid.head, ...grid.tail].map((row) => row[at] ?? 'null'),
  ]);
  const widths = texts.map((column) => Math.min(MAX_CELL, Math.max(...column.map((text) => text.length))));
  const fitting = fittingColumns(widths, width);
  const lineOf = (row: number) =>
    texts
      .slice(0, fitting)
      .map((column, at) => pad(clip(column[row]!, widths[at]!), widths[at]!, grid.columns[at]!.number))
      .join('  ');
  const rows = texts[0]?.length ?? 0;
  const lines = Array.from({ length: rows }, (_, row) => lineOf(row));
  if (grid.omittedRows > 0)
    lines.splice(height + 1 + grid.head.length, 0, `… ${formatCount(grid.omittedRows)} more rows`);
  const hidden = grid.columns.length - fitting + grid.omittedColumns;
  if (hidden > 0) lines.push(`… ${formatCount(hidden)} more columns`);
  if (grid.shared !== '') lines.unshift(`all: ${grid.shared}`);
  return lines;
}

const MAX_CELL = 32;

function fittingColumns(widths: readonly number[], width: number): number {
  let used = -2;
  let fitting = 0;
  while (fitting < widths.length && used + widths[fitting]! + 2 <= width) used += widths[fitting++]! + 2;
  return Math.max(fitting, 1);
}

function pad(text: string, width: number, number: boolean): string {
  return number ? text.padStart(width) : text.padEnd(width);
}

function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0))}…`;
}

function seriesText(table: Table, max: number): string[] {
  const { shared, lines, more } = seriesLines(table, max);
  if (lines.length === 0) return [];
  const width = Math.min(48, Math.max(...lines.map(([label]) => label.length)));
  const shown = lines.map(
    ([label, line, bounds]) => `${clip(label, width).padEnd(width)}  ${line}  ${bounds}`,
  );
  if (shared !== '') shown.unshift(`series of ${shared}`);
  if (more > 0) shown.push(`… ${formatCount(more)} more series`);
  return shown;
}
