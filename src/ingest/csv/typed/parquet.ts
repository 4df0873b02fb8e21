import { basename, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { IngestError } from '../../../model/errors.js';
import { DuckDBInstance, DuckDBTypeId } from '../../../store/duckdb/engine/library.js';
import type { TextRecord } from '../../reading/delimited.js';

/** A file whose cells have types, as a delimited text. */
export interface TypedTable {
  /** The names of the wanted columns, in the order of the file. */
  readonly header: readonly string[];
  /** The names of all columns. */
  readonly names: readonly string[];
  /** The rows from their beginning; empty cells are empty strings. "line" is the number of the row. */
  readonly records: () => AsyncIterable<TextRecord> | Iterable<TextRecord>;
}

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
  readonly signal?: AbortSignal | undefined;
}

interface ParquetRows extends Pick<TypedTable, 'header' | 'names'> {
  readonly rows: readonly (readonly string[])[];
}

/** A Parquet file, whose rows are counted from 1. @throws IngestError as `readParquetRows` does */
export async function openParquet(file: string, options: ParquetOptions): Promise<TypedTable> {
  async function* records(): AsyncGenerator<TextRecord> {
    let line = 0;
    for await (const { rows } of readParquetRows(file, options)) {
      options.signal?.throwIfAborted();
      for (const fields of rows) yield { fields, line: ++line };
    }
  }
  for await (const { header, names } of readParquetRows(file, options)) return { header, names, records };
  return { header: [], names: [], records };
}

/**
 * The rows of a Parquet file in order: first the header without rows, then a few thousand rows at a time. Memory is
 * bounded by the size of the pages, not of the file.
 * @throws IngestError that names the file when it is damaged, or a wanted column is not of text, numbers or dates
 */
export async function* readParquetRows(file: string, options: ParquetOptions): AsyncGenerator<ParquetRows> {
  const name = basename(file);
  const error = (what: string, cause?: unknown) =>
    new IngestError(options.dataset, `${name} ${what}`, { file: name, cause });
  const instance = await DuckDBInstance.create(':memory:', ENGINE_OPTIONS);
  try {
    const connection = await instance.connect();
    try {
      yield* readRows(connection, file, { ...options, error });
    } finally {
      connection.disconnectSync();
    }
  } catch (cause) {
    if (cause instanceof IngestError) throw cause;
    const [said] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw error(`cannot be read as Parquet: ${said!.replaceAll(/\p{Cc}/gu, '?')}`, cause);
  } finally {
    instance.closeSync();
  }
}

async function* readRows(
  connection: DuckDBConnection,
  file: string,
  { wantsColumn, decimal = '.', error }: ParquetOptions & { error: (what: string) => IngestError },
): AsyncGenerator<ParquetRows> {
  // The engine reads the path as a glob pattern.
  const path = resolve(file).replace(/[*?[]/g, '[$&]').replaceAll("'", "''");
  const table = `read_parquet('${path}', hive_partitioning = false, binary_as_string = true)`;
  await connection.run(IGNORE_STATISTICS);
  const empty = await connection.run(`FROM ${table} LIMIT 0`);
  const types = empty.columnTypes();
  const names = empty.columnNames();
  const header = names.filter(wantsColumn);
  const cells = names.flatMap((name, at) => {
    if (!wantsColumn(name)) return [];
    const sql = cellTextSql(name, types[at]!, decimal);
    if (sql !== null) return [sql];
    throw error(`has a column "${name}" of type ${types[at]}, which is not text, numbers or dates`);
  });
  yield { header, names, rows: [] };
  if (header.length === 0) return;
  const result = await connection.stream(`SELECT ${cells.join(', ')} FROM ${table}`);
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const texts = header.map((_, at) => chunk!.getColumnValues(at) as (string | null)[]);
    const rows = Array.from({ length: chunk.rowCount }, (_, row) => texts.map((column) => column[row] ?? ''));
    yield { header, names, rows };
  }
}

/** Types whose text is that of a delimited table. */
const AS_WRITTEN: ReadonlySet<DuckDBTypeId> = new Set(
  [
    ['SQLNULL', 'BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'VARCHAR', 'ENUM', 'UUID', 'DATE'],
    ['UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT'],
    ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'],
  ]
    .flat()
    .map((name) => DuckDBTypeId[name as keyof typeof DuckDBTypeId]),
);

/**
 * The SQL of a column's cells as the text of a delimited table: numbers with all digits, booleans as `true` and `false`,
 * dates as `YYYY-MM-DD`, timestamps with the time of day in UTC; NaN is null.
 * @returns null for other types, such as lists
 */
function cellTextSql(name: string, { typeId }: DuckDBType, decimal: '.' | ','): string | null {
  const column = `"${name.replaceAll('"', '""')}"`;
  const text = `CAST(${column} AS VARCHAR)`;
  if (AS_WRITTEN.has(typeId)) return text;
  if (typeId === DuckDBTypeId.TIMESTAMP_TZ) return `CAST(make_timestamp(epoch_us(${column})) AS VARCHAR)`;
  if (typeId === DuckDBTypeId.DECIMAL) return `replace(${text}, '.', '${decimal}')`;
  if (typeId !== DuckDBTypeId.FLOAT && typeId !== DuckDBTypeId.DOUBLE) return null;
  // Whole numbers have no decimal point, such as "1988" for a year.
  const number = `regexp_replace(${text}, '\\.0$', '')`;
  return `CASE WHEN NOT isnan(${column}) THEN replace(${number}, '.', '${decimal}') END`;
}
