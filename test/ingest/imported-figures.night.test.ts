import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DataPoint } from '../../src/client/points/points.js';
import type { Client } from '../../src/create-client.js';
import { defineDataset, documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { idOf } from '../entity-id.js';
import { CORN } from './fixtures.js';
import { sample } from './samples.js';
import { clientOf } from './serving.js';
import { newStore } from './stores.js';

const nass = documentImporter('nass');

const ACRES = sample('nass/qs_export_county_corn_acres_harvested_2012_2021.csv');
const STATES = sample('nass/agridat_nass.corn.tsv');
const TRUTH = sample('truth/us_corn_nass_states_sum_vs_psd.csv');

/** The latest figures of one metric of corn in some regions, in a unit. */
async function cornOf(
  client: Client,
  {
    metric,
    source,
    regions,
    unit,
  }: { metric: string; source: string; regions: readonly number[]; unit: string },
): Promise<DataPoint[]> {
  const selection = {
    metric_id: await idOf(client, 'metrics', metric),
    item_id: await idOf(client, 'items', 'corn'),
    source_id: await idOf(client, 'sources', source),
    region_id: [...regions],
    frequency_id: 9,
  };
  return client.getDataPoints({ ...selection, unit_id: unitId(unit) });
}

describe('imported figures, read through the public client', () => {
  it.skipIf(!existsSync(ACRES))(
    `of the counties of Iowa in 2012 sum up as in the file (skipped without ${ACRES})`,
    async () => {
      const store = await newStore();
      await importDataset(store, nass, { files: [ACRES] });
      const client = clientOf(store);
      const iowa = await idOf(client, 'regions', 'Iowa');
      const counties = await client.getDescendant('regions', iowa, {
        descendant_level: 5,
        include_details: false,
      });
      const points = await cornOf(client, {
        metric: 'area harvested',
        source: 'USDA NASS Survey',
        regions: counties.map(({ id }) => id),
        unit: 'ac',
      });
      const of2012 = points.filter(({ end_date }) => end_date.startsWith('2012'));
      const inFile = readFileSync(ACRES, 'utf8')
        .split('\n')
        .filter((line) => /^SURVEY,2012,.*,IOWA,19,/.test(line) && line.split(',')[8] !== '99')
        .map((line) => Number(/"([\d,]+)"/.exec(line.slice(line.indexOf('TOTAL')))![1]!.replaceAll(',', '')));
      expect(of2012).toHaveLength(inFile.length);
      expect(sum(of2012)).toBe(inFile.reduce((total, acres) => total + acres, 0));
      // USDA NASS, Crop Production 2012 Summary: Iowa, corn for grain, area harvested.
      expect(sum(of2012)).toBe(13_700_000);
    },
  );

  it.skipIf(!existsSync(TRUTH))(
    `of the 41 states sum up to PSD's United States in whole kt and kha (skipped without ${TRUTH})`,
    async () => {
      const store = await newStore();
      expect(await importDataset(store, defineDataset(CORN), { files: [STATES] })).toMatchObject({
        rejectedRows: 0,
      });
      const client = clientOf(store);
      const regions = (await client.getProvinces('United States'))!.map(({ id }) => id);
      const shared = { source: 'Corn by state', regions };
      const areas = await cornOf(client, { ...shared, metric: 'area harvested', unit: 'kha' });
      const yields = await cornOf(client, { ...shared, metric: 'yield', unit: 't/ha' });
      for (const line of readFileSync(TRUTH, 'utf8').trim().split('\n').slice(1)) {
        const [year, , , , , psdArea, psdProduction] = line.split(',').map(Number);
        const ofYear = ({ start_date }: DataPoint): boolean => start_date.startsWith(`${year}-`);
        const area = new Map(areas.filter(ofYear).map((point) => [point.region_id, point.value!]));
        const production = yields
          .filter(ofYear)
          .reduce((total, { region_id, value }) => total + value! * area.get(region_id)!, 0);
        const found = [area.size, Math.round(sum(areas.filter(ofYear))), Math.round(production)];
        expect([year, ...found]).toEqual([year, 41, psdArea, psdProduction]);
      }
    },
  );
});

function sum(points: readonly DataPoint[]): number {
  return points.reduce((total, { value }) => total + value!, 0);
}
