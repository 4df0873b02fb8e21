import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { turns } from '../../turns.js';

/** Numbers of series, or their handles, from `first` to `last`, both included. */
export interface SeriesRange {
  readonly first: number;
  readonly last: number;
}

/** Writes the condition that a column is in a range. */
export const inRange = (column: string, { first, last }: SeriesRange): string =>
  `${column} BETWEEN ${first} AND ${last}`;

/** A range with the number of its rows. */
export interface PlannedRange extends SeriesRange {
  readonly rows: number;
}

/** Rows that are worked on together: this bounds the memory of an import. */
const RANGE_ROWS = 2_000_000;

/**
 * Ranges with at most `RANGE_ROWS` rows each, except where one series has more.
 * @param counts the query of all series in ascending order, each with its number of rows
 * @param border the first number of the second of two groups of series, which share no range
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

/** Runs statements as one text: each text takes longer to hand over than most of them to run. @returns the result of the last */
export function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<DuckDBResult> {
  return connection.run(statements.join(';\n'));
}

/** Yields the rows of a query in batches: there may be a million, and other work has its turn in between. */
export async function* rowsInTurns<Row>(connection: DuckDBConnection, sql: string): AsyncGenerator<Row[]> {
  for await (const rows of (await connection.run(sql)).yieldRows()) {
    await turns.next();
    yield rows as Row[];
  }
}

/** Reads the numbers of the only row of a query, which may follow other statements. */
export async function readNumbers(
  connection: DuckDBConnection,
  ...statements: readonly string[]
): Promise<number[]> {
  const [row] = await (await runAll(connection, statements)).getRows();
  return row as number[];
}
