import { visibleLine } from '../../frame/display/escape-text.js';
import { type CommandIo, write } from './io.js';

export interface TextColumn<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null | undefined;
  readonly align?: 'left' | 'right' | undefined;
  /** Whether cells are shown in full, so that users can copy them. Right-aligned cells are always shown in full. */
  readonly whole?: boolean | undefined;
  /** Whether the column is omitted if it is empty in every row. */
  readonly optional?: boolean | undefined;
}

/** Writes a table. On a terminal, it is aligned and truncated to fit. Otherwise, it is tab-separated and complete. */
export function writeTable<Row>(
  { stdout }: Pick<CommandIo, 'stdout'>,
  rows: readonly Row[],
  columns: readonly TextColumn<Row>[],
): Promise<void> {
  const isTerminal = stdout.isTTY === true;
  return write(
    stdout,
    isTerminal ? formatAlignedTable(rows, columns, stdout.columns || 120) : formatTabbedTable(rows, columns),
  );
}

/** Returns the columns to show and, for each line, the cells in these columns. The first line contains the titles. */
function cellTexts<Row>(rows: readonly Row[], columns: readonly TextColumn<Row>[]) {
  const texts = columns.map(({ title, of }) => [title, ...rows.map((row) => String(of(row) ?? ''))]);
  const isShown = columns.map(({ optional }, at) => optional !== true || texts[at]!.slice(1).some(Boolean));
  const shown = texts.filter((_, at) => isShown[at]);
  return {
    shown: columns.filter((_, at) => isShown[at]),
    lines: [undefined, ...rows].map((_, line) => shown.map((column) => visibleLine(column[line]!))),
  };
}

/** Formats a table with aligned columns. The widest columns are truncated until the table fits. */
export function formatAlignedTable<Row>(
  rows: readonly Row[],
  columns: readonly TextColumn<Row>[],
  width = Number.POSITIVE_INFINITY,
): string {
  const { shown, lines } = cellTexts(rows, columns);
  const natural = shown.map((_, at) => Math.max(...lines.map((line) => lengthOf(line[at]!))));
  const widths = fittingWidths(shown, natural, width - GAP * (shown.length - 1));
  return lines
    .map((line) =>
      line.map((text, at) => padCell(truncateLine(text, widths[at]!), widths[at]!, shown[at]!.align)),
    )
    .map((line) => `${truncateLine(line.join(' '.repeat(GAP)).trimEnd(), width)}\n`)
    .join('');
}

const GAP = 2;
const MIN_WIDTH = 10;

/** Returns the column widths, narrowing the widest truncatable columns until the table fits, or as far as possible. */
function fittingWidths(
  columns: readonly TextColumn<never>[],
  natural: readonly number[],
  room: number,
): number[] {
  const widths = [...natural];
  const truncatable = columns.map(({ align, whole }) => align !== 'right' && whole !== true);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = Math.max(...widths.filter((_, at) => truncatable[at]));
    if (widest <= MIN_WIDTH) break;
    widths[widths.findIndex((width, at) => width === widest && truncatable[at])]!--;
  }
  return widths;
}

export function formatTabbedTable<Row>(rows: readonly Row[], columns: readonly TextColumn<Row>[]): string {
  return cellTexts(rows, columns)
    .lines.map((line) => `${line.join('\t')}\n`)
    .join('');
}

function lengthOf(text: string): number {
  return [...text].length;
}

function padCell(text: string, width: number, align: TextColumn<never>['align']): string {
  const fill = ' '.repeat(width - lengthOf(text));
  return align === 'right' ? fill + text : text + fill;
}

function truncateLine(line: string, width: number): string {
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}
