import { firstBytes } from '../../reading/input-files.js';
import { rowText } from '../../reading/text-rows.js';
import { openParquet, type TypedTable, type TypedTableOptions, typedFileError } from './parquet.js';
import { isWorkbook, openSheet, sheetBeginnings } from './workbook.js';

/** A Parquet file or workbook. */
export interface TypedFile {
  readonly kind: 'parquet' | 'workbook';
  /** Returns the beginning of each table as text, with commas between the cells. */
  readonly beginnings: () => Promise<string[]>;
  readonly open: (options: TypedTableOptions) => Promise<TypedTable>;
}

const PARQUET_MAGIC = 'PAR1';
const ZIP_MAGIC = 'PK\x03\x04';
/** The first four bytes of a compound file. Old and password-protected workbooks are compound files. */
const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0';

/**
 * Opens a Parquet file or workbook. Returns null for other files, and for unreadable ones, which the text reader
 * reports. @throws Error for a workbook that is protected by a password or older than 2007
 */
export async function openTypedFile(file: string): Promise<TypedFile | null> {
  const magic = (await firstBytes(file, 4).catch(() => Buffer.alloc(0))).toString('latin1');
  if (magic === PARQUET_MAGIC)
    return {
      kind: 'parquet',
      async beginnings() {
        const { unread } = await openParquet(file, { decimal: '.', wantsColumn: () => false });
        return [rowText({ fields: unread, line: 1 }, { delimiter: ',' })];
      },
      open: (options) => openParquet(file, options),
    };
  if (magic === ZIP_MAGIC && (await isWorkbook(file)))
    return {
      kind: 'workbook',
      beginnings: () => sheetBeginnings(file),
      open: (options) => openSheet(file, options),
    };
  if (magic !== COMPOUND_MAGIC) return null;
  const what = 'is an old or password-protected workbook; save it as .xlsx without a password, or as CSV';
  throw typedFileError(file, what);
}
