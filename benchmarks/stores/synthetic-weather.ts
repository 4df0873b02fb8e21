import type { PointColumns } from '../../src/columns/point-columns.js';
import type { Importer } from '../../src/ingest/importer.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { SOURCES } from '../../src/ingest/vocabulary/sources.js';
import type { SeriesKey } from '../../src/model/series.js';
import { DAY_MS, parseTime } from '../../src/model/time.js';
import type { NewEntity } from '../../src/store/store.js';

/** How many series a store has, over how many days, and on which share of those they have a point. */
export interface StoreShape {
  readonly series: number;
  readonly days: number;
  readonly share: number;
}

/** Each item has a series in each region. */
export const REGIONS = 5_000;

export const FIRST_DAY = parseTime('2015-01-01', 'first day');
/** Above the ids of all real regions and items. */
const MADE_FROM_ID = 2_000_000_000;
const SERIES_A_BATCH = 50;
const UNIT_ID = 1;
const AVAILABLE = BigInt(parseTime('2021-01-01', 'import'));

/** Series `i`. The store lays series out in this order, so that neighbouring numbers are neighbours on disk. */
export function keyOf(i: number): SeriesKey {
  return {
    metric_id: 2,
    item_id: MADE_FROM_ID + Math.floor(i / REGIONS),
    region_id: MADE_FROM_ID + (i % REGIONS),
    partner_region_id: 0,
    source_id: SOURCES.vegaWeather.id,
    frequency_id: 1,
  };
}

/** The number of a series whose item and region are these. */
export function numberOf(item_id: number, region_id: number): number {
  return (item_id - MADE_FROM_ID) * REGIONS + (region_id - MADE_FROM_ID);
}

/** Reads the series from `first` up to `end` of a shape: random values of one decimal. */
export const syntheticWeather = (shape: StoreShape, [first, end]: readonly [number, number]): Importer => ({
  dataset: 'synthetic weather',
  summary: 'random values',
  needsFiles: false,
  async *read() {
    yield* readReferenceData([SOURCES.vegaWeather]);
    const items = Array.from({ length: Math.ceil(end / REGIONS) }, (_, i) => syntheticItem(i));
    yield { entities: { items, regions: Array.from({ length: REGIONS }, (_, i) => syntheticRegion(i)) } };
    for (let from = first; from < end; from += SERIES_A_BATCH) {
      const series = Array.from({ length: Math.min(SERIES_A_BATCH, end - from) }, (_, i) => keyOf(from + i));
      yield { points: { series, columns: randomValues(from, series.length, shape) } };
    }
  },
});

function syntheticItem(i: number): NewEntity<'items'> {
  return { id: MADE_FROM_ID + i, name: `Synthetic item ${i}`, definition: '', belongsTo: [] };
}

function syntheticRegion(i: number): NewEntity<'regions'> {
  return {
    id: MADE_FROM_ID + i,
    name: `Synthetic region ${i}`,
    definition: '',
    belongsTo: [0],
    level: 8,
    latitude: null,
    longitude: null,
    historical: false,
  };
}

function randomValues(
  seed: number,
  count: number,
  { days, share }: StoreShape,
): PointColumns & { available_date: BigInt64Array } {
  const series = new Uint32Array(count * days);
  const start = new BigInt64Array(count * days);
  const value = new Float64Array(count * days);
  const dates = BigInt64Array.from({ length: days }, (_, day) => BigInt(FIRST_DAY + day * DAY_MS));
  let state = seed * 2_654_435_761 + 12_345;
  let length = 0;
  for (let row = 0; row < count * days; row++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    if (Math.abs(state) / 2 ** 31 > share) continue;
    series[length] = Math.floor(row / days);
    start[length] = dates[row % days]!;
    value[length++] = Math.round((state / 2 ** 31) * 300) / 10;
  }
  const start_date = start.subarray(0, length);
  return {
    length,
    series: series.subarray(0, length),
    start_date,
    end_date: start_date,
    value: value.subarray(0, length),
    value_valid: null,
    unit_id: new Int32Array(length).fill(UNIT_ID),
    reporting_date: new BigInt64Array(length),
    reporting_valid: new Uint8Array(Math.ceil(length / 8)),
    available_date: new BigInt64Array(length).fill(AVAILABLE),
  };
}
