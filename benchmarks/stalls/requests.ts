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

const ARROW = 'application/vnd.apache.arrow.stream';
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
const SHAPES = '/v2/geocentres?regionIds=0&includeGeojson=true';
const MANY_REGIONS = list('regionId', ids(10_000));

type What = readonly [what: string, path: string, more?: Pick<Heavy, 'body' | 'form' | 'accept'>];

function heavy(requests: Readonly<Partial<Record<EndpointName, readonly What[]>>>): Heavy[] {
  return Object.entries(requests).flatMap(([endpoint, all]) =>
    all.map(([what, path, more]) => ({ endpoint: endpoint as EndpointName, what, path, ...more })),
  );
}

/** The facets of a selection: alone, and of what a text finds. */
function facetsOf(what: string, selection: string): What[] {
  const path = `/v2/facets?limit=10000&${selection}`;
  return [
    [what, path],
    [`${what}, one letter`, `${path}&q=a`],
    [`${what}, a misspelt word`, `${path}&q=statoin`],
    [`${what}, 500 characters`, `${path}&q=${LONG_TEXT}`],
  ];
}

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const filled = single.map((one) => ({
  ...one,
  ...{ insertNull: true, startDate: '1900-01-01', endDate: '2020-12-31' },
}));
const HISTORY_PATH = `/v2/data?${query(HISTORY_KEY, HISTORY)}`;
const ALL_TIME = { ...NULLS, startDate: '0001-01-01', endDate: '9999-12-31' };

