import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { turns } from '../../turns.js';
import { STAGING } from '../point-tables.js';

/** A range of series numbers or handles. Both ends are inclusive. */
export interface SeriesRange {
  readonly first: number;
  readonly last: number;
}

export const inRange = (column: string, { first, last }: SeriesRange): string =>
  `${column} BETWEEN ${first} AND ${last}`;

export type PlannedRange = SeriesRange & { readonly rows: number };

/** The approximate maximum number of rows that are processed together. It limits an import's memory. */
const RANGE_ROWS = 2_000_000;

/** Divides the handles of staged series into ascending ranges. No range has handles on both sides of `border`. */
export async function planRanges(connection: DuckDBConnection, border: number): Promise<PlannedRange[]> {
  const planned = await connection.runAndReadAll(`
    WITH counted AS (
      SELECT handle, sum(points) AS rows FROM ${STAGING}.staged_summary JOIN series_handle ON number = series
      GROUP BY handle)
    SELECT min(handle) AS first, max(handle) AS last, sum(rows)::DOUBLE AS rows
    FROM (SELECT *, (sum(rows) OVER (ORDER BY handle) - rows) // ${RANGE_ROWS} AS part FROM counted)
    GROUP BY handle >= ${border}, part ORDER BY first`);
  return planned.getRowObjects() as unknown as PlannedRange[];
}

/** Joins statements and runs them in one call, because a call takes longer than most of the statements. */
export function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<DuckDBResult> {
  return connection.run(statements.join(';\n'));
}

/** Yields a query's rows in batches, and lets other work run in between, because there may be a million rows. */
export async function* rowsInTurns<Row>(connection: DuckDBConnection, sql: string): AsyncGenerator<Row[]> {
  for await (const rows of (await connection.run(sql)).yieldRows()) {
    await turns.next();
    yield rows as Row[];
  }
}

/** Runs statements, and returns the numbers in the single row that the last statement returns. */
export async function readNumbers(connection: DuckDBConnection, ...statements: readonly string[]) {
  const [row] = await (await runAll(connection, statements)).getRows();
  return row as number[];
}
