import { type CommandIo, write } from './io.js';

/** A column of a table: its title, and on which side its cells stand. */
export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right' | undefined;
  /** Never cut, so that a person can copy it. Numbers never are. */
  readonly whole?: boolean | undefined;
}

/**
 * Writes a table: aligned and cut to the width for a person at the terminal, tab-separated and whole for another program.
 */
export function writeTable(
  { stdout }: Pick<CommandIo, 'stdout'>,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const text =
    stdout.isTTY === true ? alignedTable(columns, rows, stdout.columns ?? 120) : tabbedTable(columns, rows);
  return write(stdout, text);
}

/** A table with aligned columns, two spaces between them; the longest texts are cut until it fits the width. */
export function alignedTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows].map((line) =>
    columns.map((_, at) => oneLine(line[at] ?? '')),
  );
  const natural = columns.map((_, at) => Math.max(...lines.map((line) => lengthOf(line[at]!))));
  const widths = fittingWidths(columns, natural, width - GAP * (columns.length - 1));
  return lines
    .map((line) =>
      line.map((text, at) => padded(clipped(text, widths[at]!), widths[at]!, columns[at]!.align)),
    )
    .map((line) => `${clipped(line.join(' '.repeat(GAP)).trimEnd(), width)}\n`)
    .join('');
}

const GAP = 2;
const MIN_WIDTH = 10;

/** Takes from the widest column that may be cut, letter by letter, until all fit or none can give more. */
function fittingWidths(columns: readonly TextColumn[], natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  const cuttable = columns.map(({ align, whole }) => align !== 'right' && whole !== true);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    let widest = -1;
    for (const [at, one] of widths.entries())
      if (cuttable[at] && one > MIN_WIDTH && (widest < 0 || one > widths[widest]!)) widest = at;
    if (widest < 0) break;
    widths[widest]!--;
  }
  return widths;
}

/** The same for programs: one line a row, tabs between the cells. */
export function tabbedTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  return lines.map((line) => `${line.map(oneLine).join('\t')}\n`).join('');
}

function oneLine(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ');
}

function lengthOf(text: string): number {
  return [...text].length;
}

function padded(text: string, width: number, align: TextColumn['align']): string {
  const fill = ' '.repeat(width - lengthOf(text));
  return align === 'right' ? fill + text : text + fill;
}

function clipped(line: string, width: number): string {
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}
