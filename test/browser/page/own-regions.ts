import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Importer } from '../../../src/ingest/importer.js';
import { itemId, metricId } from '../../../src/ingest/vocabulary/entities.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import type { Source } from '../../../src/model/entity.js';
import { seriesKeyText } from '../../../src/model/series.js';
import type { NewShape, Store } from '../../../src/store/store.js';
import { NewPointsBuilder } from '../../new-points.js';

/** The id of the first of the regions, and of the first of the crops and of their sources. */
const FIRST_ID = 5_000_000;
const YEARS = [2019, 2020, 2021];
/** Who reports of the corn; the demo data have none of it. */
const SURVEY = FIRST_ID - 1;
const ANNUAL = 9;

/** What a test's regions are, besides their names. */
interface OwnRegions {
  readonly names: readonly string[];
  /** Of what each region has yields of its last year besides corn; each crop has a source of its own. */
  readonly crops?: readonly { readonly name: string; readonly source: string }[] | undefined;
  /** The corn yield of a region in a year; undefined where there is none. */
  readonly yieldIn?: ((region: number, year: number) => number | undefined) | undefined;
}

const keyOf = (item_id: number, region: number, source_id: number) => ({
  metric_id: metricId('Yield'),
  item_id,
  region_id: FIRST_ID + region,
  partner_region_id: 0,
  source_id,
  frequency_id: ANNUAL,
});

/** The series of the corn of a region, or of a crop of the test, as a link names it. */
export function ownSeries(region: number, crop?: number): string {
  const [item, source] = crop === undefined ? [itemId('Corn'), SURVEY] : [FIRST_ID + crop, FIRST_ID + crop];
  return seriesKeyText(keyOf(item, region, source));
}

/** Fills a store with the demo data, and with the yields of regions that are the squares of a grid. */
export function withRegions(own: OwnRegions): (store: Store) => Promise<void> {
  return async (store) => {
    await importDataset(store, documentImporter('demo'));
    await importDataset(store, regionsOf(own));
    const transaction = await store.begin();
    await transaction.putShapes(own.names.map((_, i) => squareOf(i, own.names.length)));
    await transaction.commit();
  };
}

function regionsOf({
  names,
  crops = [],
  yieldIn = (region, year) => year - 2000 + region / 10,
}: OwnRegions): Importer {
  return {
    dataset: 'test',
    summary: 'yields of some regions',
    needsFiles: false,
    async *read() {
      const points = new NewPointsBuilder();
      const add = (key: ReturnType<typeof keyOf>, year: number, value: number) => {
        const availableMs = Date.UTC(2022, 0, 1);
        points.add(key, { ...yearsPeriod(year), value, unitId: 22, reportingMs: null, availableMs });
      };
      for (const region of names.keys()) {
        for (const year of YEARS) {
          const value = yieldIn(region, year);
          if (value !== undefined) add(keyOf(itemId('Corn'), region, SURVEY), year, value);
        }
        for (const crop of crops.keys())
          add(keyOf(FIRST_ID + crop, region, FIRST_ID + crop), YEARS.at(-1)!, region + crop);
      }
      yield {
        entities: {
          items: crops.map(({ name }, i) => ({ id: FIRST_ID + i, name, definition: '', belongsTo: [] })),
          sources: [
            sourceOf(SURVEY, 'Survey of the test'),
            ...crops.map(({ source }, i) => sourceOf(FIRST_ID + i, source)),
          ],
          regions: names.map((name, i) => ({
            id: FIRST_ID + i,
            name,
            level: 4,
            latitude: null,
            longitude: null,
            historical: false,
            definition: '',
            belongsTo: [],
          })),
        },
        points: points.take(),
      };
    },
  };
}

const sourceOf = (id: number, name: string): Source => ({
  id,
  name,
  longName: name,
  licence: name,
  citation: name,
  url: '',
});

/** The square of a region in a grid that is twice as wide as it is high, over sixty degrees of longitude. */
function squareOf(region: number, count: number): NewShape {
  const columns = Math.ceil(Math.sqrt(2 * count));
  const side = 60 / columns;
  const [west, south] = [-100 + side * (region % columns), 20 + side * Math.floor(region / columns)];
  const [east, north] = [west + side, south + side];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometries = [{ type: 'MultiPolygon', coordinates: [[ring]] }];
  const geojson = JSON.stringify({ type: 'GeometryCollection', geometries });
  return { region_id: FIRST_ID + region, geojson, detail: 'simple' };
}
