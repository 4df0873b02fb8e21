import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { type NamedTables, namedViews, namedVintages } from '../queries/named-views.js';
import { duckdbColumns } from '../schema/duckdb.js';
import { ENTITY_TABLES } from '../schema/entity-tables.js';
import { LAYOUT, OTHER_TABLES } from '../schema/tables.js';
import { FIRST_TABLE, HISTORY_TABLE, PACKED_DDL, POINT_VIEWS, pointView } from './point-tables.js';
import { readPointTables } from './writing/divided-points.js';

/** So many points are in a table before further series get another one. */
const TABLE_POINTS = 8_000_000;

/**
 * `point_table` lists the tables of latest vintages. A query looks at every row group of a table, be it only at its minima
 * and maxima: in a table of a billion points that takes ten times as long as reading a series, in one of 20 million half of
 * the time of a query.
 */
const POINT_TABLE_DDL = 'point_table (name VARCHAR, first_handle INTEGER, unsorted_points BIGINT)';

/** Incremented whenever a table or a view changes. A store of another version is refused. */
export const SCHEMA_VERSION = 9;

/**
 * Sets a new random id for the content. A file that was restored by copying and then updated may have as many imports as
 * the file that it replaced. Clients must not mistake cached content of one for the other.
 */
export const RENEW_STORE_ID = 'UPDATE meta SET store_id = uuid()::VARCHAR';

/** The schema of the views and macros that call everything by its name. The tables of the store are in `main`. */
export const NAMED_SCHEMA = 'by_name';

const POINT = ['series', 'value', 'unit_id', 'start_date', 'end_date'];
const VINTAGE = [...POINT, 'metadata', 'reporting_date', 'available_date'];
const SERIES = ['handle', ...LAYOUT, 'unit_id', 'point_count', 'start_date', 'end_date'];

/** Writes the columns of rows, with dates in microseconds, which all functions of the engine take. */
function dated(rows: string, columns: readonly string[]): string {
  const read = columns.map((name) => (name.endsWith('_date') ? `${name}::TIMESTAMP AS ${name}` : name));
  return `(SELECT ${read.join(', ')} FROM ${rows})`;
}

const TABLES: NamedTables = {
  table: (name) => `main.${name}`,
  series: dated('main.series', SERIES),
  latest: dated('main.point', POINT),
  vintages: dated('(FROM main.point UNION ALL FROM main.point_history)', VINTAGE),
  imports: `(SELECT source_id, dataset, make_timestamp_ms(imported::BIGINT) AS imported FROM main.source_import)`,
  list: (column) => `list(${column} ORDER BY ${column})`,
};

/** The parameter `date`, in UTC: casts of the engine ignore an offset, or the time zone of a session changes it. */
const DATE = `CASE WHEN regexp_matches(date::VARCHAR, ':[0-9]{2}([.][0-9]+)?[+-][0-9]{2}')
  THEN make_timestamp_ms(epoch_ms(date::VARCHAR::TIMESTAMPTZ)) ELSE date::TIMESTAMP::TIMESTAMP_MS END`;

/**
 * The vintages that were the latest ones at a date: those of today that are old enough, and else the latest of the history,
 * which holds no other vintage of such a period that is later.
 */
const AS_OF = dated(
  `(FROM main.point WHERE available_date <= ${DATE}
  UNION ALL
  FROM main.point_history AS h
  SEMI JOIN (FROM main.point WHERE available_date > ${DATE}) AS later USING (series, start_date, end_date)
  WHERE h.available_date <= ${DATE}
  QUALIFY row_number() OVER (PARTITION BY series, start_date, end_date
    ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1)`,
  VINTAGE,
);

/** Checks whether a string names a unit. */
const isUnit = (unit: string, text: string) =>
  `(${unit}.abbreviation = ${text} OR ${unit}.name = ${text} OR ${unit}.name_plural = ${text})`;

