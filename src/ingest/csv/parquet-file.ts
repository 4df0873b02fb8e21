import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { IngestError } from '../../model/errors.js';
import { cellTextSql } from './parquet-columns.js';

/** What a Parquet file begins with. */
export const PARQUET_MAGIC = 'PAR1';

/**
 * One thread keeps the rows in order without holding any back, and pages that claim to be larger than the limit end in
 * an error. What the footer says of minima and maxima is not believed: a damaged one would change what is read.
 */
const ENGINE_OPTIONS = {
  threads: '1',
  memory_limit: '1GB',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
const DISTRUST_STATISTICS = `SET disabled_optimizers = 'statistics_propagation'`;

/** Some rows of a Parquet file as a delimited table would have them. */
interface ParquetRows {
  /** The wanted columns, in the order of the file. */
  readonly header: readonly string[];
  /** Texts by the header; nulls are empty. */
  readonly rows: readonly (readonly string[])[];
  /** All rows of the file. */
  readonly total: number;
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
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === PARQUET_MAGIC;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

/**
 * All rows of a Parquet file in their order, a few thousand at a time, behind a first piece without rows. Memory is
 * bounded by the file's pages, not by its size.
 * @throws IngestError that names the file when it is damaged, or a wanted column holds neither texts, numbers nor dates
 */
export async function* readParquetRows(file: string, options: ParquetOptions): AsyncGenerator<ParquetRows> {
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

/** Signs that would stand for other signs in a pattern of files stand for themselves in brackets. */
function createScan(file: string): { table: string; path: string } {
  const path = `'${resolve(file).replace(/[*?[]/g, '[$&]').replaceAll("'", "''")}'`;
  return { table: `read_parquet(${path}, hive_partitioning = false, binary_as_string = true)`, path };
}

async function* readRows(
  connection: DuckDBConnection,
  { table, path }: { table: string; path: string },
  { wantsColumn, where }: ParquetOptions & { where: Where },
): AsyncGenerator<ParquetRows> {
  await connection.run(DISTRUST_STATISTICS);
  const columns = await selectColumns(connection, table, { wantsColumn, where });
  const header = columns.map(({ name }) => name);
  const [counted] = (
    await connection.runAndReadAll(`SELECT num_rows::DOUBLE FROM parquet_file_metadata(${path})`)
  ).getRows();
  const total = counted![0] as number;
  yield { header, rows: [], total };
  if (columns.length === 0) return;
  const result = await connection.stream(`SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${table}`);
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const texts = header.map((_, at) => chunk!.getColumnValues(at) as (string | null)[]);
    const rows = Array.from({ length: chunk.rowCount }, (_, row) => texts.map((column) => column[row] ?? ''));
    yield { header, rows, total };
  }
}

async function selectColumns(
  connection: DuckDBConnection,
  table: string,
  { wantsColumn, where }: Pick<ParquetOptions, 'wantsColumn'> & { where: Where },
): Promise<{ name: string; sql: string }[]> {
  const result = await connection.run(`FROM ${table} LIMIT 0`);
  const types = result.columnTypes();
  return result.columnNames().flatMap((name, at) => {
    if (!wantsColumn(name)) return [];
    const sql = cellTextSql(name, types[at]!);
    if (sql !== null) return [{ name, sql }];
    const what = `has a column "${name}" of the type ${types[at]}, which is no text, number or date`;
    throw parquetError(where, what, undefined);
  });
}

/** The engine's own first line, without the name of the file in it. */
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
