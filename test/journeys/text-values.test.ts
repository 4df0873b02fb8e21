import { expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { readProvenance } from '../../src/frame/table/provenance.js';
import { json } from '../client/answering.js';

const KEY = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, source_id: 5, frequency_id: 9 };
const HEAD = { metricId: 1, itemId: 2, partnerRegionId: 0, frequencyId: 9, sourceId: 5, unitId: 10 };
const year = (value: unknown, of: number) => [`${of}-01-01`, `${of}-12-31`, value];
const BLOCKS = [
  { series: { ...HEAD, regionId: 3 }, data: [year('n/a', 2019), year(4, 2020), year('12.5', 2021)] },
  { series: { ...HEAD, regionId: 4 }, data: [year(null, 2019), year(7, 2020)] },
];
const TONNE = {
  id: 10,
  name: 'tonne',
  abbreviation: 't',
  baseConvFactor: { factor: 1000 },
  dimension: 'mass',
};
const KILOGRAM = { ...TONNE, id: 11, name: 'kilogram', abbreviation: 'kg', baseConvFactor: { factor: 1 } };

/** A service of JSON alone that sends texts for values. */
function clientOf() {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === 'POST') return json({}, { status: 405 });
    const regions = searchParams.getAll('regionId');
    if (pathname === '/v2/data')
      return json(BLOCKS.filter(({ series }) => regions.includes(String(series.regionId))));
    const ids = searchParams.getAll('ids');
    const entities = pathname === '/v2/units' ? [TONNE, KILOGRAM] : ids.map((id) => ({ id: Number(id) }));
    const found = entities.filter(({ id }) => ids.includes(String(id)));
    return json({ data: Object.fromEntries(found.map((entity) => [entity.id, entity])) });
  };
  return createClient({ api_host: 'http://service.invalid', access_token: 't', fetch });
}

const counted = (
  report: readonly { series: { region_id: number }; unreadable_values?: number | undefined }[],
) => report.map(({ series, unreadable_values }) => [series.region_id, unreadable_values]);

it('leave the array what it is beside its report', async () => {
  const points = await clientOf().getDataPoints({ ...KEY, region_id: 4 });
  expect(Object.keys(points)).toEqual(['0', '1']);
  expect(counted(points.report)).toEqual([[4, undefined]]);
});

it('are counted in the metadata of tables and frames', async () => {
  const client = clientOf();
  const table = await client.getDataPointsTable({ ...KEY, region_id: [3, 4] });
  for (const region_id of [3, 4]) client.addSingleDataSeries({ ...KEY, region_id });
  const frames = [table, await client.getDf(), await client.getDf({ compress_format: true })];
  for (const frame of frames)
    expect(counted(readProvenance(frame)!.report)).toEqual([
      [3, 2],
      [4, undefined],
    ]);
});
