import { zipEntries } from '../../reading/input-files.js';
import { type TypedTable, type TypedTableOptions, typedFileError } from './parquet.js';

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
export async function openSheet(file: string, options: TypedTableOptions): Promise<TypedTable> {
  const { sheet, header_line = 1, decimal } = options;
  const { rows } = chooseSheet(file, await readSheets(file, decimal), sheet);
  const header = rows[header_line - 1];
  if (header === undefined) throw typedFileError(file, `has no row ${header_line} for the header`);
  const records = rows
    .map((fields, i) => ({ fields, line: i + 1 }))
    .filter(({ fields, line }) => line > header_line && !isEmpty(fields));
  return { header, unread: [], records: () => records };
}

/** All sheets of a workbook. @throws IngestError that names the file when it is damaged or too large */
export async function readSheets(file: string, decimal: '.' | ','): Promise<readonly Sheet[]> {
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
    throw typedFileError(file, `cannot be read as a workbook: ${message}`, cause);
  }
}

function chooseSheet(file: string, sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const filled = sheets.filter(({ rows }) => !rows.every(isEmpty));
  const [only, ...others] = wanted === undefined ? filled : sheets.filter(({ name }) => name === wanted);
  if (only !== undefined && others.length === 0) return only;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  if (wanted !== undefined) throw typedFileError(file, `has no sheet "${wanted}"; its sheets are ${names}`);
  if (only === undefined) throw typedFileError(file, 'has no sheet with cells');
  const remedy = `say in the mapping which to read ("sheet": ${names.split(', ')[0]})`;
  throw typedFileError(file, `has several sheets: ${names}; ${remedy}`);
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

/** Whether a zip archive is a workbook of Office Open XML; false for all other files. */
export async function isWorkbook(file: string): Promise<boolean> {
  try {
    for await (const _ of zipEntries(file, (name) => name === 'xl/workbook.xml')) return true;
  } catch {}
  return false;
}

/**
 * Checks every part of a workbook against its checksum, and that the whole is not too large to be held: by the last row and
 * column that the addresses of a sheet name.
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
      for (const [, letters, digits] of text.matchAll(ADDRESS)) {
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
