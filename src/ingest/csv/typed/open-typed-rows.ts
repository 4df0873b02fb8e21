import { type ParquetOptions, readParquetRows } from './parquet-file.js';
import { detectTableKind } from './table-kind.js';
import type { TypedRows } from './typed-table.js';
import { readSheetRows, type SheetOptions } from './workbook-file.js';

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
