import { basename, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { IngestError } from '../../../model/errors.js';
import { DuckDBInstance } from '../../../store/duckdb/engine/library.js';
import { cellTextSql } from './parquet-columns.js';
import type { TypedRows } from './typed-rows.js';

/** One thread keeps the rows in order without buffering; pages that claim to exceed the memory limit are an error. */
const ENGINE_OPTIONS = {
  threads: '1',
  memory_limit: '1GB',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
/** Minima and maxima of the footer are not used, because damaged ones would drop rows. */
const IGNORE_STATISTICS = `SET disabled_optimizers = 'statistics_propagation'`;

export interface ParquetOptions {
  /** The data set in messages. */
  readonly dataset: string;
  readonly wantsColumn: (name: string) => boolean;
  /** The mark before the fractions of numbers in their text (default '.'). */
  readonly decimal?: '.' | ',' | undefined;
}

/**
 * The rows of a Parquet file in order: first the header without rows, then a few thousand rows at a time. Memory is
 * bounded by the size of the pages, not of the file.
 * @throws IngestError that names the file when it is damaged, or a wanted column is not of text, numbers or dates
 */
export async function* readParquetRows(file: string, options: ParquetOptions): AsyncGenerator<TypedRows> {
  const where = { dataset: options.dataset, name: basename(file) };
  const instance = await DuckDBInstance.create(':memory:', ENGINE_OPTIONS);
  try {
    const connection = await instance.connect();
    try {
      yield* readRows(connection, createScan(file), { ...options, where });
    } finally {
      connection.disconnectSync();
    }
  } catch (cause) {
    throw cause instanceof IngestError ? cause : damagedFileError(where, cause);
  } finally {
    instance.closeSync();
  }
}

interface Where {
  readonly dataset: string;
  readonly name: string;
}

/** Wildcards in the path are escaped, because the engine reads it as a glob pattern. */
function createScan(file: string): { table: string; path: string } {
  const path = `'${resolve(file).replace(/[*?[]/g, '[$&]').replaceAll("'", "''")}'`;
  return { table: `read_parquet(${path}, hive_partitioning = false, binary_as_string = true)`, path };
}

async function* readRows(
  connection: DuckDBConnection,
  { table, path }: { table: string; path: string },
  { wantsColumn, decimal, where }: ParquetOptions & { where: Where },
): AsyncGenerator<TypedRows> {
  await connection.run(IGNORE_STATISTICS);
  const { names, columns } = await selectColumns(connection, table, { wantsColumn, decimal, where });
  const header = columns.map(({ name }) => name);
  const [counted] = (
    await connection.runAndReadAll(`SELECT num_rows::DOUBLE FROM parquet_file_metadata(${path})`)
  ).getRows();
  const total = counted![0] as number;
  yield { header, names, rows: [], total };
  if (columns.length === 0) return;
  const result = await connection.stream(`SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${table}`);
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const texts = header.map((_, at) => chunk!.getColumnValues(at) as (string | null)[]);
    const rows = Array.from({ length: chunk.rowCount }, (_, row) => texts.map((column) => column[row] ?? ''));
    yield { header, names, rows, total };
  }
}

async function selectColumns(
  connection: DuckDBConnection,
  table: string,
  { wantsColumn, decimal = '.', where }: Omit<ParquetOptions, 'dataset'> & { where: Where },
): Promise<{ names: string[]; columns: { name: string; sql: string }[] }> {
  const result = await connection.run(`FROM ${table} LIMIT 0`);
  const types = result.columnTypes();
  const names = result.columnNames();
  const columns = names.flatMap((name, at) => {
    if (!wantsColumn(name)) return [];
    const sql = cellTextSql(name, types[at]!, decimal);
    if (sql !== null) return [{ name, sql }];
    const what = `has a column "${name}" of type ${types[at]}, which is not text, numbers or dates`;
    throw parquetError(where, what, undefined);
  });
  return { names, columns };
}

/** With the first line of the engine's message. */
function damagedFileError(where: Where, cause: unknown): IngestError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return parquetError(
    where,
    `cannot be read as Parquet: ${said.split('\n')[0]!.replaceAll(/\p{Cc}/gu, '?')}`,
    cause,
  );
}

function parquetError({ dataset, name }: Where, what: string, cause: unknown): IngestError {
  return new IngestError(dataset, `${name} ${what}`, { file: name, cause });
}
