import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { IngestError } from '../../../model/errors.js';
import { maxUnpackedBytes, VALUE_BYTES } from '../../../model/growth.js';
import { zoneOffsetMs } from '../../../model/time.js';
import { localTimes } from '../../../model/time-zone.js';
import { DuckDBInstance, DuckDBTypeId } from '../../../store/duckdb/engine/library.js';
import { quoteLiteral, quotePath } from '../../../store/duckdb/engine/sql-values.js';
import { makeTemporaryFolder } from '../../../store/temporary-files.js';
import { checkColumnCount } from '../../reading/columns.js';
import { readDelimited, type TextRecord } from '../../reading/delimited.js';
import { ALL_COLUMNS, type TypedTable, type TypedTableOptions, typedFileError } from './typed-table.js';

/** The engine's options. One thread preserves row order. Pages that claim to exceed the memory limit are rejected. */
const ENGINE_OPTIONS = {
  threads: '1',
  memory_limit: '1GB',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
/** Makes the engine ignore the statistics in a file's footer, because wrong statistics would make it skip rows. */
const IGNORE_STATISTICS = `SET disabled_optimizers = 'statistics_propagation'`;

/** The maximum length of a cell's text. Excel has the same limit, but counts characters rather than bytes. */
const MAX_TEXT_BYTES = 32_767;

/** Opens a Parquet file, which the engine converts to text when rows are read. The header is line 1. */
export async function openParquet(file: string): Promise<TypedTable> {
  const columns = await readParquet(file, { ...ALL_COLUMNS, wantsColumn: () => false });
  const write = async (folder: string, options: TypedTableOptions): Promise<string> => {
    const text = join(folder, 'text');
    await readParquet(file, options, text);
    return text;
  };
  const rows = (options: TypedTableOptions) => textRecords((folder) => write(folder, options));
  return { name: '', columns, write, rows };
}

/** Streams rows from a temporary file. Only the first rows and rejected or conflicting rows are read this way. */
async function* textRecords(write: (folder: string) => Promise<string>): AsyncGenerator<TextRecord> {
  const folder = await makeTemporaryFolder();
  try {
    const text = createReadStream(await write(folder));
    let line = 1;
    for await (const { fields } of readDelimited(text, { delimiter: ',', quotes: true }))
      yield { fields, line: ++line };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lists a Parquet file's columns. Writes the wanted columns to the path `text`, if given. @throws IngestError */
async function readParquet(
  file: string,
  { wantsColumn, decimal, rows, signal }: TypedTableOptions,
  text?: string,
): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(':memory:', ENGINE_OPTIONS);
  const connection = await instance.connect();
  const abort = () => connection.interrupt();
  signal?.addEventListener('abort', abort);
  try {
    const path = quotePath(resolve(file));
    const table = `read_parquet(${path}, hive_partitioning = false, binary_as_string = true)`;
    await connection.run(IGNORE_STATISTICS);
    const empty = await connection.run(`FROM ${table} LIMIT 0`);
    const types = empty.columnTypes();
    const names = empty.columnNames();
    checkColumnCount(names.length, { dataset: 'table', file: basename(file) });
    const zones = await readZones(connection, path);
    const cells = names.map((column, at) => {
      if (!wantsColumn(at)) return 'NULL';
      const zone = checkZone(file, column, zones.get(column));
      const sql = zone === null ? cellTextSql(column, types[at]!, decimal) : timeTextSql(column, zone);
      if (sql !== null) return `coalesce(${sql}, '')`;
      const what = `has a column "${column}" of type ${types[at]}, but only text, numbers and dates can be read`;
      throw typedFileError(file, what);
    });
    const stated = await connection.runAndReadAll(
      `SELECT num_rows::DOUBLE FROM parquet_file_metadata(${path})`,
    );
    const values = (stated.getRows()[0]![0] as number) * names.filter((_, at) => wantsColumn(at)).length;
    if (values * VALUE_BYTES > maxUnpackedBytes((await stat(file)).size)) {
      const what = `claims to contain ${values} values, far too many for its size; save it as CSV`;
      throw typedFileError(file, what);
    }
    const sql = `SELECT ${cells.join(', ')} FROM ${table} ${rows === undefined ? '' : `LIMIT ${rows}`}`;
    if (text !== undefined)
      await connection.run(
        `COPY (${sql}) TO ${quoteLiteral(text)} (FORMAT csv, HEADER false, FORCE_QUOTE *)`,
      );
    return names;
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof IngestError) throw cause;
    const [said] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    const what = said!.replace(/^Invalid Input Error: /, '').replaceAll(/\p{Cc}/gu, '?');
    throw typedFileError(file, `cannot be read as Parquet: ${what}`, cause);
  } finally {
    signal?.removeEventListener('abort', abort);
    connection.disconnectSync();
    instance.closeSync();
  }
}

/** Reads the time zones of columns from the file's Arrow schema or pandas metadata, the only places that state them. */
async function readZones(connection: DuckDBConnection, path: string) {
  const read = await connection.runAndReadAll(
    `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${path}) WHERE key IN ('ARROW:schema'::BLOB, 'pandas'::BLOB)`,
  );
  const { 'ARROW:schema': schema, pandas } = Object.fromEntries(read.getRows()) as Record<string, string>;
  if (schema !== undefined) {
    const { DataType, tableFromIPC } = await import('apache-arrow');
    const { fields } = tableFromIPC(Buffer.from(schema, 'base64')).schema;
    return new Map(
      fields.map(({ name, type }) => [name, DataType.isTimestamp(type) ? type.timezone : undefined]),
    );
  }
  const { columns = [] } = (pandas === undefined ? {} : JSON.parse(pandas)) as PandasMetadata;
  return new Map(
    columns.map(({ name, field_name = name, metadata }) => [field_name ?? '', metadata?.timezone]),
  );
}

interface PandasMetadata {
  readonly columns?: readonly {
    readonly name: string | null;
    readonly field_name?: string | null;
    readonly metadata?: { readonly timezone?: string | null } | null;
  }[];
}

/** Returns a column's time zone, or null if it has none. @throws IngestError if the time zone is unknown */
function checkZone(file: string, column: string, zone: string | null | undefined): string | null {
  if (!zone) return null;
  try {
    localTimes(zone);
    return zone;
  } catch (cause) {
    const what = `has times in the unknown time zone "${zone}" in the column "${column}"; save the column as dates`;
    throw typedFileError(file, what, cause);
  }
}

/** Returns SQL that formats a column's times in a time zone, so that their dates are local. */
function timeTextSql(name: string, zone: string): string {
  const column = `"${name.replaceAll('"', '""')}"`;
  const offsetMs = zoneOffsetMs(zone);
  const utc = `make_timestamp(epoch_us(${column}) + ${(offsetMs ?? 0) * 1000})`;
  const local = offsetMs === null ? `timezone(${quoteLiteral(zone)}, timezone('UTC', ${utc}))` : utc;
  return `CAST(${local} AS VARCHAR)`;
}

/** Matches types whose values, when cast to text, look the same as in delimited files. */
const AS_WRITTEN =
  /^(SQLNULL|BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT)|ENUM|UUID|DATE|TIMESTAMP(_S|_MS|_NS)?)$/;

