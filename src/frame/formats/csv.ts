import type { Schema, Table } from 'apache-arrow';
import { checkString, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import { DAY_MS } from '../../model/time.js';
import type { FrameStream } from '../build/long.js';
import { buildTable } from '../table/build-table.js';
import { cellText, dayText, isNested, timeText } from '../table/cells.js';
import { checkSchema } from '../table/check-table.js';
import { readColumns } from '../table/columns.js';
import { createFrame } from '../table/frame-table.js';
import { exactColumn, exactNumberText, inferColumnType, parseColumn } from '../table/parse-column.js';
import { type CellForm, readAs } from '../table/row-reader.js';
import { CSV_KEYS, type CsvOptions } from './frame-formats.js';

const ROWS_PER_PIECE = 8_192;

/**
 * A frame as CSV (RFC 4180): a header, CRLF, texts quoted where necessary. Dates are ISO 8601 UTC, null is an empty field,
 * an empty text is quoted, and numbers are read back exactly.
 */
export function toCsv(table: Table, options: CsvOptions = {}): string {
  checkOptions(options, CSV_KEYS, 'toCsv');
  const form = formOf(options);
  return [csvHeader(table.schema, form), ...csvLines(table, form)].join('');
}

/** The same CSV in pieces of some thousand rows, also of a frame that arrives batch by batch. */
export async function* csvPieces(
  frame: Table | FrameStream,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  const form = formOf(options);
  yield csvHeader(frame.schema, form);
  for await (const part of framesOf(frame)) yield* csvLines(part, form);
}

/** A frame, or the frames of the batches of one that arrives. */
export async function* framesOf(frame: Table | FrameStream): AsyncGenerator<Table> {
  if (Array.isArray(frame.batches)) yield frame as Table;
  else for await (const batch of frame.batches) yield createFrame(frame.schema, [batch]);
}

function formOf({ safe = false, date_only = false }: CsvOptions): CellForm<string> {
  const text = safe ? quoteSafely : quoteText;
  return {
    none: '',
    time: date_only ? dateOnly : timeText,
    number: exactNumberText,
    text,
    other(cell) {
      if (typeof cell === 'number') return exactNumberText(cell);
      return cell instanceof Uint8Array ? text(cellText(cell)) : quoteText(cellText(cell));
    },
  };
}

function dateOnly(ms: bigint): string {
  return ms % BigInt(DAY_MS) === 0n ? dayText(ms) : timeText(ms);
}

/** @throws ArgumentError for a column that no text holds */
function csvHeader({ fields }: Schema, { text }: CellForm<string>): string {
  const nested = fields.find(({ type }) => isNested(type));
  if (nested !== undefined)
    throw badArgument(
      'table',
      `column "${nested.name}" is ${nested.type}, which CSV cannot hold; write .parquet, .arrow or .json, or leave it out with select`,
    );
  return `${fields.map(({ name }) => text(name)).join(',')}\r\n`;
}

function* csvLines(table: Table, form: CellForm<string>): Generator<string> {
  const cells = readColumns(table).map(({ column }) => readAs(column, form));
  for (let from = 0; from < table.numRows; from += ROWS_PER_PIECE) {
    const to = Math.min(table.numRows, from + ROWS_PER_PIECE);
    let part = '';
    for (let row = from; row < to; row++) {
      part += cells[0]!(row);
      for (let at = 1; at < cells.length; at++) part += `,${cells[at]!(row)}`;
      part += '\r\n';
    }
    yield part;
  }
}

/**
 * Reads CSV (RFC 4180) into a frame. The columns of a long frame get their types by name; any other column is Float64
 * when all its fields are numbers, Bool when all are true or false, Int64 when all are whole and doubles do not hold one of
 * them, else text. With `schema`, the types are those of its fields.
 * @throws ArgumentError that names the row and column that cannot be read
 */
export function fromCsv(
  text: string,
  options: {
    /** The types of the columns. */
    schema?: Schema | undefined;
  } = {},
): Table {
  needed(checkString)(text, 'text');
  checkOptions(options, { schema: checkSchema }, 'fromCsv');
  const { header, columns } = parseCsv(text);
  const fields = new Map(options.schema?.fields.map((field) => [field.name, field]));
  return buildTable(
    header.map((name, at) => {
      const field = fields.get(name);
      const texts = columns[at]!;
      const exact = exactColumn(texts, { name, type: field?.type });
      const type = inferColumnType(name, texts, field?.type);
      return { name, column: exact ?? parseColumn(texts, { name, type }), metadata: field?.metadata };
    }),
    options.schema?.metadata,
  );
}

/** The beginnings of formulas, also in the full width of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function quoteSafely(text: string): string {
  return quoteText(FORMULA.test(text) ? `'${text}` : text);
}

function quoteText(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The fields of CSV by column; null for an unquoted empty field. */
interface CsvColumns {
  header: string[];
  columns: (string | null)[][];
}

/**
 * Splits CSV (RFC 4180): quoted fields may contain commas, line ends and doubled quotes; lines end in CRLF or LF, or all in
 * CR; a byte order mark is skipped.
 * @throws ArgumentError that names the row (counted from 1, including the header)
 */
export function parseCsv(text: string): CsvColumns {
  const header: string[] = [];
  let columns: (string | null)[][] = [];
  let row = 0;
  for (const fields of csvRows(text)) {
    row++;
    if (row === 1) {
      header.push(...fields.map((field) => field ?? ''));
      columns = header.map(() => []);
      continue;
    }
    if (fields.length !== header.length) {
      const found = `${fields.length} ${plural('field', fields.length)}`;
      throw invalidCsv(row, `${found} where the header has ${header.length}`);
    }
    for (let at = 0; at < fields.length; at++) columns[at]!.push(fields[at]!);
  }
  if (row === 0) throw badArgument('text', 'it is empty; CSV needs a header');
  return { header, columns };
}

function* csvRows(text: string): Generator<(string | null)[]> {
  const lineEnd = text.includes('\n') ? LF : CR;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let row = 1;
  while (at < text.length) {
    const fields: (string | null)[] = [];
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at, row) : plainField(text, at, lineEnd);
      fields.push(field.value);
      at = field.end;
      if (text[at] !== ',') break;
      at++;
    }
    if (at < text.length && text.charCodeAt(at) !== lineEnd && !text.startsWith('\r\n', at)) {
      throw invalidCsv(row, 'text after a closing quote');
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    row++;
    yield fields;
  }
}

interface CsvField {
  value: string | null;
  end: number;
}

function plainField(text: string, from: number, lineEnd: number): CsvField {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === lineEnd || (code === CR && text.charCodeAt(end + 1) === LF)) break;
    end++;
  }
  return { value: end === from ? null : text.slice(from, end), end };
}

const COMMA = 44;
const LF = 10;
const CR = 13;

function quotedField(text: string, from: number, row: number): CsvField {
  let value = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw invalidCsv(row, 'a quoted field is not closed');
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

function invalidCsv(row: number, problem: string): ArgumentError {
  return badArgument('text', `row ${row} is not valid CSV: ${problem}`);
}
