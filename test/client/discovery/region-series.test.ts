import { describe, expect, it } from 'vitest';
import { createServiceClient } from '../../../src/client/client.js';
import { findRegionSeries } from '../../../src/client/discovery/region-series.js';
import { json } from '../answering.js';

const SERIES = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9 };
const YEARS = { start_date: '2000-01-01', end_date: '2001-12-31' };
const MORE_YEARS = { start_date: '2000-01-01', end_date: '2009-12-31' };

/** The series that is chosen of a list, of a service that ranks source 8 first. */
async function chosenOf(list: readonly object[]) {
  const asked: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (pathname === '/v2/search/items') return json([{ id: 2, name: 'Corn', exact: true }]);
    if (pathname === '/v2/search/metrics') return json([{ id: 1, name: 'Yield', exact: true }]);
    return json(pathname === '/v2/available/sources' ? [8, 7] : { data: list });
  };
  const options = { api_host: 'http://service.invalid', access_token: 'token', fetch };
  const { operations, internals } = createServiceClient(options);
  const client = { ...operations, ...internals };
  const found = await findRegionSeries(client, { item: 'corn', metric: 'yield', region_ids: [3] });
  return { series: found.get(3), ranked: asked.includes('/v2/available/sources') };
}

it('is the best covered one where the list says dates and points', async () => {
  const one = { ...SERIES, source_id: 7, ...MORE_YEARS, data_count_estimate: 10 };
  const other = { ...SERIES, source_id: 8, ...YEARS, data_count_estimate: 2 };
  expect(await chosenOf([one, other])).toEqual({ series: one, ranked: false });
});

it.each([
  ['dates', { data_count_estimate: 2 }],
  ['a number of points', YEARS],
])('is of the source that the service ranks first where the list leaves out %s', async (_, said) => {
  const one = { ...SERIES, source_id: 7, ...MORE_YEARS, data_count_estimate: 10 };
  const other = { ...SERIES, source_id: 8, ...said };
  expect(await chosenOf([one, other])).toEqual({ series: other, ranked: true });
});

it('is none of several frequencies whose dates would decide', async () => {
  const one = { ...SERIES, source_id: 7, ...YEARS, data_count_estimate: 2 };
  const other = { ...SERIES, source_id: 8, frequency_id: 6 };
  await expect(chosenOf([one, other])).rejects.toThrow(
    'the series of metric 1, item 2 and region 3 have several frequencies, and the service does not say the start_date',
  );
});

describe('of hits that the service has moved', () => {
  /** Wheat, then the item 20, which is now 2; the metric 10 is now 1. */
  const items = [
    { id: 4, name: 'Wheat', exact: false },
    { id: 20, name: 'Corn', exact: false },
  ];
  const metrics = [{ id: 10, name: 'Yield', exact: false }];
  const moves: Readonly<Record<string, string>> = { '10': '1', '20': '2' };
  const redirects = [
    { old_metric_id: 10, new_metric_id: 1 },
    { old_item_id: 20, new_item_id: 2 },
  ];
  const wheat = { ...SERIES, item_id: 4, source_id: 7, ...YEARS, data_count_estimate: 2 };
  const corn = { ...wheat, item_id: 2 };

  function clientOf(series: readonly (typeof corn)[]) {
    const fetch = async ({ url }: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(url);
      if (pathname === '/v2/search/items') return json(items);
      if (pathname === '/v2/search/metrics') return json(metrics);
      if ([...searchParams.values()].some((id) => id in moves))
        return json({ data: redirects }, { status: 301 });
      if (pathname === '/v2/available/sources') return json([7]);
      const asked = searchParams.getAll('itemId');
      return json({ data: series.filter(({ item_id }) => asked.includes(String(item_id))) });
    };
    const options = { api_host: 'http://service.invalid', access_token: 'token', fetch };
    const { operations, internals } = createServiceClient(options);
    return { ...operations, ...internals };
  }
  const NAMES = { item: 'grain', metric: 'yeild' };
  const matched = {
    item: { requested: 'grain', id: 2, name: 'Corn', exact: false },
    metric: { requested: 'yeild', id: 1, name: 'Yield', exact: false },
  };

  it('is of the first of them, and names the entity used', async () => {
    const request = { ...NAMES, region_ids: [3] };
    const both = await findRegionSeries(clientOf([corn, wheat]), request);
    expect(both.get(3)).toMatchObject({ item_id: 4, matched: { item: { name: 'Wheat' } } });
    const one = await findRegionSeries(clientOf([corn]), request);
    expect(one.get(3)).toEqual({ ...corn, matched });
  });

  it('are found in their order, each with the entities used', async () => {
    const found: unknown[] = [];
    for await (const series of clientOf([corn, wheat]).findDataSeries(NAMES)) found.push(series);
    expect(found).toMatchObject([{ item_id: 4 }, { item_id: 2, matched }]);
  });
});