/** The conversion between two units of one dimension, as `compute/units.ts` does it; an error where there is none. */
const CONVERSION = `SELECT CASE WHEN count(*) = 1 THEN any_value({
    factor: a.factor, zero: coalesce(a.base_offset, 0), to_factor: b.factor, to_zero: coalesce(b.base_offset, 0)})
  ELSE error(concat('no conversion from "', from_unit, '" to "', to_unit, '"; see the view units')) END
  FROM main.unit AS a, main.unit AS b
  WHERE a.factor <> 0 AND b.factor <> 0 AND a.dimension = b.dimension
    AND ${isUnit('a', 'from_unit')} AND ${isUnit('b', 'to_unit')}`;

const CONVERT = `CASE WHEN value IS NULL OR from_unit IS NULL OR to_unit IS NULL THEN NULL
  WHEN from_unit = to_unit THEN value::DOUBLE
  ELSE list_transform([(${CONVERSION})],
    lambda c: (value * c.factor + c.zero - c.to_zero) / c.to_factor)[1] END`;

/** The statements that add the views and macros to a store. */
const NAMED_VIEWS: readonly string[] = [
  `CREATE SCHEMA ${NAMED_SCHEMA}`,
  ...Object.entries(namedViews(TABLES)).map(([name, sql]) => `CREATE VIEW ${NAMED_SCHEMA}.${name} AS ${sql}`),
  `CREATE MACRO ${NAMED_SCHEMA}.as_of(date) AS TABLE ${namedVintages(TABLES, AS_OF)}`,
  `CREATE MACRO ${NAMED_SCHEMA}.convert(value, from_unit, to_unit) AS (${CONVERT})`,
];

/**
 * No table has an index: the minima and maxima of row groups locate ids, and an index would have to be loaded whenever
 * the store is opened. Points are in several tables, so that ordinary reads never scan history, nor row groups of far too
 * many other series.
 */
const DDL: readonly string[] = [
  `CREATE TABLE meta (store_id VARCHAR, schema_version INTEGER, imports INTEGER, table_points INTEGER)`,
  ...[
    ...Object.values(ENTITY_TABLES).map(({ table, columns }) => [table, columns] as const),
    ...Object.entries(OTHER_TABLES),
  ].map(([table, columns]) => `CREATE TABLE ${table} (${duckdbColumns(columns)})`),
  ...[FIRST_TABLE.name, HISTORY_TABLE].map((table) => `CREATE TABLE ${table} ${PACKED_DDL}`),
  `CREATE TABLE ${POINT_TABLE_DDL}`,
  `INSERT INTO point_table VALUES ('${FIRST_TABLE.name}', ${FIRST_TABLE.first}, 0)`,
  ...POINT_VIEWS,
  ...NAMED_VIEWS,
];

