import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { parseTime } from '../../src/model/time.js';
import { TABLE_POINTS } from '../../src/store/duckdb/point-tables.js';
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

/** Which tables a store has, and of how many points. */
const LAYOUT = `v${SCHEMA_VERSION}-${TABLE_POINTS / 1_000_000}m`;

/** The file of a store of daily points, made once for each layout and kept in the system's temporary folder. */
export async function dailyStore(shape: StoreShape): Promise<string> {
  const file = fileOf(`weather-${LAYOUT}`, shape);
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

/** Several imports build a large store: one that was stopped goes on with the series that it lacks. */
async function buildStore(file: string, shape: StoreShape): Promise<void> {
  const isLarge = shape.series > SERIES_AN_IMPORT;
  const building = `${file}.building${isLarge ? '' : `-${process.pid}`}`;
  mkdirSync(FOLDER, { recursive: true });
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  try {
    for (let done = 0; done < shape.series; ) {
      done = await importMore(building, shape);
      if (isLarge) console.log(`  ${done} of ${shape.series} series after ${seconds()} s`);
    }
    renameSync(building, file);
  } finally {
    const left = isLarge ? [] : ['', '.wal', '.tmp'];
    for (const ending of left) rmSync(building + ending, { recursive: true, force: true });
  }
  console.log(`built ${file} in ${seconds()} s`);
}

/** Imports the next series. @returns how many the store then has */
async function importMore(building: string, shape: StoreShape): Promise<number> {
  const store = await openStore(building);
  try {
    const points = [...(await store.pointCounts('metrics')).values()].reduce((sum, count) => sum + count, 0);
    const first = Math.round(points / shape.days);
    const end = Math.min(shape.series, first + SERIES_AN_IMPORT);
    await importDataset(store, syntheticWeather(shape, [first, end]), { importedMs: IMPORTED });
    return end;
  } finally {
    await store.close();
  }
}
