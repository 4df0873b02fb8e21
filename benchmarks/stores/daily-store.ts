import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { parseTime } from '../../src/model/time.js';
import { SCHEMA_VERSION } from '../../src/store/duckdb/schema.js';
import { openStore } from '../../src/store/open.js';
import { type StoreShape, syntheticWeather } from './synthetic-weather.js';

export const POINTS_A_SERIES = 2_000;

/** A store with this many series of 2,000 days, none missing. */
export const wholeStore = (series: number): StoreShape => ({ series, days: POINTS_A_SERIES, share: 1 });

/** Ten thousand series: 20 million points. */
export const WHOLE: StoreShape = wholeStore(10_000);

const FOLDER = join(tmpdir(), 'cropframe-benchmarks');
const IMPORTED = parseTime('2021-01-01', 'import');
/** An import is one transaction, so that a large store is made by several: 20 million points each. */
const SERIES_AN_IMPORT = 10_000;

/** The file of a store of daily points, made once and kept in the system's temporary folder. */
export async function dailyStore(shape: StoreShape): Promise<string> {
  const file = fileOf(`weather-v${SCHEMA_VERSION}`, shape);
  if (!existsSync(file)) await buildStore(file, shape);
  return file;
}

/** A file of the benchmarks for points of this shape. */
export function fileOf(kind: string, { series, days, share }: StoreShape): string {
  const gaps = share === 1 ? '' : `-${share}`;
  return join(FOLDER, `${kind}-${series}x${days}${gaps}.duckdb`);
}

/** What a store takes on disk, its write-ahead log included. */
export function storeBytes(file: string): number {
  const log = `${file}.wal`;
  return statSync(file).size + (existsSync(log) ? statSync(log).size : 0);
}

async function buildStore(file: string, shape: StoreShape): Promise<void> {
  const building = `${file}.building-${process.pid}`;
  mkdirSync(FOLDER, { recursive: true });
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  try {
    for (let first = 0; first < shape.series; first += SERIES_AN_IMPORT) {
      const end = Math.min(shape.series, first + SERIES_AN_IMPORT);
      const store = await openStore(building);
      await importDataset(store, syntheticWeather(shape, [first, end]), { importedMs: IMPORTED });
      await store.close();
      if (end < shape.series) console.log(`  ${end} of ${shape.series} series after ${seconds()} s`);
    }
    renameSync(building, file);
  } finally {
    for (const left of ['', '.wal', '.tmp']) rmSync(building + left, { recursive: true, force: true });
  }
  console.log(`built ${file} in ${seconds()} s`);
}
