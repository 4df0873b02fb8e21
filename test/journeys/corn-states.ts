import type { Client } from '../../src/create-client.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { usStateRegionId } from '../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../src/model/calendar.js';
import type { SeriesKey } from '../../src/model/series.js';
import type { SavableSeries } from '../../src/saved/saved-series.js';
import type { Store } from '../../src/store/store.js';
import { madeUpPoints } from '../ingest/made-up-points.js';
import { NewPointsBuilder } from '../new-points.js';
import type { Filling } from './demo-service.js';
import { seededRandom } from './seeded-random.js';

const NOT_STATES = new Set([3, 7, 14, 43, 52]);
const STATES = Array.from({ length: 56 }, (_, fips) => fips + 1).filter((fips) => !NOT_STATES.has(fips));

/** Series by number: an area, a yield or a price of a crop in a state. Made up: the tests check the transport, not the figures. */
export function cornSeries(count: number): SeriesKey[] {
  const metrics = ['Area harvested', 'Yield'] as const;
  const items = [
    'Corn',
    'Wheat',
    'Soybeans',
    'Barley',
    'Oats',
    'Rice',
    'Cotton',
    'Sorghum',
    'Rye',
    'Potatoes',
  ] as const;
  const keys = metrics.flatMap((metric) =>
    items.flatMap((item) => STATES.map((fips) => ({ metric, item, fips }))),
  );
  return keys.slice(0, count).map(({ metric, item, fips }) => ({
    metric_id: metricId(metric),
    item_id: itemId(item),
    region_id: usStateRegionId(fips),
    partner_region_id: 0,
    frequency_id: 9,
    source_id: SOURCES.nassCornStates.id,
  }));
}

/** Saves series in a client. */
export function withSaved(client: Client, series: readonly SavableSeries[]): Client {
  for (const one of series) client.addSingleDataSeries(one);
  return client;
}

/** Fills a store with `count` series of `years` points each; every seventh has only its first three. */
export function fillWithCorn(count: number, years: number): Filling {
  const importer = madeUpPoints([SOURCES.nassCornStates], (points, importedMs) => {
    const random = seededRandom(count);
    for (const [at, key] of cornSeries(count).entries()) {
      const last = at % 7 === 6 ? 3 : years;
      for (let year = 0; year < last; year++) {
        points.add(key, {
          ...yearsPeriod(1950 + year),
          value: random() < 0.05 ? null : Math.round(random() * 1e6) / 7,
          unitId: unitId('ac'),
          reportingMs: null,
          availableMs: importedMs,
        });
      }
    }
  });
  return Object.assign(
    (store: Store) => importDataset(store, importer, { importedMs: Date.parse('2020-01-01') }),
    { template: `corn-${count}-${years}` },
  );
}

/** Imports, as of now or of their release, other values of the last `revised` years before 1990 and values of the `added` years from 1990 on. */
export function reviseCorn(
  store: Store,
  count: number,
  { revised, added, released }: { revised: number; added: number; released?: number },
): Promise<unknown> {
  const importer: Importer = {
    dataset: 'corn',
    summary: 'newer corn of the tests',
    needsFiles: false,
    async *read({ importedMs }) {
      const points = new NewPointsBuilder();
      for (const key of cornSeries(count)) {
        for (let year = 1990 - revised; year < 1990 + added; year++) {
          points.add(key, {
            ...yearsPeriod(year),
            value: year % 3 === 0 ? null : year * 7,
            unitId: unitId('ac'),
            reportingMs: Date.parse('2021-06-30'),
            availableMs: released ?? importedMs,
          });
        }
      }
      yield { points: points.take() };
    },
  };
  return importDataset(store, importer, { importedMs: Date.now() });
}
