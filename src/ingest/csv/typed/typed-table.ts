import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { ImportBatch, ImporterInput } from '../../importer.js';
import { firstBytes } from '../../reading/input-files.js';
import { readTextRows } from '../../reading/text-rows.js';
import { type CsvJob, planMappedRows } from '../plan-rows.js';
import { type ParquetOptions, readParquetRows, type TypedRows } from './parquet.js';
import { isWorkbook, readSheetRows, type SheetOptions } from './workbook.js';

interface TypedTable extends Pick<ImporterInput, 'signal'> {
  readonly options: ParquetOptions & SheetOptions;
  readonly job: CsvJob;
}

/**
 * Has the store read the rows of a file whose cells have types, which are written as a delimited text. In rejected rows
 * "line" is the number of the row.
 * @throws IngestError that names the file when it is damaged or does not have a column
 */
export async function* readTypedTable(
  file: string,
  { options, job, signal }: TypedTable,
): AsyncGenerator<ImportBatch> {
  const { batch } = job;
  const name = basename(file);
  const progress = { rows: 0 };
  batch.beginText({ name });
  const { header, names } = await readHead(file, options);
  const plan = planMappedRows({ file: name, header, names, hasTypes: true }, job);
  const form = { delimiter: ',', quotes: true, skip: 0, columns: header.length };
  const text = { name, records: () => typedRecords(file, options, signal) };
  yield* readTextRows(text, { form, plan }, { ...options, signal, batch, progress });
  const { rows } = progress;
  yield batch.take({ label: `reading ${name}`, done: rows, total: rows, unit: 'rows' });
}

/** The header of the first rows, which a file has even without rows. */
async function readHead(file: string, options: ParquetOptions & SheetOptions) {
  for await (const { header, names } of await openTypedRows(file, options)) return { header, names };
  return { header: [], names: [] };
}

async function* typedRecords(
  file: string,
  options: ParquetOptions & SheetOptions,
  signal: AbortSignal | undefined,
) {
  let line = 0;
  for await (const { rows, lines } of await openTypedRows(file, options)) {
    signal?.throwIfAborted();
    for (const [i, fields] of rows.entries()) yield { fields, line: lines?.[i] ?? ++line };
  }
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

/** The rows of a file whose cells have types. */
async function openTypedRows(
  file: string,
  options: ParquetOptions & SheetOptions,
): Promise<AsyncIterable<TypedRows>> {
  const kind = await detectTableKind(file, options.dataset);
  return kind === 'parquet' ? readParquetRows(file, options) : readSheetRows(file, options);
}
