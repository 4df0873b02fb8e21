import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import { type ParquetOptions, readParquetRows } from './parquet-file.js';
import type { TypedRows } from './typed-table.js';
import { isWorkbook } from './workbook-bounds.js';
import { readSheetRows, type SheetOptions } from './workbook-file.js';

type TableKind = 'parquet' | 'workbook' | 'delimited';

/** The first four bytes of a Parquet file. */
export const PARQUET_MAGIC = 'PAR1';
const ZIP_MAGIC = 'PK\x03\x04';
/** Of compound files: workbooks before Office Open XML, and protected ones. */
const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0';

/**
 * The kind of a table's file by its first bytes; a file that cannot be read is delimited, whose reader says why.
 * @throws IngestError when it is a workbook of another kind
 */
export async function detectTableKind(file: string, dataset: string): Promise<TableKind> {
  const magic = await readMagic(file);
  if (magic === PARQUET_MAGIC) return 'parquet';
  if (magic === ZIP_MAGIC && (await isWorkbook(file))) return 'workbook';
  if (magic !== COMPOUND_MAGIC) return 'delimited';
  const name = basename(file);
  const what =
    'is a workbook of an older kind, or protected by a password; save it as .xlsx without one, or as CSV';
  throw new IngestError(dataset, `${name} ${what}`, { file: name });
}

async function readMagic(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}

/**
 * The rows of a file whose cells have types; null for a delimited table.
 * @throws IngestError when it is a workbook of another kind
 */
export async function openTypedRows(
  file: string,
  options: ParquetOptions & SheetOptions,
): Promise<AsyncIterable<TypedRows> | null> {
  const kind = await detectTableKind(file, options.dataset);
  if (kind === 'delimited') return null;
  return kind === 'parquet' ? readParquetRows(file, options) : readSheetRows(file, options);
}
