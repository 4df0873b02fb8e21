import { firstBytes } from '../../reading/input-files.js';
import { rowText } from '../../reading/text-rows.js';
import { openParquet } from './parquet.js';
import { ALL_COLUMNS, type TypedTable, typedFileError } from './typed-table.js';
import { isWorkbook, readSheets } from './workbook.js';

/** A Parquet file or workbook. */
export interface TypedFile {
  readonly kind: 'parquet' | 'workbook';
  /** Opens all sheets of a workbook, including hidden ones, or the single table of a Parquet file. */
  readonly tables: () => Promise<readonly TypedTable[]>;
}

const PARQUET_MAGIC = 'PAR1';
const ZIP_MAGIC = 'PK\x03\x04';
/** The first four bytes of a compound file. Old and password-protected workbooks are compound files. */
const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0';

/**
 * Opens a Parquet file or workbook. Returns null for other files, and for unreadable files, which the text reader
 * reports. @throws IngestError for a workbook that is password-protected or not in .xlsx format
 */
export async function openTypedFile(file: string): Promise<TypedFile | null> {
  const magic = (await firstBytes(file, 4).catch(() => Buffer.alloc(0))).toString('latin1');
  if (magic === PARQUET_MAGIC) return { kind: 'parquet', tables: async () => [await openParquet(file)] };
  if (magic === ZIP_MAGIC && (await isWorkbook(file)))
    return { kind: 'workbook', tables: () => readSheets(file) };
  if (magic !== COMPOUND_MAGIC) return null;
  const what = 'is an old or password-protected workbook; save it as .xlsx without a password, or as CSV';
  throw typedFileError(file, what);
}

/** The number of rows at the start of a sheet that are searched for the header. */
const BEGINNING_ROWS = 1000;

/** Returns the beginning of a table as comma-separated text, which is used to recognise the table's format. */
export async function beginningOf({ columns, rows }: TypedTable): Promise<string> {
  const lines: string[] = [];
  if (columns !== undefined) lines.push(rowText({ fields: columns, line: 1 }, { delimiter: ',' }));
  else
    for await (const record of rows(ALL_COLUMNS)) {
      if (record.line > BEGINNING_ROWS) break;
      lines[record.line - 1] = rowText(record, { delimiter: ',' });
    }
  return Array.from(lines, (text = '') => text).join('\n');
}
