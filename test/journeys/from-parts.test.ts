import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { derivationSteps } from '../../src/frame/table/provenance.js';
import { frameSeries } from '../../src/frame/table/series-view.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { ArgumentError } from '../../src/model/errors.js';
import type { Store } from '../../src/store/store.js';
import { temporaryFiles } from '../temporary-files.js';
import { type DemoService, openDemoService } from './demo-service.js';

const nass = documentImporter('nass');

const { file } = temporaryFiles();

const HEADER =
  'Program,Year,Period,Week Ending,Geo Level,State,State ANSI,Ag District,Ag District Code,County,County ANSI,Zip Code,Region,watershed_code,Watershed,Commodity,Data Item,Domain,Domain Category,Value,CV (%)';
const NORTHWEST = 'NORTHWEST,10';
const SOUTHWEST = 'SOUTHWEST,70';
const LYON = [NORTHWEST, 'LYON,119'];
const OSCEOLA = [NORTHWEST, 'OSCEOLA,143'];
const PAGE = [SOUTHWEST, 'PAGE,145'];
const OTHER_NORTHWEST = [NORTHWEST, 'OTHER COUNTIES,'];

/** Acres and yields of counties in Iowa, by year. */
const FIGURES: readonly (readonly [
  year: number,
  place: readonly string[],
  acres: number | null,
  yield_: number | null,
])[] = [
  // Every county is listed, so that there are no other counties.
  [2012, LYON, 100, 100],
  [2012, OSCEOLA, 200, 110],
  [2012, PAGE, 300, 130],
  // Osceola County is among the other counties of its district.
  [2013, LYON, 150, 120],
  [2013, OTHER_NORTHWEST, 250, 140],
  [2013, PAGE, 100, 100],
  // Page County is missing, and the other counties are not those of its district.
  [2014, LYON, 150, 120],
  [2014, OTHER_NORTHWEST, 250, 140],
  // Page County has an area, but no yield.
  [2015, LYON, 100, 120],
  [2015, OSCEOLA, 100, 140],
  [2015, PAGE, 800, null],
  // Nothing was harvested.
  [2016, PAGE, 0, 90],
];

function exportOf(item: string, column: 2 | 3): string {
  const lines = FIGURES.flatMap((figure) => {
    const [year, place] = figure;
    const value = figure[column];
    const county = `COUNTY,IOWA,19,${place.join(',')},,,00,,CORN`;
    return value === null
      ? []
      : [`SURVEY,${year},YEAR,,${county},"CORN, GRAIN - ${item}",TOTAL,NOT SPECIFIED,${value},`];
  });
  return [HEADER, ...lines, ''].join('\n');
}

describe("a region's figure from its parts", () => {
  let service: DemoService;
  let client: Client;
  beforeAll(async () => {
    const files = [
      file('acres.csv', exportOf('ACRES HARVESTED', 2)),
      file('yield.csv', exportOf('YIELD, MEASURED IN BU / ACRE', 3)),
    ];
    service = await openDemoService((store: Store) => importDataset(store, nass, { files }));
    client = service.client();
  });
  afterAll(() => service?.close());

  const AREA = { item_name: 'corn', metric_name: 'area harvested' };
  const YIELD = { item_name: 'corn', metric_name: 'yield', weighting_metric_name: 'area harvested' };
  const figures = async (options: Parameters<Client['computeFromParts']>[1]) =>
    (await client.computeFromParts('Iowa', options))
      .toRows()
      .map(({ end_date, value, weight_present }) => [end_date.getUTCFullYear(), value, weight_present]);
  /** The means of the parts over the years in which they are listed. */
  const [lyon, osceola, others, page] = [125, 150, 250, 300] as const;

  it('averages a yield by the areas of each year, with all counties and the rest of them', async () => {
    expect(await figures(YIELD)).toEqual([
      [2012, expect.closeTo((100 * 100 + 200 * 110 + 300 * 130) / 600, 9), 1],
      [2013, expect.closeTo((150 * 120 + 250 * 140 + 100 * 100) / 500, 9), 1],
      [2014, null, expect.closeTo(400 / (400 + page), 9)],
      [2015, null, expect.closeTo(200 / 1000, 9)],
      [2016, null, 0],
    ]);
    const some = await figures({ ...YIELD, min_weight_present: 0.1 });
    expect(some[2]![1]).toBeCloseTo((150 * 120 + 250 * 140) / 400, 9);
    expect(some[3]![1]).toBeCloseTo(130, 9);
    expect(derivationSteps(await client.computeFromParts('Iowa', YIELD)).join()).toContain(
      'by year; no figure for 2016, whose weights sum to 0',
    );
  });

  it('sums an area, and gives no sum without all parts', async () => {
    expect(await figures(AREA)).toEqual([
      [2012, 600, 1],
      [2013, 500, 1],
      [2014, null, expect.closeTo((lyon + others) / (lyon + others + page), 9)],
      [2015, 1000, 1],
      [2016, null, expect.closeTo(page / (lyon + osceola + page), 9)],
    ]);
    expect((await figures({ ...AREA, min_weight_present: 0 }))[2]![1]).toBe(400);
    const sum = await client.computeFromParts('Iowa', AREA);
    expect(derivationSteps(sum)).toEqual(['sum of the parts of Iowa']);
    expect(sum.provenance!.request).toMatchObject({ how: 'sum', weighting_func: 'value' });
    expect(frameSeries(sum)[0]!.names.get('metric_name')).toBe('Area harvested, sum of regions');
  });

  it('counts areas of no year among the missing ones also in a weighted average of named regions', async () => {
    const iowa = (await client.searchForEntity('regions', 'Iowa'))!;
    const all = (await client.getDescendant('regions', iowa, { include_details: true })).filter(
      ({ name }) => !/^(?!Other).*agricultural district/.test(name),
    );
    const average = await client.computeCropWeightedAverage({
      ...YIELD,
      weighting_crop_name: 'corn',
      weights_by: 'year',
      regions: all.map(({ id }) => id),
    });
    expect(average.toRows()[0]).toMatchObject({ weight_present: 1 });
  });

  it('carries the name and id of the region', async () => {
    expect((await client.computeFromParts('Iowa', AREA)).toRows()[0]).toMatchObject({
      region_name: 'Iowa',
      region_id: await client.searchForEntity('regions', 'Iowa'),
    });
  });

  it.each([
    [
      'a rate without a metric that weights it',
      'Iowa',
      { ...AREA, metric_name: 'yield' },
      /bu\/ac .* cannot be summed/,
    ],
    ['a region without parts', 'Lyon County, Iowa', AREA, /contains no regions of level 6/],
    ['an unknown region', 'Iowaa', AREA, /no region is called "Iowaa"/],
    ['parts without data', 'Texas', AREA, /there is no series of "area harvested"/],
  ])('refuses %s', async (_, region, options, message) => {
    const refused = client.computeFromParts(region, options);
    await expect(refused).rejects.toThrow(ArgumentError);
    await expect(refused).rejects.toThrow(message);
  });
});