/** Creates the tables of a new store, and checks that an existing database is a store of this version. */
export async function prepareSchema(
  connection: DuckDBConnection,
  { location, readOnly }: { location: string; readOnly: boolean },
): Promise<void> {
  const tables = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'store'`,
  );
  const names = new Set(tables.getRows().map((row) => String(row[0])));
  if (names.size === 0) {
    if (readOnly) throw new StoreError(`${location} is an empty database; import a data set into it first`);
    return createSchema(connection);
  }
  if (!names.has('meta') || !names.has('series')) {
    throw new StoreError(`${location} is a DuckDB database but not a cropframe store; name another file`);
  }
  const version = Number(
    (await connection.runAndReadAll('SELECT schema_version FROM meta')).getRows()[0]?.[0],
  );
  requireVersion(location, { found: version, expected: SCHEMA_VERSION });
  await requireOwnObjects(connection, { location, names });
}

/** @throws StoreError when a store has another version than `expected` */
export function requireVersion(
  location: string,
  { found, expected }: { found: number; expected: number },
): void {
  if (found === expected) return;
  const remedy = found < expected ? 'import its files into a new store' : 'update cropframe to open it';
  throw new StoreError(
    `${location} has schema version ${found}, and this cropframe uses ${expected}; ${remedy}`,
  );
}

async function createSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run(['BEGIN TRANSACTION', ...DDL].join('; '));
  await connection.run(`INSERT INTO meta VALUES ('${randomUUID()}', ${SCHEMA_VERSION}, 0, ${TABLE_POINTS})`);
  const { table, toRow } = ENTITY_TABLES.frequencies;
  const rows = FREQUENCIES.map(toRow);
  const places = rows.map((row) => `(${row.map(() => '?').join(', ')})`);
  await connection.run(`INSERT INTO ${table} VALUES ${places.join(', ')}`, rows.flat());
  await connection.run('COMMIT');
}

/** Views, macros and schemas of the attached databases, each with its text as the engine writes it. */
const READ_OBJECTS = `
  SELECT database_name AS database, 'view' AS kind, concat(schema_name, '.', view_name) AS name, sql AS text FROM duckdb_views()
    WHERE NOT internal
  UNION ALL
  SELECT database_name, 'macro', concat(schema_name, '.', function_name),
    concat_ws(' ', function_type, parameters, macro_definition) FROM duckdb_functions() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'schema', schema_name, schema_name FROM duckdb_schemas() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'computed table', table_name, sql FROM duckdb_tables() WHERE sql ILIKE '%GENERATED ALWAYS%'`;

const POINT_TABLE_NAME = new RegExp(`^${FIRST_TABLE.name}(_[0-9]+)?$`);

/**
 * Checks that the database attached as `store` holds tables, and the views and macros that `DDL` makes, by their text: one of
 * somebody else would run with the rights of this process as soon as it is read.
 * @param names those of its tables
 * @throws StoreError that names the object
 */
async function requireOwnObjects(
  connection: DuckDBConnection,
  { location, names }: { location: string; names: ReadonlySet<string> },
): Promise<void> {
  const refuse = (kind: string, name: string): never => {
    throw new StoreError(
      `${location} holds the ${kind} "${name}", which cropframe did not make, and which could read other files; do not use this file`,
    );
  };
  if (!names.has('point_table')) refuse('view', 'point_table');
  const tables = await readPointTables(connection);
  const strange = tables.find(({ name }) => !POINT_TABLE_NAME.test(name));
  if (strange !== undefined) refuse('table of points', strange.name);
  const others = tables.filter(({ name }) => name !== FIRST_TABLE.name);
  const created = others.map(({ name }) => `CREATE TABLE ${name} ${PACKED_DDL}`);
  const statements = ['BEGIN', ...DDL, ...created, pointView(tables), 'COMMIT'].join('; ');
  const isNew = lastOwn?.statements !== statements;
  if (isNew) await connection.run(`ATTACH ':memory:' AS own; USE own`);
  try {
    if (isNew) await connection.run(statements);
    // Those of both databases: listing the engine's functions takes 20 ms, however few are asked for.
    const read = await connection.runAndReadAll(READ_OBJECTS);
    const objects = read.getRowObjects() as unknown as EngineObject[];
    const own = isNew ? new Set(objects.filter(isIn('own')).map(textOf)) : lastOwn!.texts;
    lastOwn = { statements, texts: own };
    const foreign = objects.find((object) => isIn('store')(object) && !own.has(textOf(object)));
    if (foreign !== undefined) refuse(foreign.kind, foreign.name);
  } finally {
    if (isNew) await connection.run('USE store; DETACH own');
  }
}

/** The objects of a store as this version makes it, by the statements: making them takes half of an opening. */
let lastOwn: { readonly statements: string; readonly texts: ReadonlySet<string> } | undefined;

interface EngineObject {
  readonly database: string;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

const isIn = (database: string) => (object: EngineObject) => object.database === database;

/**
 * Normalises the definition of an object: once saved, the engine writes names of types, lambdas, and unions of three
 * tables or more in another way. Texts that differ in parentheses and spaces alone name the same tables and functions.
 */
const textOf = ({ kind, name, text }: EngineObject): string =>
  `${kind} ${name} ${text.replaceAll(/\blambda (\w+):/g, '$1 ->').replaceAll(/["()\s]/g, '')}`;
