import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Importer } from '../../../src/ingest/importer.js';
import { readReferenceData } from '../../../src/ingest/reference-data.js';
import { STATE_ABBREVIATIONS, usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { monthsPeriod } from '../../../src/model/calendar.js';
import { seriesKeyText } from '../../../src/model/series.js';
import { DAY_MS } from '../../../src/model/time.js';
import type { Store } from '../../../src/store/store.js';
import { NewPointsBuilder } from '../../new-points.js';

const SOURCE = SOURCES.vegaWeather;
const FIRST_MS = Date.UTC(2010, 0, 1);
/** Days of each daily series. */
export const DAYS = 3_650;
const ITEMS = ['Temperature max', 'Temperature min'] as const;

/** FIPS codes of the places: the states and the capital. */
const PLACES = Object.keys(STATE_ABBREVIATIONS).filter((fips) => Number(fips) < 60);

/** The day of the one value that is far above all others, and the value. */
export const SPIKE = { day: 2_000, value: 60 };
/** Days without a point. */
export const GAP = { from: 1_000, days: 40 };

const keyOf = (item: (typeof ITEMS)[number], fips: string, frequency_id: number) => ({
  metric_id: metricId('Temperature'),
  item_id: itemId(item),
  region_id: usStateRegionId(fips),
  partner_region_id: 0,
  source_id: SOURCE.id,
  frequency_id,
});

const DAILY = 1;
const MONTHLY = 6;

/** Sixty daily series of ten years, as links name them. */
export const LONG_SERIES = ITEMS.flatMap((item) =>
  PLACES.map((fips) => seriesKeyText(keyOf(item, fips, DAILY))),
).slice(0, 60);

/** A monthly series over the same time. */
export const MONTHLY_SERIES = seriesKeyText(keyOf('Temperature max', PLACES[0]!, MONTHLY));

/** Fills a store with daily series of ten years: of the first, one day is hot; the second has a gap. */
export async function withLongSeries(store: Store): Promise<void> {
  await importDataset(store, long);
}

const long: Importer = {
  dataset: 'long',
  summary: 'made-up temperatures',
  needsFiles: false,
  async *read() {
    yield* readReferenceData([SOURCE]);
    const points = new NewPointsBuilder();
    const shared = { unitId: unitId('°C'), reportingMs: null, availableMs: FIRST_MS + DAYS * DAY_MS };
    for (const [at, text] of LONG_SERIES.entries()) {
      const item = ITEMS[Math.floor(at / PLACES.length)]!;
      const key = keyOf(item, PLACES[at % PLACES.length]!, DAILY);
      if (text !== seriesKeyText(key)) throw new Error('the series are numbered otherwise');
      for (let day = 0; day < DAYS; day++) {
        if (at === 1 && day >= GAP.from && day < GAP.from + GAP.days) continue;
        const startMs = FIRST_MS + day * DAY_MS;
        const value = at === 0 && day === SPIKE.day ? SPIKE.value : temperatureOn(at, day);
        points.add(key, { ...shared, startMs, endMs: startMs, value });
      }
    }
    for (let month = 0; month < 120; month++)
      points.add(keyOf('Temperature max', PLACES[0]!, MONTHLY), {
        ...shared,
        ...monthsPeriod(2010 + Math.floor(month / 12), (month % 12) + 1, 1),
        value: -20,
      });
    yield { points: points.take() };
  },
};

function temperatureOn(series: number, day: number): number {
  const season = 12 * Math.sin(((day % 365) / 365) * 2 * Math.PI - 1.7);
  const turned = Math.sin(series * 12.9898 + day * 78.233) * 43_758.5453;
  return Math.round((15 + season + 5 * (turned - Math.floor(turned))) * 10) / 10;
}
