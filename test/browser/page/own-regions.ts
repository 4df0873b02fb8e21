import { NewPointsBuilder } from '../../../src/ingest/batch/new-points.js';
import { demo } from '../../../src/ingest/demo/demo.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Importer } from '../../../src/ingest/importer.js';
import { parseTime } from '../../../src/model/time.js';
import type { Store } from '../../../src/store/store.js';

/** The id of the first of the regions. */
const FIRST_ID = 5_000_000;
const YEARS = [2019, 2020, 2021];

/** Fills a store with the vocabulary of the demo data, and the corn yields of regions with the given names. */
export function withRegions(names: readonly string[]): (store: Store) => Promise<void> {
  return async (store) => {
    await importDataset(store, demo);
    const [metric] = (await store.searchDocuments('metrics')).filter(({ name }) => name === 'Yield');
    const [item] = (await store.searchDocuments('items')).filter(({ name }) => name === 'Corn');
    const key = {
      metric_id: metric!.id,
      item_id: item!.id,
      partner_region_id: 0,
      source_id: 22,
      frequency_id: 9,
    };
    const regions: Importer = {
      dataset: 'test',
      summary: 'corn yields of some regions',
      needsFiles: false,
      async *read() {
        const points = new NewPointsBuilder();
        for (const i of names.keys())
          for (const year of YEARS)
            points.add(
              { ...key, region_id: FIRST_ID + i },
              {
                startMs: parseTime(`${year}-01-01`, 'test'),
                endMs: parseTime(`${year}-12-31`, 'test'),
                value: year - 2000 + i / 10,
                unitId: 22,
                reportingMs: null,
                availableMs: parseTime('2022-01-01', 'test'),
              },
            );
        yield {
          entities: {
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
    await importDataset(store, regions);
  };
}
