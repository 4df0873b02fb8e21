import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { once } from '../../model/grouping.js';
import { DuckDBInstance } from '../../store/duckdb/engine/library.js';
import { quotePath } from '../../store/duckdb/engine/sql-values.js';
import type { NewEntity } from '../../store/store.js';
import { mapInTurns } from '../../store/turns.js';

/** The regions in every store: the world, continents, countries, US states and counties, and other subdivisions. */
export type RegionTree = Awaited<ReturnType<typeof readTree>>;

/** The path of the package's region file, which includes shapes. */
export const REGION_FILE = join(
  dirname(createRequire(import.meta.url).resolve('cropframe/package.json')),
  'dist/regions.parquet',
);

export const loadRegionTree = once(readTree);

/** Reads all regions, with parents before their children. */
async function readTree() {
  const regions = await readRegionFile<NewEntity<'regions'>>(
    'id, name, definition, level, belongs_to AS "belongsTo", latitude, longitude, historical, aliases',
  );
  return { regions, byId: new Map(regions.map((region) => [region.id, region])) };
}

/** Reads rows of the region file using SQL. JSON takes a quarter of the time that the engine's row objects take. */
export async function readRegionFile<Row>(columns: string, where = 'true'): Promise<Row[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    const sql = `SELECT to_json(t)::VARCHAR FROM (SELECT ${columns} FROM ${quotePath(REGION_FILE)} WHERE ${where}) AS t`;
    const result = await connection.runAndReadAll(sql);
    connection.disconnectSync();
    const texts = (result.getColumns()[0] ?? []) as string[];
    return await mapInTurns(texts, (text) => JSON.parse(text) as Row);
  } finally {
    instance.closeSync();
  }
}
