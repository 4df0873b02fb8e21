import { isValid } from '../../../src/columns/bitmap.js';
import { unpackLists } from '../../../src/columns/packed-points.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import type { ImportCounts } from '../../../src/model/importing/outcome.js';
import type { SeriesKey } from '../../../src/model/series.js';
import type { PointPlan, StoredSeries } from '../../../src/store/plan.js';
import type { NewEntity, NewPoints, Store, StoreReader, StoreTransaction } from '../../../src/store/store.js';
import { columnsOf, type SeriesRow } from '../../columns/rows.js';

/** Opens an empty store for a test. */
export type OpenEmptyStore = () => Promise<Store>;

export const DAY = 86_400_000;
/** 1 January 2020. */
export const T0 = Date.UTC(2020, 0, 1);

const region = (
  id: number,
  level: number,
  belongsTo: number[],
  more: Partial<NewEntity<'regions'>> = {},
): NewEntity<'regions'> => ({
  id,
  name: `Region ${id}`,
  definition: '',
  belongsTo,
  level,
  latitude: null,
  longitude: null,
  historical: false,
  ...more,
});

/** Two continents. Country 21 is in both and contains province 211; 29 is a historical union of 21 and 22. */
export const REGIONS: readonly NewEntity<'regions'>[] = [
  region(0, 1, [], { name: 'World', aliases: ['Globe', 'Earth'] }),
  region(10, 2, [0]),
  region(11, 2, [0]),
  region(21, 3, [10, 11, 29], { latitude: 48.5, longitude: -31.25 }),
  region(22, 3, [11, 29]),
  region(29, 3, [10], { historical: true }),
  region(211, 4, [21]),
];

export const METRICS: readonly NewEntity<'metrics'>[] = [
  { id: 1, name: 'Production', definition: 'What is <b>harvested</b>', belongsTo: [] },
  { id: 2, name: 'Area', definition: '', belongsTo: [1], aliases: ['Acreage'] },
];

export const ITEMS: readonly NewEntity<'items'>[] = [
  { id: 1, name: 'Cereals', definition: '', belongsTo: [] },
  { id: 2, name: 'Corn', definition: '', belongsTo: [1], aliases: ['Maize'] },
  { id: 3, name: 'Wheat', definition: '', belongsTo: [1] },
];

export const SOURCES: readonly NewEntity<'sources'>[] = [
  {
    id: 1,
    name: 'NASS',
    longName: 'Statistics Service',
    licence: 'public',
    citation: 'cite',
    url: 'https://a.example',
  },
  { id: 2, name: 'PSD', longName: 'Supply', licence: 'public', citation: '', url: '' },
];

export const UNITS: readonly NewEntity<'units'>[] = [
  unit(1, 't', { factor: 1 }, 'mass'),
  unit(2, 'kg', { factor: 0.001 }, 'mass'),
  unit(3, 'ha', { factor: 1 }, 'area'),
  unit(4, '°F', { factor: 5 / 9, offset: -160 / 9 }, 'temperature'),
  unit(5, 'index', {}, 'mass'),
  unit(6, 'head', { factor: 1 }),
];

export function unit(
  id: number,
  abbreviation: string,
  baseConvFactor: NewEntity<'units'>['baseConvFactor'],
  dimension?: string,
): NewEntity<'units'> {
  const names = { id, name: abbreviation, namePlural: `${abbreviation}s`, abbreviation };
  return { ...names, baseConvFactor, ...(dimension !== undefined && { dimension }) };
}

export async function putSampleEntities(transaction: StoreTransaction): Promise<void> {
  await transaction.putEntities('units', UNITS);
  await transaction.putEntities('sources', SOURCES);
  await transaction.putEntities('metrics', METRICS);
  await transaction.putEntities('items', ITEMS);
  await transaction.putEntities('regions', REGIONS);
}

/** Annual corn production in region 21 from NASS, except for the given fields. */
export function key(fields: Partial<SeriesKey> = {}): SeriesKey {
  return {
    metric_id: 1,
    item_id: 2,
    region_id: 21,
    partner_region_id: 0,
    source_id: 1,
    frequency_id: 9,
    ...fields,
  };
}

/** A vintage in days: its period starts on `day` and ends `days` later; reported on `reported`, available on `available`. */
export interface Vintage {
  readonly of?: Partial<SeriesKey>;
  readonly day: number;
  readonly days?: number;
  readonly value: number | null;
  readonly unit?: number;
  readonly reported?: number | null;
  readonly available?: number;
  readonly metadata?: string | null;
}

