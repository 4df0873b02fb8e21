import { DuckDBInstance } from '@duckdb/node-api';
import { serveTasks } from './child.js';

/** Series to be read from the plain table: each list is one query. */
export interface Scan {
  readonly plain: string;
  readonly queries: readonly (readonly number[])[];
  /** Connections that share the queries. */
  readonly readers: number;
}

/** Figures that differ when a value, or the day of a value, differs. */
export interface Print {
  readonly points: number;
  /** The sum of the values, in tenths. */
  readonly tenths: number;
  /** The sum of tenths × end date in days since 1970. */
  readonly dated: number;
}

const instance = await DuckDBInstance.create(':memory:');
const connections = await Promise.all(Array.from({ length: 64 }, () => instance.connect()));
let attached = false;

serveTasks(scan, printOf);

async function scan({ plain, queries, readers }: Scan): Promise<Scan> {
  if (!attached) await connections[0]!.run(`ATTACH '${plain}' AS plain (READ_ONLY)`);
  attached = true;
  const left = [...queries];
  await Promise.all(
    connections.slice(0, readers).map(async (connection) => {
      for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift()) {
        const result = await connection.stream(
          `SELECT start_date, end_date, value, unit_id, reporting_date FROM plain.point WHERE ${condition(wanted)}`,
        );
        for (;;) {
          const chunk = await result.fetchChunk();
          if (chunk === null || chunk.rowCount === 0) break;
          sum((chunk.getColumnVector(2) as unknown as { items: Float64Array }).items);
        }
      }
    }),
  );
  return { plain, queries, readers };
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let row = 0; row < values.length; row++) total += values[row]!;
  return total;
}

function condition(wanted: readonly number[]): string {
  const [first, last] = [wanted[0]!, wanted.at(-1)!];
  return last - first === wanted.length - 1 ? `series BETWEEN ${first} AND ${last}` : `series IN (${wanted})`;
}

async function printOf({ queries }: Scan): Promise<Print> {
  const reader = await connections[0]!.runAndReadAll(
    `SELECT count(*), sum(round(value * 10)), sum(round(value * 10) * (epoch_ms(end_date) // 86400000))
     FROM plain.point WHERE ${condition(queries.flat())}`,
  );
  const [points, tenths, dated] = reader.getRows()[0]!.map(Number);
  return { points: points!, tenths: tenths!, dated: dated! };
}
