import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Importer } from '../../../src/ingest/importer.js';
import { readReferenceData } from '../../../src/ingest/reference-data.js';
import { usCountyRegionId, usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import type { Source } from '../../../src/model/entity.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { seriesKeyText } from '../../../src/model/series.js';
import type { Store } from '../../../src/store/store.js';
import { NewPointsBuilder } from '../../new-points.js';

/** When the demo data of the farm became known. */
export const IMPORTED = '2020-01-01';

/** Who reports of the farm. Its licence has brackets of its own. */
const SURVEY: Source = {
  id: 900,
  name: 'Made-up survey',
  longName: 'Figures made up for the tests and pictures of cropframe',
  licence: 'CC0 1.0 (public domain)',
  citation: 'Figures made up for cropframe',
  url: '',
};

/** A state: FIPS code, bushels of corn an acre in 2006, and million acres of corn. */
const STATES: readonly (readonly [fips: number, base: number, acres: number])[] = [
  [19, 166, 12.6],
  [17, 163, 11.3],
  [31, 152, 8.1],
  [27, 161, 7.3],
  [18, 157, 5.5],
  [39, 154, 3.2],
  [55, 143, 2.8],
  [29, 138, 2.9],
  [46, 97, 4.3],
  [20, 120, 4.1],
  [26, 147, 2.1],
  [38, 111, 2.4],
];

const FIRST_YEAR = 2006;
const LAST_YEAR = 2024;
const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, i) => FIRST_YEAR + i);

/** How much of its usual yield a year brings; 2012 was dry. */
const SEASONS: Readonly<Record<number, number>> = { 2012: 0.72, 2013: 0.96, 2019: 0.94, 2021: 1.03 };

const series = (metric: string, item: string, region_id: number) => ({
  metric_id: metricId(metric),
  item_id: itemId(item),
  region_id,
  partner_region_id: 0,
  source_id: SURVEY.id,
  frequency_id: frequencyId('annual'),
});

/** The series of the farm of a state or a county of the United States, as a link names it. */
export const cornYield = (fips: number): string =>
  seriesKeyText(series('Yield', 'Corn', fips > 99 ? usCountyRegionId(fips) : usStateRegionId(fips)));

/** FIPS codes of the states of the farm. */
export const FARM_STATES: readonly number[] = STATES.map(([fips]) => fips);

/** The corn of the farm's states weighed by the area, and its weighted yield, as a link names them. */
export const cornWeights: string = [
  `w_crop=${itemId('Corn')}`,
  `w_metric=${metricId('Area harvested')}`,
  `w_regions=${FARM_STATES.map(usStateRegionId).join()}`,
  `w_item=${itemId('Corn')}`,
  `w_value=${metricId('Yield')}`,
].join('&');

/** The acres of the farm's corn of a state, as a link names them. */
export const cornArea = (fips: number): string =>
  seriesKeyText(series('Area harvested', 'Corn', usStateRegionId(fips)));

/** A series with a value that the source left out (2012), one of zero (2013), and a year of which it says nothing (2014). */
export const sorghum: string = seriesKeyText(series('Yield', 'Sorghum', usStateRegionId(20)));

/** Fills a store with the demo data, and with the corn of states and counties in several vintages. */
export async function withFarm(store: Store): Promise<void> {
  await importDataset(store, documentImporter('demo'), { importedMs: Date.parse(IMPORTED) });
  await importDataset(store, farm);
}

const farm: Importer = {
  dataset: 'farm',
  summary: 'made-up corn',
  needsFiles: false,
  async *read() {
    yield* readReferenceData([SURVEY]);
    const points = new NewPointsBuilder();
    for (const state of STATES) addState(points, state);
    for (let county = 1; county <= 197; county += 2) addCounty(points, county);
    for (const year of YEARS.filter((one) => one !== 2014)) {
      const value = year === 2012 ? null : year === 2013 ? 0 : round(4.4 + wobble(20, year));
      const key = series('Yield', 'Sorghum', usStateRegionId(20));
      addReport(points, key, { year, value, unit: 't/ha', said: `${year + 1}-01-12` });
    }
    yield { points: points.take() };
  },
};

const BUSHELS = 'bu/ac (corn)';

function addState(points: NewPointsBuilder, [fips, base, acres]: (typeof STATES)[number]): void {
  const [corn, area] = ['Yield', 'Area harvested'].map((name) => series(name, 'Corn', usStateRegionId(fips)));
  for (const year of YEARS) {
    const final = yieldOf(fips, base, year);
    const usual = base + 2 * (year - FIRST_YEAR);
    for (const [value, said] of [
      [round(usual + wobble(fips + 7, year) * 4), `${year}-08-12`],
      [round(final + wobble(fips + 3, year) * 2), `${year}-11-10`],
      [final, `${year + 1}-01-12`],
    ] as const)
      addReport(points, corn!, { year, value, unit: BUSHELS, said });
    const value = Math.round(acres * (1 + 0.06 * wobble(fips + 11, year)) * 1000) * 1000;
    addReport(points, area!, { year, value, unit: 'ac', said: `${year + 1}-01-12` });
  }
}

function addCounty(points: NewPointsBuilder, county: number): void {
  const key = series('Yield', 'Corn', usCountyRegionId(19_000 + county));
  for (const year of YEARS) {
    const local = 1 + 0.12 * Math.sin(county / 17) + 0.04 * wobble(county, year);
    const value = round(yieldOf(19, 166, year) * local);
    addReport(points, key, { year, value, unit: BUSHELS, said: `${year + 1}-02-20` });
  }
}

function addReport(
  points: NewPointsBuilder,
  key: ReturnType<typeof series>,
  { year, value, unit, said }: { year: number; value: number | null; unit: string; said: string },
): void {
  const saidMs = Date.parse(said);
  const dates = { ...yearsPeriod(year), reportingMs: saidMs, availableMs: saidMs };
  points.add(key, { ...dates, value, unitId: unitId(unit) });
}

function yieldOf(fips: number, base: number, year: number): number {
  return round((base + 2 * (year - FIRST_YEAR)) * (SEASONS[year] ?? 1) + 6 * wobble(fips, year));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number between −1 and 1 that looks like chance, and is always the same. */
function wobble(place: number, year: number): number {
  const turned = Math.sin(place * 12.9898 + year * 78.233) * 43_758.5453;
  return 2 * (turned - Math.floor(turned)) - 1;
}
