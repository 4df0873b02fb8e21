import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bitmapBytes } from '../../src/columns/bitmap.js';
import type { PointColumns } from '../../src/columns/point-columns.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { SOURCES } from '../../src/ingest/vocabulary/sources.js';
import type { SeriesKey } from '../../src/model/series.js';
import { DAY_MS, parseTime } from '../../src/model/time.js';
import { SCHEMA_VERSION } from '../../src/store/duckdb/schema.js';
import { openStore } from '../../src/store/open.js';
import type { NewEntity, Store } from '../../src/store/store.js';

export const SERIES = 10_000;
export const POINTS_A_SERIES = 2_000;

/** How many series a store has, over how many days, and on which share of those they have a point. */
export interface StoreShape {
  readonly series: number;
  readonly days: number;
  readonly share: number;
}

/** Ten thousand series of two thousand days, none missing. */
export const WHOLE: StoreShape = { series: SERIES, days: POINTS_A_SERIES, share: 1 };

const FOLDER = join(tmpdir(), 'cropframe-benchmarks');
const FIRST_DAY = parseTime('2015-01-01', 'first day');
const SERIES_A_BATCH = 50;

/** Series `i` of the store: 5,000 regions with two items each. */
export function keyOf(i: number): SeriesKey {
  return {
    metric_id: 2,
    item_id: 2 + (i % 2),
    region_id: 100_000 + (i >> 1),
    partner_region_id: 0,
    source_id: SOURCES.vegaWeather.id,
    frequency_id: 1,
  };
}

/** A store of daily points (20 million by default), made once and kept in the system's temporary folder. */
export async function openBigStore(shape: StoreShape = WHOLE): Promise<Store> {
  const { series, days, share } = shape;
  const gaps = share === 1 ? '' : `-${share}`;
  const file = join(FOLDER, `daily-${series}x${days}${gaps}-v${SCHEMA_VERSION}.duckdb`);
  if (!existsSync(file)) await buildBigStore(file, shape);
  return openStore(file, { readOnly: true });
}

async function buildBigStore(file: string, shape: StoreShape): Promise<void> {
  const building = `${file}.building`;
  mkdirSync(FOLDER, { recursive: true });
  rmSync(building, { force: true });
  rmSync(`${building}.wal`, { force: true });
  const started = performance.now();
  const store = await openStore(building);
  await importDataset(store, syntheticWeather(shape), { importedMs: parseTime('2021-01-01', 'import') });
  await store.close();
  renameSync(building, file);
  console.log(`built ${file} in ${Math.round((performance.now() - started) / 1000)} s`);
}

const syntheticWeather = (shape: StoreShape): Importer => ({
  dataset: 'synthetic weather',
  summary: 'random walks',
  needsFiles: false,
  async *read() {
    yield* readReferenceData([SOURCES.vegaWeather]);
    yield {
      entities: { regions: Array.from({ length: shape.series / 2 }, (_, i) => syntheticRegion(100_000 + i)) },
    };
    for (let first = 0; first < shape.series; first += SERIES_A_BATCH) {
      const series = Array.from({ length: SERIES_A_BATCH }, (_, i) => keyOf(first + i));
      yield { points: { series, columns: randomWalks(first, shape) } };
    }
  },
});

function syntheticRegion(id: number): NewEntity<'regions'> {
  const name = `Synthetic region ${id}`;
  return {
    id,
    name,
    definition: '',
    belongsTo: [0],
    level: 8,
    latitude: null,
    longitude: null,
    historical: false,
  };
}

function randomWalks(
  seed: number,
  { days, share }: StoreShape,
): PointColumns & { available_date: BigInt64Array } {
  const series: number[] = [];
  const dates: bigint[] = [];
  const values: number[] = [];
  let state = seed * 2_654_435_761 + 12_345;
  for (let row = 0; row < SERIES_A_BATCH * days; row++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    if (Math.abs(state) / 2 ** 31 > share) continue;
    series.push(Math.floor(row / days));
    dates.push(BigInt(FIRST_DAY + (row % days) * DAY_MS));
    values.push(Math.round((state / 2 ** 31) * 300) / 10);
  }
  const { length } = series;
  const start_date = BigInt64Array.from(dates);
  return {
    length,
    series: Uint32Array.from(series),
    start_date,
    end_date: start_date,
    value: Float64Array.from(values),
    value_valid: null,
    unit_id: new Int32Array(length).fill(1),
    reporting_date: new BigInt64Array(length),
    reporting_valid: new Uint8Array(bitmapBytes(length)),
    available_date: new BigInt64Array(length).fill(BigInt(parseTime('2021-01-01', 'import'))),
  };
}
