import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isValid } from '../../src/columns/bitmap.js';
import type { PlainLong, PlainWide } from './plain-loops.js';
import type { PointBatches } from './points.js';

/** The points in DuckDB, one table a batch, and the series beside them. */
export interface DuckPoints {
  connection: DuckDBConnection;
  batches: number;
  close(): void;
}

export async function loadDuckDb({ series, batches }: PointBatches): Promise<DuckPoints> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  await connection.run(
    'CREATE TABLE series (series INTEGER, metric_id INTEGER, item_id INTEGER, region_id INTEGER, partner_region_id INTEGER, frequency_id INTEGER, source_id INTEGER)',
  );
  const keys = await connection.createAppender('series');
  series.forEach((key, position) => {
    const ids = [
      key.metric_id,
      key.item_id,
      key.region_id,
      key.partner_region_id,
      key.frequency_id,
      key.source_id,
    ];
    for (const id of [position, ...ids]) keys.appendInteger(id);
    keys.endRow();
  });
  keys.closeSync();
  for (const [at, batch] of batches.entries()) {
    await connection.run(
      `CREATE TABLE b${at} (series INTEGER, start_date BIGINT, end_date BIGINT, value DOUBLE, unit_id INTEGER, reporting_date BIGINT)`,
    );
    const rows = await connection.createAppender(`b${at}`);
    for (let i = 0; i < batch.length; i++) {
      rows.appendInteger(batch.series[i]!);
      rows.appendBigInt(batch.start_date[i]!);
      rows.appendBigInt(batch.end_date[i]!);
      if (isValid(batch.value_valid, i)) rows.appendDouble(batch.value[i]!);
      else rows.appendNull();
      rows.appendInteger(batch.unit_id[i]!);
      rows.appendNull();
      rows.endRow();
    }
    rows.closeSync();
  }
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, batches: batches.length, close };
}

const allBatches = ({ batches }: DuckPoints) =>
  Array.from({ length: batches }, (_, at) => `SELECT * FROM b${at}`).join(' UNION ALL ');

/** All batches with the ids of their series as one table, which stays in DuckDB. */
export async function concatenateInDuckDb(points: DuckPoints): Promise<void> {
  await points.connection.run(
    `CREATE OR REPLACE TABLE long AS SELECT p.start_date, p.end_date, p.value, p.unit_id, p.reporting_date, s.* FROM (${allBatches(points)}) p JOIN series s USING (series)`,
  );
}

/** One table of all points, to pivot from. */
export async function joinBatches(points: DuckPoints): Promise<void> {
  await points.connection.run(`CREATE TABLE points AS ${allBatches(points)}`);
}

/** The points pivoted to one column a series, which stays in DuckDB. */
export async function pivotInDuckDb({ connection }: DuckPoints): Promise<void> {
  await connection.run('DROP TABLE IF EXISTS wide');
  await connection.run(
    'CREATE TABLE wide AS PIVOT (SELECT series, end_date, value FROM points) ON series USING any_value(value) GROUP BY end_date ORDER BY end_date',
  );
}

/** What DuckDB holds as `long`, in frame order. */
export async function readLong({ connection }: DuckPoints): Promise<PlainLong> {
  const ids = ['metric_id', 'item_id', 'region_id', 'partner_region_id', 'frequency_id', 'source_id'];
  const result = await connection.runAndReadAll(
    `SELECT start_date, end_date, value, unit_id, ${ids.join(', ')} FROM long ORDER BY series, start_date`,
  );
  const columns = result.getColumns() as (bigint | number | null)[][];
  const value = columns[2] as (number | null)[];
  return {
    start: BigInt64Array.from(columns[0] as bigint[]),
    end: BigInt64Array.from(columns[1] as bigint[]),
    value: Float64Array.from(value, (each) => each ?? 0),
    hasValue: Uint8Array.from(value, (each) => (each === null ? 0 : 1)),
    unit: Int32Array.from(columns[3] as number[]),
    reporting: new BigInt64Array(value.length),
    ids: ids.map((_, at) => Int32Array.from(columns[4 + at] as number[])),
  };
}

/** What DuckDB holds as `wide`, its columns in the order of the series. */
export async function readWide({ connection }: DuckPoints, series: number): Promise<PlainWide> {
  const names = Array.from({ length: series }, (_, at) => `"${at}"`);
  const result = await connection.runAndReadAll(
    `SELECT end_date, ${names.join(', ')} FROM wide ORDER BY end_date`,
  );
  const [dates, ...columns] = result.getColumns() as [bigint[], ...(number | null)[][]];
  return {
    dates: Float64Array.from(dates, Number),
    columns: columns.map((column) => Float64Array.from(column, (value) => value ?? Number.NaN)),
  };
}