/** The heaviest legal requests, those of every endpoint. */
export const HEAVY: readonly Heavy[] = heavy({
  health: [['health', '/health']],
  metrics: [['metrics', '/metrics']],
  accessToken: [['a wrong login', '/api-token', { form: true, body: 'email=a&password=b' }]],
  combinations: [['all of the store', '/v2/entities/list']],
  searchAll: [
    ['the first search, builds the indexes', '/v2/search?q=station'],
    ['500 characters', `/v2/search?q=${LONG_TEXT}`],
  ],
  search: [
    ['one letter', '/v2/search/regions?q=a'],
    ['500 characters', `/v2/search/regions?q=${LONG_TEXT}`],
  ],
  searchHits: [
    ['the first, counts all series', '/v2/search/hits?q=station'],
    ['one letter, 100 hits', '/v2/search/hits?q=a&limit=100'],
    ['500 characters', `/v2/search/hits?q=${LONG_TEXT}&limit=100`],
  ],
  resolve: [
    ['all 200,000 series', '/v2/resolve?limit=10000'],
    ['20 names of 500 characters', `/v2/resolve?limit=0${`&region=${LONG_TEXT}`.repeat(20)}`],
  ],
  seriesList: [['all 200,000 series', '/v2/data_series/list']],
  seriesStream: [['all 200,000 series', '/v2/stream/data_series/list']],
  facets: [
    ...facetsOf('100,000 series', HALF),
    ...facetsOf('100,000 series of 10,000 given regions', `${HALF}&${MANY_REGIONS}`),
  ],
  vintages: [
    ['600,000 vintages', `/v2/vintages?${query(HISTORY_KEY, { limit: '10000' })}`],
    [`1,500,000 points of ${DAILY_SERIES} daily series`, `/v2/vintages?${allDaily}&limit=10000`],
    ['10,000 series', `/v2/vintages?itemId=${FIRST_ID}&frequencyId=9&${MANY_REGIONS}&limit=10000`],
    ['all series, refused', '/v2/vintages?limit=10000'],
  ],
  timeFrequencies: [['all series', '/v2/available/time-frequencies']],
  rankedSources: [['all series', '/v2/available/sources']],
  points: [
    [`${DAILY_SERIES} daily series, JSON`, `/v2/data?${allDaily}`],
    [`${DAILY_SERIES} daily series, Arrow`, `/v2/data?${allDaily}`, { accept: ARROW }],
    ['converted, JSON', `/v2/data?${allDaily}&unitId=1`],
    ['600,000 vintages with remarks, JSON', HISTORY_PATH],
    ['600,000 vintages with remarks, Arrow', HISTORY_PATH, { accept: ARROW }],
    ['100,000 nulls, JSON', `/v2/data?${query(dailyKey(0), NULLS)}`],
    [
      '100,000 nulls a series, Arrow',
      `/v2/data?${allDaily}&${new URLSearchParams(NULLS)}`,
      { accept: ARROW },
    ],
    ['all days of all years, refused', `/v2/data?${query(dailyKey(0), ALL_TIME)}`],
    ['10,000 regions', `/v2/data?metricId=2&itemId=${FIRST_ID}&sourceId=22&frequencyId=9&${MANY_REGIONS}`],
  ],
  pointsBatch: [
    ['10,000 selections, JSON', '/v2/data', json(single)],
    ['10,000 selections, Arrow', '/v2/data', { ...json(single), accept: ARROW }],
    ['10,000 selections, nulls', '/v2/data', json(filled)],
    ['4,000 selections of 9,000 combinations', '/v2/data', json(broad)],
    ['30 selections of 22,500 ids', '/v2/data', json(large)],
    ['8 MiB of zeros', '/v2/data', { body: `[${'0,'.repeat(4_190_000)}0]` }],
    ['8 MiB of brackets', '/v2/data', { body: '['.repeat(8_388_608) }],
    ['8 MiB of one text', '/v2/data', { body: `["${'x'.repeat(8_380_000)}"]` }],
  ],
  top: [
    ['10,000 regions', `/v2/top/regions?metricId=2&itemId=${FIRST_ID}&sourceId=22&frequencyId=9&n=10000`],
  ],
  allowedUnits: [['10,000 items', `/v2/units/allowed?metricIds=2&${list('itemIds', ids(10_000))}`]],
  geocentres: [
    ['all counties', `${SHAPES}&reqRegionLevelId=5&stringify=false`],
    ['all countries, texts', `${SHAPES}&reqRegionLevelId=3`],
  ],
  geocode: [
    ['the first, builds the index', '/v2/geocode', { form: true, body: 'latlng=[[1,1]]' }],
    ['10,000 places', '/v2/geocode', { form: true, body: `latlng=${JSON.stringify(places)}` }],
  ],
  areaWeighting: [['10 weights, 10,000 regions', '/v2/area-weighting', json(weighting)]],
  descendants: [
    ['the world, 10,000 times', `/v2/regions/contains?${list('ids', Array(10_000).fill(0))}&distance=-1`],
  ],
  ancestors: [['10,000 regions', `/v2/regions/belongs-to?${list('ids', ids(10_000))}&distance=-1`]],
  entity: [['the world', '/v2/regions/0']],
  entities: [
    ['10,000 regions', `/v2/regions?${list('ids', ids(10_000))}`],
    ['the first 5,000', '/v2/regions'],
  ],
});

/** The heaviest requests of a store with 105,000 regions. */
export const WIDE: readonly Heavy[] = heavy({
  facets: [
    ...facetsOf('105,000 regions', ''),
    ...facetsOf('105,000 regions, 10,000 of them given', MANY_REGIONS),
  ],
  searchHits: [
    ['105,000 regions, the first', '/v2/search/hits?q=station'],
    ['105,000 regions, one letter', '/v2/search/hits?q=a&limit=100'],
    ['105,000 regions, 500 characters', `/v2/search/hits?q=${LONG_TEXT}&limit=100`],
  ],
});

/** The first search of a service that finds the search index of the last one. */
export const WIDE_AGAIN = heavy({
  searchHits: [['105,000 regions, kept index', '/v2/search/hits?q=station']],
});

/** Paths beside the contract's. */
export const PAGES: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'OpenAPI document', path: '/openapi.json' },
  { what: 'documentation', path: '/docs' },
];
