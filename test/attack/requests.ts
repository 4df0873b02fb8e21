import type { EndpointName } from '../../src/contract/endpoints.js';
import type { SeriesKey } from '../../src/model/series.js';
import {
  annualKey,
  DAILY_SERIES,
  dailyKey,
  FIRST_ID,
  HISTORY_KEY,
  ITEMS,
  selectionOf,
} from './heavy-store.js';

/** A legal request that asks much of an endpoint. */
export interface Heavy {
  readonly endpoint: EndpointName;
  readonly what: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly form?: boolean | undefined;
  readonly accept?: string | undefined;
}

const ARROW = 'application/vnd.apache.arrow.stream;checksum=crc32';
const ids = (count: number, from = FIRST_ID) => Array.from({ length: count }, (_, i) => from + i);
const list = (key: string, values: readonly number[]) => `${key}=[${values.join(',')}]`;

export function query(key: SeriesKey, more: Record<string, string> = {}): string {
  return new URLSearchParams({
    metricId: String(key.metric_id),
    itemId: String(key.item_id),
    regionId: String(key.region_id),
    sourceId: String(key.source_id),
    frequencyId: String(key.frequency_id),
    ...more,
  }).toString();
}

const NULLS = { insertNull: 'true', startDate: '1800-01-01', endDate: '2073-10-15' };
const HISTORY = { showHistory: 'true', showAvailableDate: 'true', showMetaData: 'true' };
const dailyRegions = ids(DAILY_SERIES);
const allDaily = `metricId=2&itemId=${FIRST_ID}&${list('regionId', dailyRegions)}&sourceId=22&frequencyId=1`;
const single = Array.from({ length: 10_000 }, (_, i) => selectionOf(annualKey(i % ITEMS, i)));
const broad = Array.from({ length: 4_000 }, (_, i) => ({
  ...selectionOf(annualKey(0, i)),
  itemId: ids(ITEMS, FIRST_ID + 100),
  regionId: ids(10, FIRST_ID + i),
  sourceId: ids(10, 22),
  frequencyId: ids(9, 1),
}));
const large = Array.from({ length: 30 }, (_, i) => ({
  ...selectionOf(annualKey(0, 0)),
  itemId: ids(4_500),
  regionId: ids(4_500, FIRST_ID + 100 * i),
  metricId: ids(4_500),
  sourceId: ids(4_500),
  frequencyId: ids(4_500),
}));
const places = Array.from({ length: 10_000 }, (_, i) => [-60 + (i % 1300) / 10, -180 + (i % 3599) / 10]);
const weighting = {
  series: { item_id: FIRST_ID, metric_id: 2, frequency_id: 1, source_id: 22 },
  weights: Array.from({ length: 10 }, (_, i) => ({
    item_id: FIRST_ID + (i % ITEMS),
    metric_id: 2,
    frequency_id: 9,
    source_id: 22,
  })),
  region_ids: ids(10_000),
  method: 'normalize',
};
const WORDS = Array.from({ length: 50 }, (_, i) => `statoin${i} naer`).join(' ');
const LONG_TEXT = encodeURIComponent(WORDS.slice(0, 500));
const HALF = list('itemId', ids(ITEMS / 2));
const MANY_REGIONS = list('regionId', ids(10_000));

/** The facets of a selection: alone, and of what a text finds. */
function facetsOf(what: string, selection: string): Heavy[] {
  const path = `/v2/facets?limit=10000&${selection}`;
  return [
    { endpoint: 'facets', what, path },
    { endpoint: 'facets', what: `${what}, one letter`, path: `${path}&q=a` },
    { endpoint: 'facets', what: `${what}, a misspelt word`, path: `${path}&q=statoin` },
    { endpoint: 'facets', what: `${what}, 500 characters`, path: `${path}&q=${LONG_TEXT}` },
  ];
}

