import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { FIRST_TABLE, PACKED_DDL, type PointTable, pointView, READ_POINT_TABLES } from './point-tables.js';

/** Views, macros and schemas of a database, each with its text as the engine writes it. */
const objectsOf = (database: string) => `
  SELECT 'view' AS kind, concat(schema_name, '.', view_name) AS name, sql AS text FROM duckdb_views()
    WHERE database_name = '${database}' AND NOT internal
  UNION ALL
  SELECT 'macro', concat(schema_name, '.', function_name), concat_ws(' ', function_type, parameters, macro_definition)
    FROM duckdb_functions() WHERE database_name = '${database}' AND NOT internal
  UNION ALL
  SELECT 'schema', schema_name, schema_name FROM duckdb_schemas() WHERE database_name = '${database}' AND NOT internal
  UNION ALL
  SELECT 'computed table', table_name, sql FROM duckdb_tables()
    WHERE database_name = '${database}' AND sql ILIKE '%GENERATED ALWAYS%'`;

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
  const own = await ownObjects(connection, { tables, ddl });
  for (const [kind, name, text] of await readObjects(connection, 'store'))
    if (own.get(`${kind} ${name}`) !== text) refuse(kind, name);
}

/** The objects of the last store of this process, by the statements that make them: making them takes half of an opening. */
let lastObjects: { readonly statements: string; readonly objects: ReadonlyMap<string, string> } | undefined;

/** The objects of a new store with these tables of points, by kind and name. */
async function ownObjects(
  connection: DuckDBConnection,
  { tables, ddl }: { tables: readonly PointTable[]; ddl: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const more = tables.filter(({ name }) => name !== FIRST_TABLE.name);
  const created = more.map(({ name }) => `CREATE TABLE ${name} ${PACKED_DDL}`);
  const statements = ['BEGIN', ...ddl, ...created, pointView(tables), 'COMMIT'].join('; ');
  if (lastObjects?.statements === statements) return lastObjects.objects;
  await connection.run(`ATTACH ':memory:' AS own; USE own`);
  try {
    await connection.run(statements);
    const read = await readObjects(connection, 'own');
    const objects = new Map(read.map(([kind, name, text]) => [`${kind} ${name}`, text] as const));
    lastObjects = { statements, objects };
    return objects;
  } finally {
    await connection.run('USE store; DETACH own');
  }
}

/**
 * A text in one form: once saved, the engine writes names of types, lambdas, and unions of three tables or more in another way.
 * Texts that differ in parentheses and spaces alone name the same tables and functions.
 */
const inOneForm = (text: string) => text.replaceAll(/\blambda (\w+):/g, '$1 ->').replaceAll(/["()\s]/g, '');

async function readObjects(
  connection: DuckDBConnection,
  database: string,
): Promise<[kind: string, name: string, text: string][]> {
  const rows = (await connection.runAndReadAll(objectsOf(database))).getRows() as string[][];
  return rows.map(([kind, name, text]) => [kind!, name!, inOneForm(text!)]);
}
