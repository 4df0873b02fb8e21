import { countryRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId } from '../../../src/ingest/vocabulary/items.js';
import { metricId } from '../../../src/ingest/vocabulary/metrics.js';
import { SOURCES } from '../../../src/ingest/vocabulary/sources.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import type { SeriesKey } from '../../../src/model/series.js';
import { hashPassword } from '../../../src/service/access/password-hash.js';
import type { Store } from '../../../src/store/store.js';
import { NewPointsBuilder } from '../../new-points.js';
import { fillWithDemo } from '../demo-service.js';

export const EMAIL = 'ana@example.org';
export const PASSWORD = 'a long password';

/** ISO numbers of the countries of the examples. */
const COUNTRY = { 'United States': 840, China: 156, Brazil: 76, Argentina: 32, Ukraine: 804, India: 356 };

/** Which series, and its values from a year on; a value may be revised after some days. Made-up figures. */
interface ExampleSeries {
  readonly metric: Parameters<typeof metricId>[0];
  readonly item: Parameters<typeof itemId>[0];
  readonly region: keyof typeof COUNTRY;
  readonly source: keyof typeof SOURCES;
  readonly unit: string;
  readonly from: number;
  readonly values: readonly (number | readonly { readonly value: number; readonly reported: string }[])[];
}

const production = (region: ExampleSeries['region'], values: number[]): ExampleSeries => {
  const what = { metric: 'Production quantity', item: 'Corn', source: 'faostat', unit: 't' } as const;
  return { ...what, region, from: 2013, values };
};
const exported = (item: ExampleSeries['item'], values: number[]): ExampleSeries => {
  const what = { metric: 'Exports quantity', region: 'United States', source: 'faostat' } as const;
  return { ...what, item, unit: 't', from: 2010, values };
};
const wheat = (region: ExampleSeries['region'], fields: Partial<ExampleSeries>): ExampleSeries => {
  const what = { metric: 'Area harvested', item: 'Wheat', source: 'psd', unit: 'kha' } as const;
  return { ...what, region, from: 2000, values: [5], ...fields };
};

const EXAMPLES: readonly ExampleSeries[] = [
  production('United States', [350, 360, 345, 385, 370]),
  production('China', [218, 215, 224, 219, 259]),
  production('Brazil', [80, 79, 85, 64, 97]),
  production('Argentina', [32, 33, 34, 40, 49]),
  production('Ukraine', [31, 28, 23, 28, 25]),
  production('India', [24, 24, 22, 25, 28]),
  exported('Corn', [50, 45, 31]),
  exported('Wheat', [27, 33, 25]),
  exported('Soybeans', [42, 34, 43]),
  wheat('Ukraine', { values: [5.2, 6.9, 6.7] }),
  wheat('Ukraine', { source: 'faostat', unit: 'ha', from: 2001, values: [6900, 6750] }),
  wheat('India', { values: [27.5, 25.7, 26.3] }),
  wheat('India', { metric: 'Production quantity', unit: 'kt', values: [76.4, 69.7, 72.8] }),
  {
    ...{ metric: 'Yield', item: 'Soybeans', region: 'Argentina', source: 'psd', unit: 't/ha', from: 2017 },
    values: [
      [
        { value: 2.98, reported: '2017-05-10' },
        { value: 2.84, reported: '2018-02-08' },
        { value: 2.32, reported: '2018-07-12' },
      ],
      3.33,
    ],
  },
];

/** The demo's data, the series of the examples, and a person who may log in. */
export async function fillWithExamples(store: Store): Promise<void> {
  await fillWithDemo(store);
  const transaction = await store.begin();
  await transaction.putEntities('sources', [SOURCES.psd, SOURCES.faostat]);
  const points = new NewPointsBuilder();
  for (const series of EXAMPLES) addPoints(points, series);
  await transaction.putPoints(points.take());
  await transaction.commit();
  await store.access.putUser({ email: EMAIL, passwordHash: await hashPassword(PASSWORD) });
}

function addPoints(points: NewPointsBuilder, series: ExampleSeries): void {
  const key: SeriesKey = {
    metric_id: metricId(series.metric),
    item_id: itemId(series.item),
    region_id: countryRegionId(COUNTRY[series.region]),
    partner_region_id: 0,
    frequency_id: 9,
    source_id: SOURCES[series.source].id,
  };
  for (const [year, given] of series.values.entries()) {
    const period = { ...yearsPeriod(series.from + year), unitId: unitId(series.unit) };
    for (const one of typeof given === 'number' ? [{ value: given, reported: null }] : given) {
      const reportingMs = one.reported === null ? null : Date.parse(one.reported);
      const availableMs = reportingMs ?? period.endMs;
      points.add(key, { ...period, value: one.value, reportingMs, availableMs });
    }
  }
}
