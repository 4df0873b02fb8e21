import type { DuckDBConnection, DuckDBType, DuckDBVector } from '@duckdb/node-api';
import { DataType, DateUnit, type Table, TimeUnit, type Vector } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
import { cellReader, cellText, isNested } from '../frame/table/cells.js';
import { checkTable } from '../frame/table/check-table.js';
import {
  type AnyColumn,
  type DictionaryColumn,
  joinValues,
  readColumns,
  repeatedName,
  type Validity,
  valueType,
} from '../frame/table/columns.js';
import { encodeTexts } from '../frame/table/parse-column.js';
import { badArgument } from '../model/errors.js';
import { duckdb } from '../store/duckdb/engine/library.js';
import { quoteIdentifier } from '../store/duckdb/engine/sql-values.js';
import { type RawVector, setValidity } from '../store/duckdb/engine/vectors.js';

/** A column's values as they are loaded into the engine. `expression` converts them to their final type. */
interface Loaded {
  readonly type: DuckDBType;
  /** The values as a typed array with the type's memory layout, or a function that reads one value at a time. */
  readonly values: ArrayLike<number | bigint> | ((row: number) => string | boolean | null);
  readonly valid: Validity;
  readonly expression?: ((column: string) => string) | undefined;
}

const CHUNK_ROWS = 2048;

/** A chunk that is filled value by value retains all strings, so the chunk is replaced after this many rows. */
const REUSED_ROWS = 64 * CHUNK_ROWS;

/** The maximum number of categories in an ENUM. Columns with more categories are loaded as strings. */
const MAX_CATEGORIES = 60_000;

export function checkTables(tables: Readonly<Record<string, Table>>): void {
  if (Array.isArray(tables))
    throw badArgument('tables', 'this is the query; tables come before it, as in sql({})`SELECT …`');
  for (const [name, table] of Object.entries(tables)) checkTable(table, name);
}

interface NamedTable {
  readonly name: string;
  readonly table: Table;
  readonly into: 'memory' | 'temp';
}

/** @throws ArgumentError if column names are not distinct in SQL, or the engine rejects the table */
export async function loadTable(connection: DuckDBConnection, named: NamedTable): Promise<void> {
  const { name, table } = named;
  const problem = nameProblem(table.schema.fields.map((field) => field.name.toLowerCase()));
  if (problem !== null)
    throw badArgument(name, `${problem}; SQL identifies columns by name, so use rename or select`);
  try {
    await fillTable(connection, named);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badArgument(name, `${reason}`, { cause });
  }
}

function nameProblem(names: readonly string[]): string | null {
  if (names.length === 0) return 'the table has no columns';
  if (names.includes('')) return `column ${names.indexOf('') + 1} has no name`;
  const repeated = repeatedName(names);
  if (repeated === undefined) return null;
  const first = names.indexOf(repeated);
  return `columns ${first + 1} and ${names.indexOf(repeated, first + 1) + 1} are both "${repeated}"`;
}

async function fillTable(connection: DuckDBConnection, { name, table, into }: NamedTable): Promise<void> {
  const columns = readColumns(table).map(({ field, column }, at) => ({
    name: quoteIdentifier(field.name),
    ...(isDay(field.type)
      ? { type: duckdb.DATE, values: joined(table.getChildAt(at)!), valid: column.valid }
      : loadedColumn(column)),
  }));
  const types = columns.map(({ type }) => type);
  const isRaw = columns.every(({ values }) => typeof values !== 'function');
  const kind = into === 'temp' ? 'TEMP' : '';
  const held = quoteIdentifier(`${name} (columns)`);
  const declared = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  await connection.run(`CREATE ${kind} TABLE ${into}.main.${held} (${declared})`);
  const appender = await connection.createAppender(`${name} (columns)`, 'main', into);
  let chunk = duckdb.DuckDBDataChunk.create(types);
  for (let from = 0; from < table.numRows; from += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, table.numRows - from);
    if (!isRaw && from > 0 && from % REUSED_ROWS === 0) chunk = duckdb.DuckDBDataChunk.create(types);
    // Setting a chunk's size recreates its vectors, which is slow because all categories are read again.
    if (chunk.rowCount !== rows) chunk.rowCount = rows;
    for (const [at, column] of columns.entries()) fill(chunk.getColumnVector(at), column, { from, rows });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  const selected = columns.map(({ name, expression }) => `${expression?.(name) ?? name} AS ${name}`);
  await connection.run(
    `CREATE ${kind} VIEW ${into}.main.${quoteIdentifier(name)} AS SELECT ${selected.join(', ')} FROM ${into}.main.${held}`,
  );
}

function fill(
  vector: DuckDBVector,
  { values, valid }: Loaded,
  { from, rows }: { from: number; rows: number },
): void {
  if (typeof values === 'function') {
    for (let row = 0; row < rows; row++)
      vector.setItem(row, isValid(valid, from + row) ? values(from + row) : null);
  } else {
    const raw = vector as unknown as RawVector<Float64Array>;
    raw.items.set((values as Float64Array).subarray(from, from + rows));
    setValidity(raw, valid, { first: from, rows });
  }
  vector.flush();
}

const isDay = (type: DataType) => DataType.isDate(type) && type.unit === DateUnit.DAY;

