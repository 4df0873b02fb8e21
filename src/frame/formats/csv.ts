import type { Schema, Table } from 'apache-arrow';
import { badArgument } from '../../model/errors.js';
import { checkOptions } from '../../model/schema/check.js';
import { DAY_MS } from '../../model/time.js';
import { cellText, dayText, isNested, timeText } from '../table/cells.js';
import { readColumns } from '../table/columns.js';
import { createTable } from '../table/frame-table.js';
import type { FrameStream } from '../table/frame-types.js';
import { LONG_COLUMN_TYPES } from '../table/names.js';
import { exactNumberText, readsAsValue } from '../table/parse-column.js';
import { type CellForm, readAs } from '../table/row-reader.js';
import { CSV_KEYS, type CsvOptions, DELIMITERS } from './frame-formats.js';

const ROWS_PER_PIECE = 8_192;

export function toCsv(table: Table, options: CsvOptions = {}): string {
  checkOptions(options, CSV_KEYS, 'toCsv');
  const form = formOf(options);
  return [csvHeader(table.schema, form), ...csvLines(table, form)].join('');
}

export async function* csvPieces(
  frame: Table | FrameStream,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  const form = formOf(options);
  yield csvHeader(frame.schema, form);
  for await (const part of framesOf(frame)) yield* csvLines(part, form);
}

/** Yields a complete frame unchanged, or each batch of a stream as a separate table. */
export async function* framesOf(frame: Table | FrameStream): AsyncGenerator<Table> {
  if (isWhole(frame)) yield frame;
  else for await (const batch of frame.batches) yield createTable(frame.schema, [batch]);
}

export function isWhole(frame: Table | FrameStream): frame is Table {
  return Array.isArray(frame.batches);
}

export function* rowPieces({ numRows }: Table, textOf: (row: number) => string): Generator<string> {
  for (let from = 0; from < numRows; from += ROWS_PER_PIECE) {
    let piece = '';
    for (let row = from; row < Math.min(numRows, from + ROWS_PER_PIECE); row++) piece += textOf(row);
    yield piece;
  }
}

function formOf({ safe = false, date_only = false }: CsvOptions): CellForm<string> {
  const text = (value: string) => quoteWhereNecessary(safe ? withoutFormulas(value) : value);
  return {
    none: '',
    time: date_only ? dateOnly : timeText,
    number: exactNumberText,
    text,
    other(cell) {
      if (typeof cell === 'number') return exactNumberText(cell);
      return cell instanceof Uint8Array ? text(cellText(cell)) : quoteWhereNecessary(cellText(cell));
    },
  };
}

// Quotes strings that would otherwise be read back as numbers, booleans or dates.
function formOfColumn(name: string, form: CellForm<string>): CellForm<string> {
  const type = LONG_COLUMN_TYPES.get(name);
  if (type === 'dictionary' || type === 'utf8') return form;
  const text = (value: string) => {
    const written = form.text(value);
    return !written.startsWith('"') && (type !== undefined || readsAsValue(written))
      ? `"${written}"`
      : written;
  };
  return { ...form, text };
}

function dateOnly(ms: bigint): string {
  return ms % BigInt(DAY_MS) === 0n ? dayText(ms) : timeText(ms);
}

function csvHeader({ fields }: Schema, { text }: CellForm<string>): string {
  const nested = fields.find(({ type }) => isNested(type));
  if (nested !== undefined)
    throw badArgument(
      'table',
      `column "${nested.name}" is ${nested.type}, which CSV cannot represent; write .parquet, .arrow or .json, or omit the column with select`,
    );
  const names = fields.map(({ name }) => {
    const written = text(name);
    return nameNeedsQuotes(written) && !written.startsWith('"') ? `"${written}"` : written;
  });
  return `${names.join(',')}\r\n`;
}

function csvLines(table: Table, form: CellForm<string>): Generator<string> {
  const cells = readColumns(table).map(({ field, column }) => readAs(column, formOfColumn(field.name, form)));
  return rowPieces(table, (row) => {
    let line = cells[0]!(row);
    for (let at = 1; at < cells.length; at++) line += `,${cells[at]!(row)}`;
    return `${line}\r\n`;
  });
}

/**
 * Matches every position at which a cell may begin and a formula follows, even after spaces and quotes. Spreadsheets
 * may use delimiters other than commas, and East Asian keyboards can produce full-width signs. See
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /(^|[,;|:\t\r\n])(?=(?:(?![\t\r\n])[\s\p{C}"'`´‘’“”])*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;

function withoutFormulas(text: string): string {
  const quoted = text.replace(FORMULA, "$1'");
  return /^[\t\r\n]/.test(quoted) ? `'${quoted}` : quoted;
}

function quoteWhereNecessary(text: string): string {
  return needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function needsQuotes(text: string): boolean {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text);
}

export function nameNeedsQuotes(name: string): boolean {
  return needsQuotes(name) || DELIMITERS.some((delimiter) => name.includes(delimiter));
}
