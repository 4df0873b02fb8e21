import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '../../store/duckdb/engine/library.js';
import type { NewEntity, NewShape, ShapeDetail } from '../../store/store.js';
import { mapInTurns } from '../../store/turns.js';

/**
 * The regions that every store has: the world, continents, countries (including former ones), US states and counties, and
 * the subdivisions of ISO 3166-2 elsewhere.
 */
export interface RegionTree {
  /** Parents before children. */
  readonly regions: readonly NewEntity<'regions'>[];
  readonly byId: ReadonlyMap<number, NewEntity<'regions'>>;
  /** A checksum of the regions and their shapes. */
  readonly version: string;
}

let tree: Promise<RegionTree> | undefined;

/** The regions of the package's file, which is read once per process. */
export function loadRegionTree(): Promise<RegionTree> {
  tree ??= readTree();
  return tree;
}

async function readTree(): Promise<RegionTree> {
  const [regions, [version]] = await Promise.all([
    readJson<NewEntity<'regions'>>(
      (file) => `SELECT id, name, definition, level, belongs_to AS "belongsTo", latitude,
      longitude, historical, aliases FROM ${file}`,
    ),
    readJson<{ value: string }>((file) => `SELECT decode(value) AS value FROM parquet_kv_metadata(${file})`),
  ]);
  return { regions, byId: new Map(regions.map((region) => [region.id, region])), version: version!.value };
}

/** The shapes of the regions that have any. They are read again each time, so as not to stay in memory. */
export async function readShapes(detail: ShapeDetail): Promise<NewShape[]> {
  return readJson(
    (file) => `SELECT id AS region_id, '${detail}' AS detail, ${detail}_shape AS geojson FROM ${file}
      WHERE ${detail}_shape IS NOT NULL`,
  );
}

/** The rows of a query about the package's file. JSON takes a quarter of the time of the engine's own objects. */
async function readJson<Row>(query: (file: string) => string): Promise<Row[]> {
  const file = join(dirname(createRequire(import.meta.url).resolve('cropframe/package.json')), BUILT);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    const sql = `SELECT to_json(t)::VARCHAR FROM (${query(`'${escapePattern(file)}'`)}) AS t`;
    const result = await connection.runAndReadAll(sql);
    connection.disconnectSync();
    const texts = (result.getColumns()[0] ?? []) as string[];
    return await mapInTurns(texts, (text) => JSON.parse(text) as Row);
  } finally {
    instance.closeSync();
  }
}

const BUILT = 'dist/regions.parquet';

/** The engine reads a path as a pattern. */
function escapePattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]').replaceAll("'", "''");
}
