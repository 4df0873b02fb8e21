import { type CommandIo, write } from './io.js';

/** A column of a table: its title, and on which side its cells stand. */
export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
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

/** A table with aligned columns, two spaces between them. */
export function alignedTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => lengthOf(line[at] ?? ''))));
  return lines
    .map((line) =>
      columns
        .map(({ align }, at) => padded(oneLine(line[at] ?? ''), widths[at]!, align))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${clipped(line, width)}\n`)
    .join('');
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
  return [...oneLine(text)].length;
}

function padded(text: string, width: number, align: TextColumn['align']): string {
  const fill = ' '.repeat(width - lengthOf(text));
  return align === 'right' ? fill + text : text + fill;
}

function clipped(line: string, width: number): string {
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}
