import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPolygons } from '../src/compute/polygons.js';
import { DuckDBInstance } from '../src/store/duckdb/engine/library.js';
import type { NewShape, ShapeDetail } from '../src/store/store.js';
import { readAtlases } from './atlas.js';
import {
  continentRegions,
  countryRegions,
  formerAreaRegions,
  formerCountryRegions,
  WORLD,
} from './countries.js';
import { subdivisionRegions } from './subdivisions.js';
import { withUniqueNames } from './unique-names.js';
import { SAME_LAND, usCountyRegions, usStateRegions } from './united-states.js';

/**
 * Builds `dist/regions.parquet`: the world, continents, countries (including former ones), US states and counties, and the
 * subdivisions of ISO 3166-2 elsewhere, parents before children, each with its centre, its shape in both details, and the box around it. The
 * version of the file is a checksum of its content.
 */
async function buildRegions(folder: string): Promise<void> {
  const atlases = await readAtlases();
  const { countries, states, counties } = atlases;
  const regions = withUniqueNames([
    WORLD,
    ...continentRegions(),
    ...countryRegions(countries),
    ...formerCountryRegions(countries),
    ...formerAreaRegions(countries),
    ...usStateRegions(states),
    ...subdivisionRegions(),
    ...usCountyRegions(counties, states),
  ]);
  const shapes = distinctShapes(atlases.shapes());
  const shapeOf = (id: number, detail: ShapeDetail) =>
    shapes.get(`${SAME_LAND.get(id) ?? id} ${detail}`) ?? null;
  const lines = regions.map(({ belongsTo, ...region }) =>
    JSON.stringify({
      ...region,
      belongs_to: belongsTo,
      simple_shape: shapeOf(region.id, 'simple'),
      full_shape: shapeOf(region.id, 'full'),
      box: boxOf(shapeOf(region.id, 'full')),
    }),
  );
  const text = lines.join('\n');
  mkdirSync(folder, { recursive: true });
  await writeParquet(`${folder}/regions.parquet`, text);
}

const boxOf = (shape: string | null) => (shape === null ? null : readPolygons(shape).box);

/** Both atlases have the US territories: the later shape, which is finer, is used. */
function distinctShapes(shapes: Iterable<NewShape>): ReadonlyMap<string, string> {
  const distinct = new Map<string, string>();
  for (const { region_id, detail, geojson } of shapes) distinct.set(`${region_id} ${detail}`, geojson);
  return distinct;
}

const COLUMNS = `{id: 'INTEGER', name: 'VARCHAR', definition: 'VARCHAR', level: 'INTEGER', belongs_to: 'INTEGER[]',
  latitude: 'DOUBLE', longitude: 'DOUBLE', historical: 'BOOLEAN', aliases: 'VARCHAR[]', simple_shape: 'VARCHAR',
  full_shape: 'VARCHAR', box: 'DOUBLE[]'}`;

/** One thread keeps the order of the lines. */
async function writeParquet(path: string, text: string): Promise<void> {
  const lines = `${path}.ndjson`;
  const version = createHash('sha256').update(text).digest('hex');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    writeFileSync(lines, text);
    await connection.run(
      `COPY (FROM read_json('${lines}', format = 'newline_delimited', columns = ${COLUMNS}))
        TO '${path}' (FORMAT parquet, COMPRESSION zstd, KV_METADATA {version: '${version}'})`,
    );
  } finally {
    rmSync(lines, { force: true });
    connection.disconnectSync();
    instance.closeSync();
  }
}

await buildRegions(fileURLToPath(new URL('../dist', import.meta.url)));
