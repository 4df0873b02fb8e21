import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { turns } from '../../turns.js';

/** A range of series numbers or handles. Both ends are inclusive. */
export interface SeriesRange {
  readonly first: number;
  readonly last: number;
}

export const inRange = (column: string, { first, last }: SeriesRange): string =>
  `${column} BETWEEN ${first} AND ${last}`;

export interface PlannedRange extends SeriesRange {
  readonly rows: number;
}

/** Maximum number of rows that are processed together. It limits an import's memory. */
const RANGE_ROWS = 2_000_000;

/**
 * Divides series into ranges of at most `RANGE_ROWS` rows. A series with more rows is a separate range.
 * @param counts the SQL query for all series in ascending order, each with its number of rows
 * @param border a series at which a new range must begin
 */
export async function planRanges(
  connection: DuckDBConnection,
  counts: string,
  border = Number.POSITIVE_INFINITY,
): Promise<PlannedRange[]> {
  const ranges: PlannedRange[] = [];
  for await (const counted of rowsInTurns<[number, number]>(connection, counts)) {
    for (const [series, rows] of counted) {
      const last = ranges.at(-1);
      const isApart = last === undefined || (last.last < border && series >= border);
      if (isApart || last.rows + rows > RANGE_ROWS) ranges.push({ first: series, last: series, rows });
      else ranges[ranges.length - 1] = { first: last.first, last: series, rows: last.rows + rows };
    }
  }
  return ranges;
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
export async function readNumbers(
  connection: DuckDBConnection,
  ...statements: readonly string[]
): Promise<number[]> {
  const [row] = await (await runAll(connection, statements)).getRows();
  return row as number[];
}