/** The heaviest legal requests, those of every endpoint. */
export const HEAVY: readonly Heavy[] = [
  { endpoint: 'health', what: 'health', path: '/health' },
  { endpoint: 'metrics', what: 'metrics', path: '/metrics' },
  {
    endpoint: 'accessToken',
    what: 'a wrong login',
    path: '/api-token',
    form: true,
    body: 'email=a&password=b',
  },
  { endpoint: 'combinations', what: 'all of the store', path: '/v2/entities/list' },
  { endpoint: 'searchAll', what: 'the first search, builds the indexes', path: '/v2/search?q=station' },
  { endpoint: 'searchAll', what: '500 characters', path: `/v2/search?q=${LONG_TEXT}` },
  { endpoint: 'search', what: 'one letter', path: '/v2/search/regions?q=a' },
  { endpoint: 'search', what: '500 characters', path: `/v2/search/regions?q=${LONG_TEXT}` },
  { endpoint: 'searchHits', what: 'the first, counts all series', path: '/v2/search/hits?q=station' },
  { endpoint: 'searchHits', what: 'one letter, 100 hits', path: '/v2/search/hits?q=a&limit=100' },
  { endpoint: 'searchHits', what: '500 characters', path: `/v2/search/hits?q=${LONG_TEXT}&limit=100` },
  { endpoint: 'resolve', what: 'all 200,000 series', path: '/v2/resolve?limit=10000' },
  {
    endpoint: 'resolve',
    what: '20 names of 500 characters',
    path: `/v2/resolve?limit=0&${Array(20).fill(`region=${LONG_TEXT}`).join('&')}`,
  },
  { endpoint: 'seriesList', what: 'all 200,000 series', path: '/v2/data_series/list' },
  { endpoint: 'seriesStream', what: 'all 200,000 series', path: '/v2/stream/data_series/list' },
  ...facetsOf('100,000 series', HALF),
  ...facetsOf('100,000 series of 10,000 given regions', `${HALF}&${MANY_REGIONS}`),
  {
    endpoint: 'vintages',
    what: '600,000 vintages',
    path: `/v2/vintages?${query(HISTORY_KEY, { limit: '10000' })}`,
  },
  {
    endpoint: 'vintages',
    what: `1,500,000 points of ${DAILY_SERIES} daily series`,
    path: `/v2/vintages?${allDaily}&limit=10000`,
  },
  {
    endpoint: 'vintages',
    what: '10,000 series',
    path: `/v2/vintages?itemId=${FIRST_ID}&frequencyId=9&${MANY_REGIONS}&limit=10000`,
  },
  { endpoint: 'vintages', what: 'all series, refused', path: '/v2/vintages?limit=10000' },
  { endpoint: 'timeFrequencies', what: 'all series', path: '/v2/available/time-frequencies' },
  { endpoint: 'rankedSources', what: 'all series', path: '/v2/available/sources' },
  { endpoint: 'points', what: `${DAILY_SERIES} daily series, JSON`, path: `/v2/data?${allDaily}` },
  {
    endpoint: 'points',
    what: `${DAILY_SERIES} daily series, Arrow`,
    path: `/v2/data?${allDaily}`,
    accept: ARROW,
  },
  { endpoint: 'points', what: 'converted, JSON', path: `/v2/data?${allDaily}&unitId=1` },
  {
    endpoint: 'points',
    what: '600,000 vintages with remarks, JSON',
    path: `/v2/data?${query(HISTORY_KEY, HISTORY)}`,
  },
  {
    endpoint: 'points',
    what: '600,000 vintages with remarks, Arrow',
    path: `/v2/data?${query(HISTORY_KEY, HISTORY)}`,
    accept: ARROW,
  },
  { endpoint: 'points', what: '100,000 nulls, JSON', path: `/v2/data?${query(dailyKey(0), NULLS)}` },
  {
    endpoint: 'points',
    what: `100,000 nulls in ${DAILY_SERIES} series, Arrow`,
    path: `/v2/data?${allDaily}&${new URLSearchParams(NULLS)}`,
    accept: ARROW,
  },
  {
    endpoint: 'points',
    what: 'all days of all years, refused',
    path: `/v2/data?${query(dailyKey(0), { ...NULLS, startDate: '0001-01-01', endDate: '9999-12-31' })}`,
  },
  {
    endpoint: 'points',
    what: '10,000 regions in one selection',
    path: `/v2/data?${query(annualKey(0, 0))}&${list('regionId', ids(10_000))}`.replace(
      `regionId=${FIRST_ID}&`,
      '',
    ),
  },
  {
    endpoint: 'pointsBatch',
    what: '10,000 selections, JSON',
    path: '/v2/data',
    body: JSON.stringify(single),
  },
  {
    endpoint: 'pointsBatch',
    what: '10,000 selections, Arrow',
    path: '/v2/data',
    body: JSON.stringify(single),
    accept: ARROW,
  },
  {
    endpoint: 'pointsBatch',
    what: '10,000 selections, nulls',
    path: '/v2/data',
    body: JSON.stringify(
      single.map((one) => ({ ...one, insertNull: true, startDate: '1900-01-01', endDate: '2020-12-31' })),
    ),
  },
  {
    endpoint: 'pointsBatch',
    what: '4,000 selections of 9,000 combinations',
    path: '/v2/data',
    body: JSON.stringify(broad),
  },
  {
    endpoint: 'pointsBatch',
    what: '30 selections of 22,500 ids',
    path: '/v2/data',
    body: JSON.stringify(large),
  },
  { endpoint: 'pointsBatch', what: '8 MiB of zeros', path: '/v2/data', body: `[${'0,'.repeat(4_190_000)}0]` },
  { endpoint: 'pointsBatch', what: '8 MiB of brackets', path: '/v2/data', body: '['.repeat(8_388_608) },
  {
    endpoint: 'pointsBatch',
    what: '8 MiB of one text',
    path: '/v2/data',
    body: `["${'x'.repeat(8_380_000)}"]`,
  },
  {
    endpoint: 'top',
    what: '10,000 regions',
    path: `/v2/top/regions?metricId=2&itemId=${FIRST_ID}&sourceId=22&frequencyId=9&n=10000`,
  },
  {
    endpoint: 'allowedUnits',
    what: '10,000 items',
    path: `/v2/units/allowed?metricIds=2&${list('itemIds', ids(10_000))}`,
  },
  {
    endpoint: 'geocentres',
    what: 'shapes of all counties',
    path: '/v2/geocentres?regionIds=0&reqRegionLevelId=5&includeGeojson=true&stringify=false',
  },
  {
    endpoint: 'geocentres',
    what: 'shapes of all countries, texts',
    path: '/v2/geocentres?regionIds=0&reqRegionLevelId=3&includeGeojson=true',
  },
  {
    endpoint: 'geocode',
    what: 'the first, builds the index',
    path: '/v2/geocode',
    form: true,
    body: 'latlng=[[1,1]]',
  },
  {
    endpoint: 'geocode',
    what: '10,000 places',
    path: '/v2/geocode',
    form: true,
    body: `latlng=${JSON.stringify(places)}`,
  },
  {
    endpoint: 'areaWeighting',
    what: '10 weights, 10,000 regions',
    path: '/v2/area-weighting',
    body: JSON.stringify(weighting),
  },
  {
    endpoint: 'descendants',
    what: 'the world, 10,000 times',
    path: `/v2/regions/contains?${list('ids', Array(10_000).fill(0))}&distance=-1`,
  },
  {
    endpoint: 'ancestors',
    what: '10,000 regions',
    path: `/v2/regions/belongs-to?${list('ids', ids(10_000))}&distance=-1`,
  },
  { endpoint: 'entity', what: 'the world', path: '/v2/regions/0' },
  { endpoint: 'entities', what: '10,000 regions', path: `/v2/regions?${list('ids', ids(10_000))}` },
  { endpoint: 'entities', what: 'the first 5,000', path: '/v2/regions' },
];

/** The heaviest requests of a store with 105,000 regions. */
export const WIDE: readonly Heavy[] = [
  ...facetsOf('105,000 regions', ''),
  ...facetsOf('105,000 regions, 10,000 of them given', MANY_REGIONS),
  { endpoint: 'searchHits', what: '105,000 regions, the first', path: '/v2/search/hits?q=station' },
  { endpoint: 'searchHits', what: '105,000 regions, one letter', path: '/v2/search/hits?q=a&limit=100' },
  {
    endpoint: 'searchHits',
    what: '105,000 regions, 500 characters',
    path: `/v2/search/hits?q=${LONG_TEXT}&limit=100`,
  },
];

/** The first search of a service that finds the search index of the last one. */
export const WIDE_AGAIN: readonly Heavy[] = [
  { endpoint: 'searchHits', what: '105,000 regions, kept index', path: '/v2/search/hits?q=station' },
];

/** Paths beside the contract's. */
export const PAGES: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'OpenAPI document', path: '/openapi.json' },
  { what: 'documentation', path: '/docs' },
];
