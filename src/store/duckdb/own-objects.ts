import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { FIRST_TABLE, PACKED_DDL, type PointTable, pointView, READ_POINT_TABLES } from './point-tables.js';

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
 * Checks that the database attached as `store` holds tables, and the views and macros that `ddl` makes, by their text: one of
 * somebody else would run with the rights of this process as soon as it is read.
 * @throws StoreError that names the object
 */
export async function requireOwnObjects(
  connection: DuckDBConnection,
  { location, ddl }: { location: string; ddl: readonly string[] },
): Promise<void> {
  const refuse = (kind: string, name: string): never => {
    throw new StoreError(
      `${location} holds the ${kind} "${name}", which cropframe did not make, and which could read other files; do not use this file`,
    );
  };
  const isView = `SELECT 1 FROM duckdb_views() WHERE database_name = 'store' AND view_name = 'point_table'`;
  if ((await connection.runAndReadAll(isView)).currentRowCount > 0) refuse('view', 'point_table');
  const read = await connection.runAndReadAll(
    READ_POINT_TABLES.replace('FROM point', 'FROM store.main.point'),
  );
  const tables = read.getRowObjects() as unknown as PointTable[];
  const strange = tables.find(({ name }) => !POINT_TABLE_NAME.test(name));
  if (strange !== undefined) refuse('table of points', strange.name);
  const others = tables.filter(({ name }) => name !== FIRST_TABLE.name);
  const created = others.map(({ name }) => `CREATE TABLE ${name} ${PACKED_DDL}`);
  const statements = ['BEGIN', ...ddl, ...created, pointView(tables), 'COMMIT'].join('; ');
  const isNew = lastOwn?.statements !== statements;
  if (isNew) await connection.run(`ATTACH ':memory:' AS own; USE own`);
  try {
    if (isNew) await connection.run(statements);
    const objects = await readObjects(connection);
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
 * An object in one form: once saved, the engine writes names of types, lambdas, and unions of three tables or more in another
 * way. Texts that differ in parentheses and spaces alone name the same tables and functions.
 */
const textOf = ({ kind, name, text }: EngineObject): string =>
  `${kind} ${name} ${text.replaceAll(/\blambda (\w+):/g, '$1 ->').replaceAll(/["()\s]/g, '')}`;

/** Those of all attached databases: listing the engine's functions takes 20 ms, however few are asked for. */
async function readObjects(connection: DuckDBConnection): Promise<EngineObject[]> {
  return (await connection.runAndReadAll(READ_OBJECTS)).getRowObjects() as unknown as EngineObject[];
}
