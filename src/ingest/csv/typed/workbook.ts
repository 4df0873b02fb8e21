import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import { zipEntries } from '../../reading/input-files.js';
import type { TypedTable } from './parquet.js';

export interface SheetOptions {
  /** The data set in messages. */
  readonly dataset: string;
  /** The name of the sheet (default: the only one that is not empty). */
  readonly sheet?: string | undefined;
  /** The number of the header's row. */
  readonly headerLine: number;
  readonly decimal: '.' | ',';
}

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  /** Cells as texts, without spaces around them; empty strings for empty cells and errors. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads one sheet: numbers with all digits and `decimal`, dates as `YYYY-MM-DD`. Rows without any text are left out.
 * @throws IngestError that names the file when it is damaged or too large, or the sheet is not clear
 */
export async function openSheet(file: string, options: SheetOptions): Promise<TypedTable> {
  const { sheet: name, headerLine, decimal } = options;
  const error = errorOf(file, options.dataset);
  const { rows } = chooseSheet(await readSheets(file, { decimal, dataset: options.dataset }), name, error);
  const header = rows[headerLine - 1];
  if (header === undefined) throw error(`has no row ${headerLine} for the header`);
  const records = rows
    .map((fields, i) => ({ fields, line: i + 1 }))
    .filter(({ fields, line }) => line > headerLine && !isEmpty(fields));
  return { header, names: header, records: () => records };
}

type ErrorOf = (what: string, cause?: unknown) => IngestError;

function errorOf(file: string, dataset: string): ErrorOf {
  const name = basename(file);
  return (what, cause) => new IngestError(dataset, `${name} ${what}`, { file: name, cause });
}

/** All sheets of a workbook. @throws IngestError that names the file when it is damaged or too large */
export async function readSheets(
  file: string,
  { decimal, dataset }: Pick<SheetOptions, 'decimal' | 'dataset'>,
): Promise<readonly Sheet[]> {
  try {
    await checkWorkbook(file);
    const { default: readWorkbook } = await import('read-excel-file/node');
    const parseNumber = (text: string): string => text.replace('.', decimal);
    const sheets = await readWorkbook(file, { parseNumber });
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row: readonly unknown[]) => row.map(cellText)),
    }));
  } catch (cause) {
    // The reader overflows its stack on long sheets.
    const { message } = cause instanceof RangeError ? tooLarge() : (cause as Error);
    throw errorOf(file, dataset)(`cannot be read as a workbook: ${message}`, cause);
  }
}

function chooseSheet(sheets: readonly Sheet[], wanted: string | undefined, error: ErrorOf): Sheet {
  const filled = sheets.filter(({ rows }) => !rows.every(isEmpty));
  const [only, ...others] = wanted === undefined ? filled : sheets.filter(({ name }) => name === wanted);
  if (only !== undefined && others.length === 0) return only;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  if (wanted !== undefined) throw error(`has no sheet "${wanted}"; its sheets are ${names}`);
  if (only === undefined) throw error('has no sheet with cells');
  throw error(
    `has several sheets: ${names}; say in the mapping which to read ("sheet": ${names.split(', ')[0]})`,
  );
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return cell === null || cell === undefined ? '' : String(cell);
}

const isEmpty = (row: readonly string[]): boolean => row.every((text) => text === '');

/** The reader holds a whole workbook, and fills each row up to the last column; `toXlsx` writes no more cells. */
const MAX_XML_BYTES = 256_000_000;
const MAX_CELLS = 2_000_000;
/** Beyond half the rows of a sheet, the reader takes most of a minute and then overflows its stack. */
const MAX_ROWS = 524_288;
const MAX_COLUMNS = 16_384;

const PART = /\.xml(\.rels)?$/;
const SHEET = /^xl\/worksheets\//;
/** The address of a row or a cell. */
const ADDRESS = /\br\s*=\s*["']([A-Za-z]*)(\d+)["']/g;
const MAX_ADDRESS_LENGTH = 64;
/** The address of the last cell, as the beginning of a sheet may state it. */
const DIMENSION = /<(?:\w+:)?dimension\b[^>]*\bref\s*=\s*["'](?:[A-Za-z]+\d+:)?([A-Za-z]+)(\d+)["']/;
/** As in `<row r="1"/>`. */
const MIN_ROW_BYTES = 12;

/** Whether a zip archive is a workbook of Office Open XML; false for all other files. */
export async function isWorkbook(file: string): Promise<boolean> {
  let found = false;
  const wantsEntry = (name: string): boolean => {
    found ||= name === 'xl/workbook.xml';
    return false;
  };
  try {
    for await (const _ of zipEntries(file, wantsEntry));
  } catch {
    return false;
  }
  return found;
}

/**
 * Checks every part of a workbook against its checksum, and that the whole is not too large to be held: by the last row and
 * column that a sheet states, or that its addresses name.
 * @throws Error when it is damaged or too large
 */
async function checkWorkbook(file: string): Promise<void> {
  let total = 0;
  for await (const { name, bytes, chunks } of zipEntries(file, (name) => PART.test(name))) {
    total += bytes;
    if (total > MAX_XML_BYTES) throw tooLarge();
    let [rows, columns, rest] = [0, 0, ''];
    for await (const chunk of chunks) {
      if (!SHEET.test(name)) continue;
      const text = rest + Buffer.from(chunk).toString('latin1');
      const stated = rest === '' ? DIMENSION.exec(text) : null;
      // A sheet may state more than it has, but not shorter rows than there can be.
      const isPossible = stated !== null && Number(stated[2]) * MIN_ROW_BYTES <= bytes;
      for (const [, letters, digits] of [...(isPossible ? [stated] : []), ...text.matchAll(ADDRESS)]) {
        rows = Math.max(rows, Number(digits));
        columns = Math.max(columns, columnNumber(letters!));
      }
      rest = text.slice(-MAX_ADDRESS_LENGTH);
      if (rows > MAX_ROWS || columns > MAX_COLUMNS || rows * columns > MAX_CELLS) throw tooLarge();
    }
  }
}

/** 1 for A, 27 for AA; 0 for the address of a row. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

const tooLarge = () => new Error('it is too large for a workbook; save the sheet as CSV');