function loadedColumn(column: AnyColumn): Loaded {
  const { valid } = column;
  switch (column.type) {
    case 'float64':
      return { type: duckdb.DOUBLE, values: column.values, valid };
    case 'int32':
      return { type: duckdb.INTEGER, values: column.values, valid };
    case 'timestamp':
      return { type: duckdb.TIMESTAMP_MS, values: column.values, valid, expression: cast('TIMESTAMP') };
    case 'dictionary':
      return column.categories.length > MAX_CATEGORIES
        ? loadedTexts((row) => column.categories[column.values[row]!]!, valid)
        : categories(column);
    case 'utf8': {
      const encoded = encodeTexts(column.values, MAX_CATEGORIES);
      return encoded === null ? loadedTexts((row) => column.values[row]!, valid) : categories(encoded);
    }
    case 'other':
      return loadedOther(column.values, valid);
  }
}

const loadedTexts = (values: (row: number) => string | null, valid: Validity): Loaded => ({
  type: duckdb.VARCHAR,
  values,
  valid,
});

/** Loads a dictionary column as an ENUM. Its strings are sorted, so that codes and strings have the same order. */
function categories({ values: codes, categories: texts, valid }: DictionaryColumn): Loaded {
  if (texts.length === 0) return loadedTexts(() => null, valid);
  const sorted = [...new Set(texts)].sort();
  const position = new Map(sorted.map((text, at) => [text, at]));
  const codeOf = Int32Array.from(texts, (text) => position.get(text)!);
  const values = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) values[row] = codeOf[codes[row]!] ?? 0;
  return { type: duckdb.ENUM(sorted), values, valid };
}

const WHOLE: Readonly<Record<number, readonly [DuckDBType, DuckDBType]>> = {
  8: [duckdb.TINYINT, duckdb.UTINYINT],
  16: [duckdb.SMALLINT, duckdb.USMALLINT],
  32: [duckdb.INTEGER, duckdb.UINTEGER],
  64: [duckdb.BIGINT, duckdb.UBIGINT],
};

function loadedOther(vector: Vector, valid: Validity): Loaded {
  const { type } = vector;
  const cell = cellReader(vector);
  if (DataType.isBool(type)) return { type: duckdb.BOOLEAN, values: (row) => cell(row) as boolean, valid };
  if (DataType.isInt(type))
    return { type: WHOLE[type.bitWidth]![type.isSigned ? 0 : 1], values: joined(vector), valid };
  if (DataType.isFloat(type)) {
    const values = Float32Array.from({ length: vector.length }, (_, row) => Number(cell(row)));
    return { type: duckdb.FLOAT, values, valid };
  }
  if (DataType.isTimestamp(type)) return { type: TIMESTAMPS[type.unit], values: joined(vector), valid };
  const values = (row: number) => {
    // A dictionary may contain null among its values.
    const value = cell(row);
    return value === null ? null : cellText(value, 'NaN');
  };
  return { type: duckdb.VARCHAR, values, valid, expression: expressionOf(valueType(type)) };
}

const TIMESTAMPS: Readonly<Record<TimeUnit, DuckDBType>> = {
  [TimeUnit.SECOND]: duckdb.TIMESTAMP_S,
  [TimeUnit.MILLISECOND]: duckdb.TIMESTAMP_MS,
  [TimeUnit.MICROSECOND]: duckdb.TIMESTAMP,
  [TimeUnit.NANOSECOND]: duckdb.TIMESTAMP_NS,
};

function joined(vector: Vector): ArrayLike<number | bigint> {
  return joinValues(vector, vector.data[0]!.values.constructor);
}

const cast = (type: string) => (column: string) => `CAST(${column} AS ${type})`;

function expressionOf(type: DataType): (column: string) => string {
  const isBytes =
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isBinaryView(type) ||
    DataType.isFixedSizeBinary(type);
  if (isBytes) return (column) => `from_base64(${column})`;
  if (!isNested(type)) return cast(typeText(type));
  // A map is loaded as JSON, because its keys can have any type.
  if (DataType.isMap(type)) return cast('JSON');
  return (column) => `CAST(CAST(${column} AS JSON) AS ${typeText(type)})`;
}

function typeText(type: DataType): string {
  if (DataType.isBool(type)) return 'BOOLEAN';
  if (DataType.isInt(type)) return String(WHOLE[type.bitWidth]![type.isSigned ? 0 : 1]);
  if (DataType.isFloat(type)) return type.ArrayType === Float64Array ? 'DOUBLE' : 'FLOAT';
  if (DataType.isDecimal(type)) return `DECIMAL(${Math.min(type.precision, 38)}, ${type.scale})`;
  if (DataType.isDate(type)) return 'DATE';
  if (DataType.isTimestamp(type)) return type.unit === TimeUnit.NANOSECOND ? 'TIMESTAMP_NS' : 'TIMESTAMP';
  if (DataType.isTime(type)) return 'TIME';
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type))
    return `${typeText(type.children[0]!.type)}[]`;
  if (DataType.isStruct(type))
    return `STRUCT(${type.children.map(({ name, type }) => `${quoteIdentifier(name)} ${typeText(type)}`).join(', ')})`;
  return 'VARCHAR';
}