/** Returns SQL that casts a column to text (all digits, UTC times, NULL for NaN), or null for types such as lists. */
function cellTextSql(name: string, { typeId }: DuckDBType, decimal: '.' | ','): string | null {
  const column = `"${name.replaceAll('"', '""')}"`;
  const text = `CAST(${column} AS VARCHAR)`;
  if (typeId === DuckDBTypeId.VARCHAR) {
    const tooLong = `'the column ' || ${quoteLiteral(name)} || ' has a text of ' || strlen(${column}) || ' bytes, more than ${MAX_TEXT_BYTES}'`;
    return `CASE WHEN strlen(${column}) > ${MAX_TEXT_BYTES} THEN error(${tooLong}) ELSE ${column} END`;
  }
  if (AS_WRITTEN.test(DuckDBTypeId[typeId])) return text;
  if (typeId === DuckDBTypeId.TIMESTAMP_TZ) return timeTextSql(name, 'Z');
  if (typeId === DuckDBTypeId.DECIMAL) return `replace(${text}, '.', '${decimal}')`;
  if (typeId !== DuckDBTypeId.FLOAT && typeId !== DuckDBTypeId.DOUBLE) return null;
  // Removes ".0" from integers, so that a year is "1988" rather than "1988.0".
  const number = `regexp_replace(${text}, '\\.0$', '')`;
  return `CASE WHEN NOT isnan(${column}) THEN replace(${number}, '.', '${decimal}') END`;
}
