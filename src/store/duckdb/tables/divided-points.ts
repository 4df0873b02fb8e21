import type { DuckDBConnection } from '@duckdb/node-api';
import { FIRST_TABLE, PACKED_DDL, type PointTable, pointView, READ_POINT_TABLES } from '../point-tables.js';
import { type PlannedRange, RANGE_ROWS, readNumber } from '../writing/ranges.js';

/** The tables of latest vintages, by ascending handle. */
export async function readPointTables(connection: DuckDBConnection): Promise<PointTable[]> {
  return (await connection.runAndReadAll(READ_POINT_TABLES)).getRowObjects() as unknown as PointTable[];
}

/** Creates an empty table for the series from a handle on. The view of all tables is not renewed yet. */
export async function createPointTable(connection: DuckDBConnection, first: number): Promise<PointTable> {
  const table = { name: `${FIRST_TABLE.name}_${first}`, first };
  await connection.run(`CREATE TABLE ${table.name} ${PACKED_DDL}`);
  await connection.run(`INSERT INTO point_table VALUES ('${table.name}', ${first}, 0)`);
  return table;
}

/** So many points a table of this store holds before further series get another one. */
export function readTablePoints(connection: DuckDBConnection): Promise<number> {
  return readNumber(connection, 'SELECT table_points::DOUBLE FROM meta');
}

/** The tables that an import adds its points to. */
export class DividedPoints {
  readonly #connection: DuckDBConnection;
  readonly #tables: PointTable[];
  readonly #maxPoints: number;
  /** Points of the last table. */
  #points: number;

  private constructor(
    connection: DuckDBConnection,
    { tables, points, maxPoints }: { tables: PointTable[]; points: number; maxPoints: number },
  ) {
    this.#connection = connection;
    this.#tables = tables;
    this.#points = points;
    this.#maxPoints = maxPoints;
  }

  static async read(connection: DuckDBConnection): Promise<DividedPoints> {
    const tables = await readPointTables(connection);
    const points = await readNumber(connection, `SELECT count(*)::DOUBLE FROM ${tables.at(-1)!.name}`);
    const maxPoints = await readTablePoints(connection);
    return new DividedPoints(connection, { tables, points, maxPoints });
  }

  /**
   * How ranges of series are planned: each has one table, and fits into a new one.
   * @param newFrom the first handle of new series, which are apart from others
   */
  ranges(newFrom: number): { borders: number[]; maxRows: number } {
    const borders = [...this.#tables.map(({ first }) => first), newFrom];
    return { borders, maxRows: Math.min(RANGE_ROWS, this.#maxPoints) };
  }

  /** The table for a range of series. Series that are all new get a new one when the last table is full. */
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
