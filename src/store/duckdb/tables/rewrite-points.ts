import type { DuckDBConnection } from '@duckdb/node-api';
import { HISTORY_TABLE, PACKED_PERIOD, type PointTable, pointView } from '../point-tables.js';
import { inRange, readNumbers } from '../writing/ranges.js';
import { createPointTable, readPointTables, readTablePoints } from './divided-points.js';

/** Rewrites the table of all vintages but the latest in the order of `PointColumns`. */
export const SORT_HISTORY = `CREATE OR REPLACE TABLE ${HISTORY_TABLE} AS FROM ${HISTORY_TABLE}
  ORDER BY ${PACKED_PERIOD}, reporting_date, available_date`;

/** A table with this many times the points of a full one is divided: its series were given more and more points. */
const MAX_FULLNESS = 2;

/** Rewrites a table in the order of `PointColumns`, divided if it has become too large. */
export async function sortTable(connection: DuckDBConnection, table: PointTable): Promise<void> {
  await rewrite(connection, table, `ORDER BY ${PACKED_PERIOD}`);
  await connection.run(`UPDATE point_table SET unsorted_points = 0 WHERE name = '${table.name}'`);
}

/** Divides the tables that are too large. They stay in the order that they have. */
export async function divideLargeTables(connection: DuckDBConnection): Promise<void> {
  for (const table of await readPointTables(connection)) {
    if (await isTooLarge(connection, table)) await rewrite(connection, table, '');
  }
}

async function isTooLarge(connection: DuckDBConnection, { name }: PointTable): Promise<boolean> {
  const sql = `SELECT (SELECT count(*) FROM ${name})::DOUBLE, table_points::DOUBLE FROM meta`;
  const [points, full] = await readNumbers(connection, sql);
  return points! > MAX_FULLNESS * full!;
}

async function rewrite(connection: DuckDBConnection, table: PointTable, order: string): Promise<void> {
  const { name } = table;
  const borders = (await isTooLarge(connection, table)) ? await readBorders(connection, table) : [];
  for (const [i, border] of borders.entries()) {
    const range = { first: border, last: (borders[i + 1] ?? END) - 1 };
    const created = await createPointTable(connection, border);
    await connection.run(
      `INSERT INTO ${created.name} FROM ${name} WHERE ${inRange('series', range)} ${order}`,
    );
  }
  const kept = `series < ${borders[0] ?? END}`;
  await connection.run(`CREATE OR REPLACE TABLE ${name} AS FROM ${name} WHERE ${kept} ${order}`);
  if (borders.length > 0) await connection.run(pointView(await readPointTables(connection)));
}

/** Above every handle. */
const END = 2_147_483_647;

/** The handles at which a table is cut into full ones. */
async function readBorders(connection: DuckDBConnection, { first }: PointTable): Promise<number[]> {
  const next = (await readPointTables(connection)).find((other) => other.first > first)?.first ?? END;
  const sql = `
    WITH placed AS (
      SELECT handle, ((sum(point_count) OVER (ORDER BY handle) - point_count) // ${await readTablePoints(connection)}) AS part
      FROM series WHERE handle >= ${first} AND handle < ${next})
    SELECT min(handle) FROM placed WHERE part > 0 GROUP BY part ORDER BY ALL`;
  return (await connection.runAndReadAll(sql)).getRows().map(([handle]) => handle as number);
}