export function newPoints(vintages: readonly Vintage[]): NewPoints {
  const numbers = new Map<string, number>();
  /** Fields that several vintages share. */
  const known = new Map<Vintage['of'], number>();
  const series: SeriesKey[] = [];
  const numberOf = (of: Vintage['of']): number => {
    const wanted = key(of);
    const text = JSON.stringify(wanted);
    const number = numbers.get(text) ?? series.push(wanted) - 1;
    numbers.set(text, number);
    known.set(of, number);
    return number;
  };
  const rows = vintages.map((vintage) => toRow(vintage, known.get(vintage.of) ?? numberOf(vintage.of)));
  const columns = columnsOf(rows);
  const available_date = columns.available_date ?? new BigInt64Array(columns.length);
  return { series, columns: { ...columns, available_date } };
}

function toRow(vintage: Vintage, series: number): SeriesRow {
  const { day, days = 0, value, unit = 1, reported = null, available = 100, metadata = null } = vintage;
  return {
    series,
    startMs: T0 + day * DAY,
    endMs: T0 + (day + days) * DAY,
    value,
    unitId: unit,
    reportingMs: reported === null ? null : T0 + reported * DAY,
    availableMs: T0 + available * DAY,
    metadata,
  };
}

/** Daily points of a series from day `from` on. NaN stands for none. */
export function dailyPoints(
  of: Partial<SeriesKey>,
  { days, from = 0, available = 100 }: { days: number; from?: number; available?: number },
  valueAt: (day: number) => number,
): NewPoints {
  const start_date = BigInt64Array.from({ length: days }, (_, i) => BigInt(T0 + (from + i) * DAY));
  const columns = {
    length: days,
    series: new Uint32Array(days),
    start_date,
    end_date: start_date,
    value: Float64Array.from({ length: days }, (_, i) => valueAt(from + i)),
    value_valid: null,
    unit_id: new Int32Array(days).fill(1),
    reporting_date: new BigInt64Array(days),
    reporting_valid: new Uint8Array(Math.ceil(days / 8)),
    available_date: new BigInt64Array(days).fill(BigInt(T0 + available * DAY)),
  };
  return { series: [key({ frequency_id: 1, ...of })], columns };
}

/** When imports take place that say nothing else. */
const IMPORTED_MS = Date.UTC(2023, 0, 1);

/** Imports the sample entities and some vintages. */
export async function importVintages(
  store: Store,
  vintages: readonly Vintage[],
  { entities = true, imported }: { entities?: boolean; imported?: number } = {},
): Promise<ImportCounts> {
  const transaction = await store.begin();
  if (entities) await putSampleEntities(transaction);
  if (vintages.length > 0) await transaction.putPoints(newPoints(vintages));
  const importedMs = imported === undefined ? IMPORTED_MS : T0 + imported * DAY;
  await transaction.record({ imported: { dataset: 'test', sourceIds: [], importedMs } });
  return transaction.commit();
}

export async function allSeries(store: StoreReader, selection = {}): Promise<StoredSeries[]> {
  const found: StoredSeries[] = [];
  for await (const batch of store.series({ selection })) found.push(...batch);
  return found;
}

export const EVERYTHING = {
  startMs: null,
  endMs: null,
  history: 'latest',
  atMs: null,
  sinceMs: null,
  withAvailableDate: true,
  withMetadata: true,
} as const satisfies Omit<PointPlan, 'series'>;

/** A point for comparisons, with times in days since 1 January 2020. */
export interface ReadRow {
  readonly series: number;
  readonly day: number;
  /** Days to the end of the period, unless that is its start. */
  readonly days?: number;
  readonly value: number | null;
  readonly unit: number;
  readonly reported: number | null;
  readonly available?: number;
  readonly metadata?: string | null;
}

export function rowsOf(columns: PointColumns): ReadRow[] {
  const day = (ms: bigint) => (Number(ms) - T0) / DAY;
  return Array.from({ length: columns.length }, (_, i) => ({
    series: columns.series[i]!,
    day: day(columns.start_date[i]!),
    ...(columns.end_date[i] !== columns.start_date[i] && {
      days: day(columns.end_date[i]!) - day(columns.start_date[i]!),
    }),
    value: isValid(columns.value_valid, i) ? columns.value[i]! : null,
    unit: columns.unit_id[i]!,
    reported: isValid(columns.reporting_valid, i) ? day(columns.reporting_date[i]!) : null,
    ...(columns.available_date && { available: day(columns.available_date[i]!) }),
    ...(columns.metadata && { metadata: columns.metadata[i]! }),
  }));
}

/** All points of a plan, by default of every series of the store. */
export async function readRows(store: StoreReader, plan: Partial<PointPlan> = {}): Promise<ReadRow[]> {
  const series = plan.series ?? (await allSeries(store));
  const rows: ReadRow[] = [];
  for await (const columns of unpackLists(store.points({ ...EVERYTHING, ...plan, series })))
    rows.push(...rowsOf(columns));
  return rows;
}
