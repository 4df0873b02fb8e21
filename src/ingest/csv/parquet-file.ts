import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { IngestError } from '../../model/errors.js';
import { cellTexts } from './parquet-cells.js';

/** Rows decoded at once; their texts are what costs memory. */
const BATCH_ROWS = 65_536;
/** The decoder holds the file in memory: its own that reads piece by piece ends the process when a page is damaged. */
const MAX_BYTES = 2 ** 30;
const MAGIC = 'PAR1';

/** Some rows of a Parquet file as a delimited table would have them. */
export interface ParquetRows {
  readonly header: readonly string[];
  /** Texts by the header; those of columns that are not wanted are empty. */
  readonly rows: readonly (readonly string[])[];
}

export interface ParquetOptions {
  /** For messages. */
  readonly dataset: string;
  readonly wantsColumn: (name: string) => boolean;
}

/** Whether a file begins as Parquet files do; false when it cannot be read. */
export async function isParquet(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1') === MAGIC;
  } finally {
    await handle.close();
  }
}

/**
 * All rows of a Parquet file in batches, at least one. The file is held in memory, one batch is decoded at a time.
 * @throws IngestError that names the file when it is damaged, larger than 1 GiB, or a wanted column holds neither texts,
 * numbers nor dates
 */
export async function* parquetRows(file: string, options: ParquetOptions): AsyncGenerator<ParquetRows> {
  const where = { dataset: options.dataset, name: basename(file) };
  const { size } = await stat(file);
  if (size > MAX_BYTES) {
    throw refusal(where, 'is larger than 1 GiB: write it as several files, or as CSV', undefined);
  }
  const [bytes, { readParquet }] = await Promise.all([readFile(file), import('parquet-wasm')]);
  for (let offset = 0; ; offset += BATCH_ROWS) {
    const decode = (): Table =>
      tableFromIPC(readParquet(bytes, { limit: BATCH_ROWS, offset, batchSize: BATCH_ROWS }).intoIPCStream());
    const table = decoded(decode, where);
    if (offset === 0 || table.numRows > 0) yield textRows(table, options.wantsColumn, where);
    if (table.numRows < BATCH_ROWS) return;
  }
}

interface Where {
  readonly dataset: string;
  readonly name: string;
}

function decoded(decode: () => Table, where: Where): Table {
  try {
    return decode();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refusal(where, `cannot be read as Parquet: ${reason}`, cause);
  }
}

function textRows(table: Table, wantsColumn: (name: string) => boolean, where: Where): ParquetRows {
  const header = table.schema.fields.map(({ name }) => name);
  const columns = header.map((column, at) => {
    if (!wantsColumn(column)) return null;
    const vector = table.getChildAt(at)!;
    const texts = cellTexts(vector);
    if (texts !== null) return texts;
    const type = `has a column "${column}" of the type ${vector.type}, which is no text, number or date`;
    throw refusal(where, type, undefined);
  });
  const rows = Array.from({ length: table.numRows }, (_, row) => columns.map((texts) => texts?.[row] ?? ''));
  return { header, rows };
}

function refusal({ dataset, name }: Where, what: string, cause: unknown): IngestError {
  return new IngestError(dataset, `${name} ${what}`, { file: name, cause });
}
