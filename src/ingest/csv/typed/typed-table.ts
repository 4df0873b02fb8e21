import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { ImportBatch } from '../../importer.js';
import { firstBytes } from '../../reading/input-files.js';
import { readTextRows } from '../../reading/text-rows.js';
import { type CsvJob, planMappedRows } from '../plan-rows.js';
import { openParquet, type ParquetOptions } from './parquet.js';
import { isWorkbook, openSheet, type SheetOptions } from './workbook.js';

/**
 * Has the store read the rows of a file whose cells have types, which are written as a delimited text. In rejected rows
 * "line" is the number of the row.
 * @throws IngestError that names the file when it is damaged or does not have a column
 */
export async function* readTypedTable(
  file: string,
  { options, job }: { options: ParquetOptions & SheetOptions; job: CsvJob },
): AsyncGenerator<ImportBatch> {
  const { batch } = job;
  const name = basename(file);
  const progress = { rows: 0 };
  const kind = await detectTableKind(file, options.dataset);
  const { header, names, records, path } = await (kind === 'parquet'
    ? openParquet(file, options)
    : openSheet(file, options));
  const plan = planMappedRows({ file: name, header, names, hasTypes: true }, job);
  const form = { delimiter: ',', quotes: true, skip: 0, columns: header.length };
  yield* readTextRows({ name, records, path }, { form, plan }, { batch, progress });
  const { rows } = progress;
  yield batch.take({ label: `reading ${name}`, done: rows, total: rows, unit: 'rows' });
}

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
  const magic = (await firstBytes(file).catch(() => Buffer.alloc(0))).toString('latin1');
  if (magic === PARQUET_MAGIC) return 'parquet';
  if (magic === ZIP_MAGIC && (await isWorkbook(file))) return 'workbook';
  if (magic !== COMPOUND_MAGIC) return 'delimited';
  const name = basename(file);
  const what =
    'is a workbook of an older kind, or protected by a password; save it as .xlsx without one, or as CSV';
  throw new IngestError(dataset, `${name} ${what}`, { file: name });
}
