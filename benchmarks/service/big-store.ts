import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { foundation } from '../../src/ingest/foundation.js';
import { type Importer, importDataset } from '../../src/ingest/importer.js';
import { SOURCES } from '../../src/ingest/vocabulary/sources.js';
import type { PointColumns } from '../../src/model/point.js';
import type { SeriesKey } from '../../src/model/series.js';
import { DAY_MS, parseTime } from '../../src/model/time.js';
import { openStore } from '../../src/store/open.js';
import type { NewEntity, Store } from '../../src/store/store.js';

export const SERIES = 10_000;
export const POINTS_A_SERIES = 2_000;

const FILE = join(tmpdir(), 'cropframe-benchmarks', `daily-${SERIES}x${POINTS_A_SERIES}.duckdb`);
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

/** A store of 20 million daily points, made once and kept in the system's temporary folder. */
export async function openBigStore(): Promise<Store> {
  if (!existsSync(FILE)) await buildBigStore();
  return openStore(FILE, { readOnly: true });
}

async function buildBigStore(): Promise<void> {
  const building = `${FILE}.building`;
  mkdirSync(dirname(FILE), { recursive: true });
  rmSync(building, { force: true });
  rmSync(`${building}.wal`, { force: true });
  const started = performance.now();
  const store = await openStore(building);
  await importDataset(store, syntheticWeather, { importedMs: parseTime('2021-01-01', 'import') });
  await store.close();
  renameSync(building, FILE);
  console.log(`built ${FILE} in ${Math.round((performance.now() - started) / 1000)} s`);
}

const syntheticWeather: Importer = {
  dataset: 'synthetic weather',
  summary: 'random walks',
  needsFiles: false,
  async *read() {
    yield* foundation([SOURCES.vegaWeather]);
    yield {
      entities: { regions: Array.from({ length: SERIES / 2 }, (_, i) => syntheticRegion(100_000 + i)) },
    };
    for (let first = 0; first < SERIES; first += SERIES_A_BATCH) {
      const series = Array.from({ length: SERIES_A_BATCH }, (_, i) => keyOf(first + i));
      yield { points: { series, columns: randomWalks(first) } };
    }
  },
};

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

function randomWalks(seed: number): PointColumns & { available_date: BigInt64Array } {
  const length = SERIES_A_BATCH * POINTS_A_SERIES;
  const start_date = new BigInt64Array(length);
  const value = new Float64Array(length);
  let state = seed * 2_654_435_761 + 12_345;
  for (let row = 0; row < length; row += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    start_date[row] = BigInt(FIRST_DAY + (row % POINTS_A_SERIES) * DAY_MS);
    value[row] = Math.round((state / 2 ** 31) * 300) / 10;
  }
  return {
    length,
    series: Uint32Array.from({ length }, (_, row) => Math.floor(row / POINTS_A_SERIES)),
    start_date,
    end_date: start_date,
    value,
    valueValid: null,
    unit_id: new Int32Array(length).fill(1),
    reporting_date: new BigInt64Array(length),
    reportingValid: new Uint8Array((length + 7) >> 3),
    available_date: new BigInt64Array(length).fill(BigInt(parseTime('2021-01-01', 'import'))),
  };
}
