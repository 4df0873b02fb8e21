import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionOrName } from '../../../src/agronomy/models/resolve-regions.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { countryRegionId, subdivisionRegionId, usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { dayPeriod } from '../../../src/model/calendar.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { DAY_MS } from '../../../src/model/time.js';
import { idOf } from '../../entity-id.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { type DemoService, openDemoService } from '../../journeys/demo-service.js';

const GEORGIA = usStateRegionId(13);
const LUXEMBOURG = countryRegionId(442);
const WESTERN_GHANA = subdivisionRegionId('GH-WP');
const MAY = { start_date: '2020-05-01', end_date: '2020-05-10' };

/**
 * Temperatures of the state of Georgia, 10 °C to 30 °C, and none of the country; of the country Luxembourg, and none of
 * the regions of that name; of one of nine regions "Western".
 */
const importer = madeUpPoints([SOURCES.playfairWheat], (points, importedMs) => {
  for (const [item, value, region_id] of [
    ['Temperature min', 10, GEORGIA],
    ['Temperature max', 30, GEORGIA],
    ['Temperature max', 30, LUXEMBOURG],
    ['Temperature max', 30, WESTERN_GHANA],
  ] as const) {
    const of = { source_id: SOURCES.playfairWheat.id, frequency_id: frequencyId('daily') };
    const key = { metric_id: metricId('Temperature'), item_id: itemId(item), region_id, ...of };
    for (let day = 0; day < 10; day++) {
      const at = dayPeriod(Date.parse(MAY.start_date) + day * DAY_MS);
      const rest = { unitId: unitId('°C'), reportingMs: null, availableMs: importedMs };
      points.add({ ...key, partner_region_id: 0 }, { ...at, value, ...rest });
    }
  }
});

let service: DemoService;
beforeAll(async () => {
  service = await openDemoService((store) => importDataset(store, importer));
});
afterAll(() => service.close());

const asked = { base_temperature: 10, ...MAY };

it('refuse the name of two places, with the choices, though one alone has temperatures', async () => {
  for (const region_name of ['Georgia', ['Georgia, United States', 'georgia']]) {
    const refused = service.client().growingDegreeDays({ region_name, ...asked } as never);
    await expect(refused).rejects.toBeInstanceOf(ArgumentError);
    await expect(refused).rejects.toThrow(
      /^region_name: "[Gg]eorgia" is the name of "Georgia, United States[^"]*" and "Georgia, [^"]*Asia"; specify one of them/,
    );
  }
});

it('are of the place whose name says what contains it', async () => {
  const client = service.client();
  expect(await client.growingDegreeDays({ region_name: 'Georgia, United States', ...asked })).toBe(100);
  const country = client.growingDegreeDays({ region_name: 'Georgia, Asia', ...asked });
  await expect(country).rejects.toThrow('no region called "Georgia, Asia" has daily temperatures');
});

it('say with explain which place was taken, and which others have the name', async () => {
  const client = service.client();
  const found = await client.growingDegreeDays({ region_name: 'Georgia', ...asked, explain: true });
  const country = await idOf(client, 'regions', 'GEO');
  expect(found.total).toBe(100);
  expect(found.matched).toMatchObject({ requested: 'Georgia', id: GEORGIA, exact: true });
  expect(found.matched.name).toMatch(/^Georgia, United States/);
  expect(found.matched.namesakes).toEqual([expect.stringMatching(/^Georgia, .*Asia$/)]);
  expect(country).not.toBe(GEORGIA);
});

it('refuse weights of a name that two regions have; explained, they say which was taken', async () => {
  const client = service.client();
  const names = ['Georgia, United States', 'Georgia'];
  const weights = client.computeWeights('Temperature max', 'Temperature', names);
  await expect(weights).rejects.toBeInstanceOf(ArgumentError);
  await expect(weights).rejects.toThrow(
    /^regions: "Georgia" is the name of "Georgia, [^"]*" and "Georgia, [^"]*"; specify one of them, or pass its id/,
  );
  const explain = (regions: readonly RegionOrName[]) =>
    client.explainWeights('Temperature max', 'Temperature', { regions });
  expect((await explain([{ id: GEORGIA, name: 'Georgia' }])).weights).toEqual([1]);
  const [exact, other] = (await explain(names)).regions;
  expect(exact!.matched).toBeUndefined();
  expect(other!.matched).toMatchObject({ requested: 'Georgia', exact: true });
  expect(other!.matched!.namesakes).toHaveLength(1);
});

it('have no id without a word; resolve says what else a name means', async () => {
  const client = service.client();
  await expect(client.searchForEntity('regions', 'Georgia')).rejects.toThrow(
    /^keywords: "Georgia" is the name of "Georgia, [^"]*Asia" and "Georgia, United States"; specify one of them$/,
  );
  expect(await client.searchForEntity('regions', 'Georgia, United States')).toBe(GEORGIA);
  const region = ['Georgia', 'Nowhereland'];
  const { names, series, within, nothing } = await client.resolve({ ...HOT, region, limit: 1 });
  const [country, state] = names.find(({ requested }) => requested === 'Georgia')!.hits;
  expect(country).toMatchObject({ name: 'Georgia', exact: true, namesakes: ['Georgia, United States'] });
  expect(state).toMatchObject({ id: GEORGIA, instead_of: 'Georgia', namesakes: [country!.label] });
  expect({ series, within, nothing }).toEqual({ series: [], nothing: 'no region is called "Nowhereland"' });
});

const HOT = { metric: 'Temperature', item: 'Temperature max' };
const STATE = { requested: 'Georgia', id: GEORGIA, name: 'Georgia, United States', exact: true };

describe('find and save series', () => {
  it.each([
    [
      'Georgia',
      GEORGIA,
      { ...STATE, instead_of: 'Georgia' },
      /^region: "Georgia" is Georgia, which has no such series; to use "Georgia, United States"/,
    ],
    ['Georgia, United States', GEORGIA, undefined, undefined],
    ['US-GA', GEORGIA, undefined, undefined],
    [
      'Luxembourg',
      LUXEMBOURG,
      { name: 'Luxembourg', exact: true, namesakes: ['Luxembourg, Belgium'] },
      undefined,
    ],
    [
      'western',
      WESTERN_GHANA,
      { name: 'Western, Ghana', namesakes: expect.arrayContaining(['Western, Uganda']) },
      /^region: "western" is the name of "Western, Ghana" and .*; specify one of them/,
    ],
    ['Western, Ghana', WESTERN_GHANA, undefined, undefined],
  ])('of the region "%s"', async (region, region_id, matched, refusal) => {
    const client = service.client();
    const reasons: string[] = [];
    const saved = await client.addDataSeries({ ...HOT, region, onNothing: (reason) => reasons.push(reason) });
    const found = (await client.findDataSeries({ ...HOT, region }).next()).value!;
    expect(found.region_id).toBe(region_id);
    if (matched === undefined) expect(found).not.toHaveProperty('matched');
    else expect(found.matched?.region).toMatchObject(matched);
    expect(saved?.region_id).toBe(refusal === undefined ? region_id : undefined);
    expect(client.getDataSeriesList()).toHaveLength(refusal === undefined ? 1 : 0);
    expect(reasons).toEqual(refusal === undefined ? [] : [expect.stringMatching(refusal)]);
    if (saved?.matched !== undefined)
      expect((await client.getDf()).toText()).toContain(
        'matched: Luxembourg for "Luxembourg", not Luxembourg, Belgium',
      );
  });
});
