import { visibleLine } from '../../frame/display/escape-text.js';
import { type CommandIo, write } from './io.js';

export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right' | undefined;
  /** Never truncated, so that it can be copied. Right-aligned columns never are. */
  readonly whole?: boolean | undefined;
}

/** Writes a table: aligned and truncated to the width of a terminal, otherwise tab-separated and complete. */
export function writeTable(
  { stdout }: Pick<CommandIo, 'stdout'>,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const text =
    stdout.isTTY === true ? alignedTable(columns, rows, stdout.columns || 120) : tabbedTable(columns, rows);
  return write(stdout, text);
}

/** A table with aligned columns; the widest are truncated until it fits the width. */
export function alignedTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows].map((line) =>
    columns.map((_, at) => visibleLine(line[at] ?? '')),
  );
  const natural = columns.map((_, at) => Math.max(...lines.map((line) => lengthOf(line[at]!))));
  const widths = fittingWidths(columns, natural, width - GAP * (columns.length - 1));
  return lines
    .map((line) =>
      line.map((text, at) => padded(truncated(text, widths[at]!), widths[at]!, columns[at]!.align)),
    )
    .map((line) => `${truncated(line.join(' '.repeat(GAP)).trimEnd(), width)}\n`)
    .join('');
}

const GAP = 2;
const MIN_WIDTH = 10;

/** Narrows the widest column that may be truncated, letter by letter, until the columns fit or none can shrink. */
function fittingWidths(columns: readonly TextColumn[], natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  const truncatable = columns.map(({ align, whole }) => align !== 'right' && whole !== true);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    let widest = -1;
    for (const [at, one] of widths.entries())
      if (truncatable[at] && one > MIN_WIDTH && (widest < 0 || one > widths[widest]!)) widest = at;
    if (widest < 0) break;
    widths[widest]!--;
  }
  return widths;
}

/** A table with one line per row and tabs between the cells. */
export function tabbedTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  return lines.map((line) => `${line.map(visibleLine).join('\t')}\n`).join('');
}

function lengthOf(text: string): number {
  return [...text].length;
}

function padded(text: string, width: number, align: TextColumn['align']): string {
  const fill = ' '.repeat(width - lengthOf(text));
  return align === 'right' ? fill + text : text + fill;
}

function truncated(line: string, width: number): string {
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}
