import type { EndpointName } from '../endpoints.js';

/** A request that the documentation shows, of the data set `demo`. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>
    | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** The yield of corn in the state of Washington. */
const YIELD = { metricId: [30], itemId: [110], regionId: [10053], sourceId: [22], frequencyId: [9] };
const YEARS = { startDate: '2010-01-01', endDate: '2011-12-31' };

/** A request of each operation, with an answer that is short. */
export const EXAMPLE_REQUESTS: Readonly<Record<EndpointName, ExampleRequest>> = {
  health: {},
  metrics: {},
  accessToken: { form: { email: 'ada@example.org', password: 'correct horse battery staple' } },
  combinations: { query: { metricId: [30], itemId: [110], regionId: [10053] } },
  searchAll: { query: { q: 'corn' } },
  searchHits: { query: { q: 'cor', limit: 3 } },
  search: { path: { type: 'items' }, query: { q: 'maize' } },
  seriesList: { query: { metricId: [30], regionId: [10053] } },
  seriesStream: { query: { metricId: [30], regionId: [10053] } },
  facets: { query: { itemId: [110], in: ['metrics', 'regions'], limit: 1 } },
  vintages: { query: { metricId: [30], itemId: [110] } },
  timeFrequencies: { query: { metricIds: [30], itemIds: [110] } },
  rankedSources: { query: { metricIds: [30], itemIds: [110] } },
  points: { query: { ...YIELD, ...YEARS } },
  pointsBatch: {
    body: [{ metricId: 30, itemId: 110, regionId: [10053], sourceId: 22, frequencyId: 9, ...YEARS }],
  },
  top: {
    path: { type: 'regions' },
    query: { metricId: [21], itemId: [110], sourceId: [22], frequencyId: [9], ...YEARS, n: 2 },
  },
  allowedUnits: { query: { metricIds: [2] } },
  geocentres: { query: { regionIds: [10053] } },
  geocode: { form: { latlng: '[[47.61, -122.33]]' } },
  areaWeighting: {
    body: {
      series: { item_id: 110, metric_id: 30, frequency_id: 9, source_id: 22 },
      weights: [{ item_id: 110, metric_id: 21, frequency_id: 9, source_id: 22 }],
      region_ids: [10053, 10036],
      method: 'normalize',
      start_date: '2011-01-01',
    },
  },
  rasterWeighting: {},
  importBegin: { body: { dataset: 'nass', files: [{ name: 'corn.csv', bytes: 52_480 }] } },
  importPart: { path: { importId: '9f1c', position: 0 }, query: { offset: 0, crc32: 3_421_780_262 } },
  importRun: { path: { importId: '9f1c' } },
  importCancel: { path: { importId: '9f1c' } },
  backupBegin: {},
  backupPart: { path: { backupId: '4d7a' }, query: { offset: 0 } },
  backupDiscard: { path: { backupId: '4d7a' } },
  descendants: { path: { type: 'regions' }, query: { ids: [10053], distance: 1 } },
  ancestors: { path: { type: 'regions' }, query: { ids: [10053], distance: -1 } },
  entity: { path: { type: 'items', id: 110 } },
  entities: { path: { type: 'sources' }, query: { ids: [22] } },
};
