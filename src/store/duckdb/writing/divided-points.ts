import type { DuckDBConnection } from '@duckdb/node-api';
import {
  FIRST_TABLE,
  HISTORY_TABLE,
  PACKED_DDL,
  PACKED_PERIOD,
  type PointTable,
  pointView,
  READ_POINT_TABLES,
} from '../point-tables.js';
import { inRange, type PlannedRange, RANGE_ROWS, readNumbers, runAll } from './ranges.js';

/** Reads the list of tables of latest vintages, by ascending handle. */
export async function readPointTables(connection: DuckDBConnection): Promise<PointTable[]> {
  return (await connection.runAndReadAll(READ_POINT_TABLES)).getRowObjects() as unknown as PointTable[];
}

/** Creates an empty table for the series from a handle on. The view of all tables is not renewed yet. */
async function createPointTable(connection: DuckDBConnection, first: number): Promise<PointTable> {
  const table = { name: `${FIRST_TABLE.name}_${first}`, first };
  await runAll(connection, [
    `CREATE TABLE ${table.name} ${PACKED_DDL}`,
    `INSERT INTO point_table VALUES ('${table.name}', ${first}, 0)`,
  ]);
  return table;
}

/** Returns the number of points in a table, and the number at which further series get a new table. */
const sizesOf = ({ name }: PointTable): string =>
  `SELECT (SELECT count(*) FROM ${name})::DOUBLE, table_points::DOUBLE FROM meta`;

/** The tables that an import adds its points to. */
export class DividedPoints {
  readonly #connection: DuckDBConnection;
  readonly #tables: PointTable[];
  readonly #maxPoints: number;
  /** Points of the last table. */
  #points: number;

  private constructor(connection: DuckDBConnection, tables: PointTable[], [points, full]: readonly number[]) {
    this.#connection = connection;
    this.#tables = tables;
    this.#points = points!;
    this.#maxPoints = full!;
  }

  static async read(connection: DuckDBConnection): Promise<DividedPoints> {
    const tables = await readPointTables(connection);
    return new DividedPoints(connection, tables, await readNumbers(connection, sizesOf(tables.at(-1)!)));
  }

  /**
   * Plans ranges of series: each belongs to one table, and fits into a new one.
   * @param newFrom the first handle of new series, which are apart from others
   */
  ranges(newFrom: number): { borders: number[]; maxRows: number } {
    const borders = [...this.#tables.map(({ first }) => first), newFrom];
    return { borders, maxRows: Math.min(RANGE_ROWS, this.#maxPoints) };
  }

  /** Chooses the table for a range of series. Series that are all new get a new table if the last one is full. */
  async tableOf(range: PlannedRange, { areNew }: { areNew: boolean }): Promise<PointTable> {
    const last = this.#tables.at(-1)!;
    if (range.first < last.first) return this.#tables.findLast(({ first }) => first <= range.first)!;
    const isFull = this.#points > 0 && this.#points + range.rows > this.#maxPoints;
    if (!areNew || !isFull) {
      this.#points += range.rows;
      return last;
    }
    const table = await createPointTable(this.#connection, range.first);
    this.#tables.push(table);
    await this.#connection.run(pointView(this.#tables));
    this.#points = range.rows;
    return table;
  }
}

/** Rewrites a table as the sorted result of a query. A new table is filled, because CREATE TABLE AS drops NOT NULL. */
const rewriteSql = (table: string, sortedRows: string): string[] => [
  `CREATE TABLE ${table}_sorted ${PACKED_DDL}`,
  `INSERT INTO ${table}_sorted ${sortedRows}`,
  `DROP TABLE ${table}`,
  `ALTER TABLE ${table}_sorted RENAME TO ${table}`,
];

/** Rewrites the table of all vintages but the latest in the order of `PointColumns`. */
export const SORT_HISTORY = rewriteSql(
  HISTORY_TABLE,
  `FROM ${HISTORY_TABLE} ORDER BY ${PACKED_PERIOD}, reporting_date, available_date`,
);

/** A table with this many times the points of a full one is divided: its series were given more and more points. */
const MAX_FULLNESS = 2;

/** Rewrites a table in the order of `PointColumns`, divided if it has become too large. */
export async function sortTable(connection: DuckDBConnection, table: PointTable): Promise<void> {
  const { name } = table;
  const [points, full] = await readNumbers(connection, sizesOf(table));
  const borders = points! > MAX_FULLNESS * full! ? await readBorders(connection, table, full!) : [];
  const order = `ORDER BY ${PACKED_PERIOD}`;
  for (const [i, border] of borders.entries()) {
    const range = { first: border, last: (borders[i + 1] ?? END) - 1 };
    const created = await createPointTable(connection, border);
    await connection.run(
      `INSERT INTO ${created.name} FROM ${name} WHERE ${inRange('series', range)} ${order}`,
    );
  }
  const kept = `series < ${borders[0] ?? END}`;
  await runAll(connection, rewriteSql(name, `FROM ${name} WHERE ${kept} ${order}`));
  if (borders.length > 0) await connection.run(pointView(await readPointTables(connection)));
  await connection.run(`UPDATE point_table SET unsorted_points = 0 WHERE name = '${name}'`);
}

/** Above every handle. */
const END = 2_147_483_647;

/** Reads the handles at which a table is cut into full ones. */
async function readBorders(
  connection: DuckDBConnection,
  { first }: PointTable,
  full: number,
): Promise<number[]> {
  const next = (await readPointTables(connection)).find((other) => other.first > first)?.first ?? END;
  const sql = `
    WITH placed AS (
      SELECT handle, ((sum(point_count) OVER (ORDER BY handle) - point_count) // ${full}) AS part
      FROM series WHERE handle >= ${first} AND handle < ${next})
    SELECT min(handle) FROM placed WHERE part > 0 GROUP BY part ORDER BY ALL`;
  return (await connection.runAndReadAll(sql)).getRows().map(([handle]) => handle as number);
}
