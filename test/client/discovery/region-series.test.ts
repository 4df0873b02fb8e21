import { expect, it } from 'vitest';
import { createServiceClient } from '../../../src/client/client.js';
import { findRegionSeries } from '../../../src/client/discovery/region-series.js';
import { json } from '../answering.js';

const SERIES = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9 };
const YEARS = { start_date: '2000-01-01', end_date: '2001-12-31' };
const MORE_YEARS = { start_date: '2000-01-01', end_date: '2009-12-31' };

/** The series that is chosen of a list, of a service that ranks source 8 first. */
async function chosenOf(list: readonly object[]) {
  const fetch = async ({ url }: Request): Promise<Response> => {
    const { pathname } = new URL(url);
    if (pathname === '/v2/resolve') return new Response(null, { status: 404 });
    if (pathname === '/v2/search/items') return json([{ id: 2, name: 'Corn', exact: true }]);
    if (pathname === '/v2/search/metrics') return json([{ id: 1, name: 'Yield', exact: true }]);
    return json(pathname === '/v2/available/sources' ? [8, 7] : { data: list });
  };
  const options = { api_host: 'http://service.invalid', access_token: 'token', fetch };
  const { operations, internals } = createServiceClient(options);
  const client = { ...operations, ...internals };
  const found = await findRegionSeries(client, { item: 'corn', metric: 'yield', region_ids: [3] });
  return found.get(3);
}

it('is of the source that a service of the JSON base ranks first', async () => {
  const one = { ...SERIES, source_id: 7, ...MORE_YEARS, data_count_estimate: 10 };
  const other = { ...SERIES, source_id: 8, ...YEARS };
  expect(await chosenOf([one, other])).toEqual(other);
});
