import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { toRows } from '../../src/frame/formats/rows.js';
import { readProvenance } from '../../src/frame/table/provenance.js';
import { ContractError } from '../../src/model/errors.js';
import { json } from '../client/answering.js';
import { temporaryFolder } from '../temporary-files.js';

const GROUP = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, source_id: 5, frequency_id: 1 };
const HEAD = { metricId: 1, itemId: 2, partnerRegionId: 0, frequencyId: 1, sourceId: 5, unitId: 10 };
const day = (value: unknown, of: number) => [`2020-05-0${of}`, `2020-05-0${of}`, value];
const part = (regionId: number, data: unknown[]) => ({
  series: { ...HEAD, regionId, belongsTo: { regionId: 3 } },
  data,
});
const BY_PARTS = [
  part(31, [day(1, 1), day(2, 2)]),
  part(32, [day(3, 1), day('n/a', 2)]),
  part(31, [day(4, 3)]),
];

/** A service of JSON alone that answers region 3 by its parts. */
function clientOf(answer: unknown = BY_PARTS) {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === 'POST') return json({}, { status: 405 });
    if (pathname === '/v2/data') {
      const isGroup = searchParams.get('regionId') === '3';
      return json(isGroup ? answer : [part(31, [day(1, 1), day(2, 2)])]);
    }
    const ids = searchParams.getAll('ids').map((id) => ({ id: Number(id), name: `entity ${id}` }));
    return json({ data: Object.fromEntries(ids.map((one) => [one.id, one])) });
  };
  return createClient({ api_host: 'http://service.invalid', access_token: 't', fetch });
}

const folder = temporaryFolder();

describe('a saved series that the service answers by its parts', () => {
  const saved = (...regions: number[]) => {
    const client = clientOf();
    for (const region_id of regions) client.addSingleDataSeries({ ...GROUP, region_id });
    return client;
  };
  const points = async (client: ReturnType<typeof clientOf>) =>
    toRows(await client.getDf()).map((row) => [row.region_id, row.value]);

  it('has the points of every part in a long frame, as getDataPoints has them', async () => {
    const rows = await points(saved(3));
    expect(rows).toEqual([
      [31, 1],
      [31, 2],
      [31, 4],
      [32, 3],
      [32, null],
    ]);
    const found = await clientOf().getDataPoints(GROUP);
    expect(found.map(({ region_id, value }) => [region_id, value]).sort()).toEqual(rows.sort());
  });

  it('has no point twice where a part is saved as well', async () => {
    expect(await points(saved(31, 3))).toHaveLength(5);
  });

  it('has a column for each part in a wide frame', async () => {
    const wide = await saved(3).getDf({ compress_format: true });
    expect(wide.schema.fields.slice(1).map(({ metadata }) => metadata.get('region_id'))).toEqual([
      '31',
      '32',
    ]);
    expect(toRows(wide).map((row) => Object.values(row).slice(1))).toEqual([
      [1, 3],
      [2, null],
      [4, null],
    ]);
  });

  it('is named by the report of each part, with what could not be read', async () => {
    const { report } = readProvenance(await saved(3).getDf())!;
    expect(report).toMatchObject([
      { series: { region_id: 31 }, belongs_to: GROUP, rows: 3, outcome: 'data' },
      { series: { region_id: 32 }, belongs_to: GROUP, rows: 2, unreadable_values: 1 },
    ]);
  });

  it('is refused by what needs the one series, and leaves no file', async () => {
    const client = saved(3);
    const season = { base_temperature: 10, start_date: '2020-05-01', end_date: '2020-05-02' };
    const refused = [
      client.computeGdd({ tmin_series: GROUP, tmax_series: GROUP, ...season }),
      client.writeDf(join(folder, 'parts.csv')),
    ];
    for (const result of await Promise.allSettled(refused))
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ContractError) });
    await expect(refused[0]).rejects.toThrow('region 3 in several parts');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is a ContractError where the answer belongs to something else', async () => {
    const client = clientOf([part(31, [day(1, 1)]), { ...part(32, []), series: { ...HEAD, regionId: 32 } }]);
    client.addSingleDataSeries(GROUP);
    await expect(client.getDf()).rejects.toThrow('it has the region_id 32');
  });
});
