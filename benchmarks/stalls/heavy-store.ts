import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import type { SeriesKey } from '../../src/model/series.js';
import { DAY_MS, parseTime } from '../../src/model/time.js';
import { SCHEMA_VERSION } from '../../src/store/duckdb/schema.js';
import { openStore } from '../../src/store/open.js';
import { NewPointsBuilder } from '../../test/new-points.js';

const FOLDER = join(tmpdir(), 'cropframe-attack');

/** Above the ids of all real entities. */
export const FIRST_ID = 2_000_000_000;
export const REGIONS = 20_000;
export const ITEMS = 10;
/** Regions of the wide store. */
const WIDE_REGIONS = 105_000;
/** Days of the daily series, of item 0 in the first regions. */
export const DAYS = 36_525;
export const DAILY_SERIES = 40;
/** Vintages of each day of the series with a history. */
const VINTAGES = 30;
const HISTORY_DAYS = 20_000;
const FIRST_DAY = parseTime('1920-01-01', 'first day');

const AREA = 2;
const SOURCE = 22;
const [DAILY, ANNUAL] = [1, 9];

export const annualKey = (item: number, region: number): SeriesKey => ({
  metric_id: AREA,
  item_id: FIRST_ID + item,
  region_id: FIRST_ID + region,
  partner_region_id: 0,
  source_id: SOURCE,
  frequency_id: ANNUAL,
});
export const dailyKey = (region: number): SeriesKey => ({ ...annualKey(0, region), frequency_id: DAILY });
/** A series as a request names it. */
export const selectionOf = ({ metric_id, item_id, region_id, source_id, frequency_id }: SeriesKey) => ({
  metricId: metric_id,
  itemId: item_id,
  regionId: region_id,
  sourceId: source_id,
  frequencyId: frequency_id,
});
/** A series with 30 vintages of each of 20,000 days, each with a remark. */
export const HISTORY_KEY: SeriesKey = dailyKey(REGIONS - 1);

/**
 * The file of a store whose every endpoint has much to answer: the demo data; 20,000 stations with 10 annual series each;
 * daily series of a century; a series with 600,000 vintages and remarks. It is made once.
 */
export function heavyStore(): Promise<string> {
  return makeOnce('heavy', heavy);
}

/** The file of a store with a series in each of 105,000 regions, beside the demo data. It is made once. */
export function wideStore(): Promise<string> {
  return makeOnce('wide', wide);
}

async function makeOnce(name: string, importer: Importer): Promise<string> {
  const file = join(FOLDER, `${name}-v${SCHEMA_VERSION}.duckdb`);
  if (existsSync(file)) return file;
  mkdirSync(FOLDER, { recursive: true });
  const building = `${file}.building-${process.pid}`;
  const store = await openStore(building);
  await importDataset(store, documentImporter('demo'));
  await importDataset(store, importer, { importedMs: parseTime('2021-01-01', 'import') });
  await store.close();
  renameSync(building, file);
  return file;
}

const heavy: Importer = {
  dataset: 'heavy',
  summary: 'much of everything',
  needsFiles: false,
  async *read() {
    yield { entities: { items: named(ITEMS, item), regions: named(REGIONS, station) } };
    for (let i = 0; i < ITEMS; i++) yield { points: annual(i) };
    for (let region = 0; region < DAILY_SERIES; region++) yield { points: daily(region) };
    for (let day = 0; day < HISTORY_DAYS; day += 2_000) yield { points: history(day, day + 2_000) };
  },
};

const wide: Importer = {
  dataset: 'wide',
  summary: 'many regions',
  needsFiles: false,
  async *read() {
    yield { entities: { items: named(1, item), regions: named(WIDE_REGIONS, station) } };
    yield { points: annual(0, { regions: WIDE_REGIONS, years: [2020] }) };
  },
};

function named<Entity>(count: number, make: (i: number) => Entity): Entity[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const item = (i: number) => ({ id: FIRST_ID + i, name: `Attacked item ${i}`, definition: '', belongsTo: [] });

const station = (i: number) => ({
  id: FIRST_ID + i,
  name: `Attacked weather station ${i} near ${(i * 7919) % 9973}`,
  definition: '',
  belongsTo: [0],
  level: 9,
  latitude: -60 + ((i * 7) % 1300) / 10,
  longitude: -180 + ((i * 13) % 3600) / 10,
  historical: false,
});

function annual(item_: number, { regions = REGIONS, years = [2018, 2019, 2020] } = {}) {
  const points = new NewPointsBuilder();
  for (let region = 0; region < regions; region++)
    for (const year of years) points.add(annualKey(item_, region), figure(year, region));
  return points.take();
}

function figure(year: number, value: number) {
  const [startMs, endMs] = [`${year}-01-01`, `${year}-12-31`].map((day) => parseTime(day, 'day'));
  const availableMs = parseTime('2021-01-01', 'day');
  return { startMs: startMs!, endMs: endMs!, value, unitId: 1, reportingMs: null, availableMs };
}

function daily(region: number) {
  const points = new NewPointsBuilder();
  for (let day = 0; day < DAYS; day++) points.add(dailyKey(region), dayFigure(day, 0));
  return points.take();
}

function history(from: number, to: number) {
  const points = new NewPointsBuilder();
  for (let day = from; day < to; day++)
    for (let vintage = 0; vintage < VINTAGES; vintage++) {
      const metadata = `{"flag":"${vintage}","note":"as reported in week ${vintage} after the day"}`;
      points.add(HISTORY_KEY, { ...dayFigure(day, vintage), metadata });
    }
  return points.take();
}

function dayFigure(day: number, vintage: number) {
  const startMs = FIRST_DAY + day * DAY_MS;
  const reportingMs = startMs + (1 + 7 * vintage) * DAY_MS;
  const value = ((day * 31 + vintage) % 500) / 10;
  return { startMs, endMs: startMs, value, unitId: 1, reportingMs, availableMs: reportingMs + DAY_MS };
}
