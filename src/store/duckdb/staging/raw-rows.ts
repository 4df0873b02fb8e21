import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { NewRows, RowDimension, RowTexts } from '../../store.js';
import { quoteLiteral, quotePath } from '../engine/sql-values.js';
import { readNumbers } from '../writing/ranges.js';

/** Separates joined strings, and must not occur in any row. One joined column is read twice as fast as five columns. */
export const SEPARATOR = '\x1f\x1d';

export interface RawDimension extends RowDimension {
  /** SQL for a row's joined strings: an expression for each value column if `isOfValues`, otherwise one expression. */
  readonly columns: readonly string[];
  readonly isOfValues: boolean;
  /** Whether some rows have no strings, so that the columns may be null. */
  readonly isOptional: boolean;
}

/** Names the dimensions and the columns of `raw`. Dimensions with the same strings share a column. */
function placeDimensions(dimensions: readonly RowDimension[]) {
  const columns = new Map<string, string>();
  const columnOf = (of: RowTexts | null, name: string): string => {
    if (of === null) return 'NULL::VARCHAR';
    const { texts, where } = of;
    const joined = texts.length > 1 ? `concat_ws(${quoteLiteral(SEPARATOR)}, ${texts.join(', ')})` : texts[0];
    if (where === undefined && joined === undefined) return `''`;
    const sql =
      joined === undefined ? where! : where === undefined ? joined : `CASE WHEN ${where} THEN ${joined} END`;
    if (!columns.has(sql)) columns.set(sql, name);
    const column = `raw.${columns.get(sql)!}`;
    return joined === undefined ? `CASE WHEN ${column} THEN '' END` : column;
  };
  const taken = new Set(OWN_NAMES);
  const placed = dimensions.map((one, i): RawDimension => {
    const { of } = one;
    const name = taken.has(one.name) ? `${one.name}_${i}` : one.name;
    taken.add(name);
    const isOfValues = Array.isArray(of);
    const each = (isOfValues ? of : [of]) as readonly (RowTexts | null)[];
    return {
      ...one,
      name,
      isOfValues,
      isOptional: each.some((one) => one === null || one.where !== undefined),
      columns: each.map((one, i) => columnOf(one, isOfValues ? `${name}_${i}` : name)),
    };
  });
  return { placed, columns: [...columns].map(([sql, name]) => `${sql} AS ${name}`) };
}

/** Names that the SQL statements themselves use. A dimension with one of these names is renamed. */
const OWN_NAMES = 'raw cells row line number value_column text series value faults'.split(' ');

/** The string that the engine reads as null. No field contains only this string, so empty fields stay empty strings. */
const NO_NULL = '\\x01\\x02';

/**
 * Options for files whose fields may contain line endings. A line above `max_line_size` means that the file is damaged.
 * Other files keep the default of 2 MB, because each thread reads at least four lines of the maximum length. With 16
 * MB, a single thread would read any file below 64 MB.
 */
const LONG_LINES = `new_line = '\\n', max_line_size = 16000000, buffer_size = 32000000, parallel = false`;

/**
 * Reads a text file into the table `raw`, with columns for the numbers (`v0`, `v1`, …) and for the dimensions' strings.
 * Rejected rows are identified by position, so rows must keep their order. A join would change the order, and the
 * engine plans `IN` with many strings as a join, so conditions must use `list_contains`.
 * @returns the number of rows in `raw`, the number of rows with two or more extra fields, and whether the engine cannot
 *   read the whole file
 */
