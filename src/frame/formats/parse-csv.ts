import { ArgumentError } from '../../model/errors.js';

/** The fields of CSV by column; null for an unquoted empty field. */
interface CsvColumns {
  header: string[];
  columns: (string | null)[][];
}

/**
 * Splits CSV (RFC 4180): quoted fields may contain commas, line ends and doubled quotes; lines end in CRLF or LF; a byte
 * order mark is skipped.
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
      throw invalidCsv(row, `${fields.length} fields where the header has ${header.length}`);
    }
    for (let at = 0; at < fields.length; at++) columns[at]!.push(fields[at]!);
  }
  if (row === 0) throw new ArgumentError('text', 'text: it is empty; CSV needs a header');
  return { header, columns };
}

function* csvRows(text: string): Generator<(string | null)[]> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let row = 1;
  while (at < text.length) {
    const fields: (string | null)[] = [];
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at, row) : plainField(text, at);
      fields.push(field.value);
      at = field.end;
      if (text[at] !== ',') break;
      at++;
    }
    if (at < text.length && text[at] !== '\n' && !text.startsWith('\r\n', at)) {
      throw invalidCsv(row, 'text after a closing quote');
    }
    at += text[at] === '\r' ? 2 : 1;
    row++;
    yield fields;
  }
}

interface CsvField {
  value: string | null;
  end: number;
}

function plainField(text: string, from: number): CsvField {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === LF || (code === CR && text.charCodeAt(end + 1) === LF)) break;
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
  return new ArgumentError('text', `text: row ${row} is not valid CSV: ${problem}`);
}
