import { existsSync, renameSync, rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { ROW_GROUP_SIZE } from '../../src/store/duckdb/schema.js';
import { dailyStore, fileOf } from './daily-store.js';
import type { StoreShape } from './synthetic-weather.js';

/**
 * The file of a database with the points of a store in one plain table, sorted by series and date, made once. The engine
 * reads it however the store lays out its points, so that the rival stays the same.
 */
export async function plainPoints(shape: StoreShape): Promise<string> {
  const file = fileOf('plain', shape);
  if (existsSync(file)) return file;
  const building = `${file}.building-${process.pid}`;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH '${await dailyStore(shape)}' AS store (READ_ONLY)`);
    await connection.run(`ATTACH '${building}' AS plain (ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`);
    await connection.run('USE store');
    await connection.run(`CREATE TABLE plain.point AS
      SELECT series, start_date, end_date, value, unit_id, reporting_date FROM point ORDER BY series, start_date`);
    await connection.run('USE memory');
    await connection.run('DETACH plain');
    renameSync(building, file);
  } finally {
    connection.closeSync();
    instance.closeSync();
    for (const left of ['', '.wal', '.tmp']) rmSync(building + left, { recursive: true, force: true });
  }
  return file;
}