export async function readRaw(
  connection: DuckDBConnection,
  rows: NewRows,
  dimensions: readonly RowDimension[],
) {
  const { placed, columns } = placeDimensions(dimensions);
  const statement = await rawSql(rows, columns);
  const parsing = readNumbers(
    connection,
    ...['reject_errors', 'reject_scans'].map((name) => `DROP TABLE IF EXISTS temp.${name}`),
    statement,
    `SELECT (SELECT count(*) FROM temp.raw)::DOUBLE, count(DISTINCT line)::DOUBLE,
      count(*) FILTER (error_type NOT IN ('MISSING COLUMNS', 'TOO MANY COLUMNS'))::DOUBLE FROM reject_errors`,
  );
  const read = { dimensions: placed, statement };
  try {
    const [count, broken, damages] = (await parsing) as [number, number, number];
    return { ...read, count, broken, isDamaged: damages > 0 };
  } catch (error) {
    // The engine rejects some uses of quotes, and also line endings within quotes if several threads read the file.
    if (rows.hasLongRows === true || !/CSV Error|Invalid Input Error/.test(String(error))) throw error;
    return { ...read, count: 0, broken: 0, isDamaged: true };
  }
}

async function rawSql(rows: NewRows, texts: readonly string[]): Promise<string> {
  const { path, delimiter, hasLongRows = false, skip, columns, numbers, header = [] } = rows;
  // Missing fields are padded with null, and the engine accepts one extra field if it is empty.
  const all = Array.from({ length: columns + 1 }, (_, at) => `c${at}`);
  const used = new Set([...texts, ...numbers].join(' ').match(/\bc\d+\b/g));
  const onlyUsed = all.length - used.size >= MIN_UNUSED && (await isPlainText(rows));
  const quote = rows.quotes && !onlyUsed ? `'"'` : `''`;
  const named = all.flatMap((column, i) => {
    const name = header[i]?.replace(/[\s\0]+/g, ' ');
    return name !== undefined && used.has(column) ? `-- ${column}: ${name}\n` : [];
  });
  // The numbers are computed in a subquery. Otherwise, `v0` would be computed again for each string that uses it.
  return `${named.join('')}CREATE OR REPLACE TEMP TABLE raw AS
SELECT ${[...numbers.map((_, i) => `v${i}`), ...texts].join(',\n  ')}
FROM (
  SELECT *, ${numbers.map((sql, i) => `${sql} AS v${i}`).join(',\n    ')}
  FROM read_csv(${quotePath(path)}, auto_detect = false, header = false, skip = ${skip},
    columns = {${all.map((name) => `'${name}': 'VARCHAR'`).join(', ')}},
    delim = ${quoteLiteral(delimiter)}, quote = ${quote}, escape = ${quote}, nullstr = '${NO_NULL}', strict_mode = true,
    null_padding = true, store_rejects = true, rejects_limit = 0, compression = 'none',
    ${hasLongRows ? LONG_LINES : 'parallel = true, buffer_size = 8000000'})
  ${onlyUsed ? '' : `WHERE ${all.map((name) => `${name} IS NOT NULL`).join(' OR ')}`})`;
}

/** If at least this many columns are unused, they are not read. Reading 25 of 40 columns saves a third of the time. */
const MIN_UNUSED = 10;

/**
 * Checks whether a file is UTF-8 without quoted fields. In any other file, a damaged row would make the engine, and
 * with it the store, unusable if only some of the columns were read.
 */
async function isPlainText({ path, quotes, hasLongRows = false }: NewRows): Promise<boolean> {
  if (hasLongRows) return false;
  const file = await open(path);
  const bytes = Buffer.allocUnsafe(CHECKED_BYTES);
  try {
    for (let unfinished = 0; ; ) {
      const { bytesRead } = await file.read(bytes, unfinished, bytes.length - unfinished);
      const end = unfinished + bytesRead;
      const begun = bytesRead === 0 ? 0 : [1, 2, 3].find((back) => bytes[end - back]! >= FIRST_OF_SEVERAL);
      unfinished = begun ?? 0;
      const whole = bytes.subarray(0, end - unfinished);
      if (!isUtf8(whole) || (quotes && whole.includes('"'))) return false;
      if (bytesRead === 0) return true;
      bytes.copyWithin(0, end - unfinished, end);
    }
  } finally {
    await file.close();
  }
}

const CHECKED_BYTES = 4_000_000;

/** Bytes with this or a higher value begin a multi-byte UTF-8 character. */
const FIRST_OF_SEVERAL = 0xc0;
