import { describe, expect, it } from 'vitest';
import { findRegionSeries } from '../../../src/client/discovery/region-series.js';
import { createClient } from '../../../src/create-client.js';
import type { DataSeries } from '../../../src/model/series.js';
import { collect } from '../../sequences.js';
import { json } from '../answering.js';

const KEY = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9 };
const years = (source_id: number, from: number, to: number, more: object = {}) => ({
  ...KEY,
  source_id,
  source_name: `source ${source_id}`,
  start_date: `${from}-01-01T00:00:00.000Z`,
  end_date: `${to}-12-31T00:00:00.000Z`,
  ...more,
});

interface World {
  /** What the list of series shows. */
  readonly listed: readonly ReturnType<typeof years>[];
  /** The answer of the ranking: sources, or 204. */
  readonly ranked: readonly number[] | 204;
  readonly hits?: Record<string, readonly { id: number; name: string; exact: boolean }[]> | undefined;
}

const HITS = { metrics: [{ id: 1, name: 'Yield', exact: true }] };

function clientOf({ listed, ranked, hits = HITS }: World) {
  const requests: URL[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    const asked = new URL(url);
    requests.push(asked);
    const { pathname, searchParams } = asked;
    const [, searched] = /^\/v2\/search\/(\w+)$/.exec(pathname) ?? [];
    if (pathname === '/v2/resolve') return new Response(null, { status: 404 });
    if (searched !== undefined) return json(hits[searched as keyof typeof hits] ?? []);
    if (pathname === '/v2/available/sources')
      return typeof ranked === 'number' ? new Response(null, { status: ranked }) : json(ranked);
    if (pathname === '/v2/sources')
      return json({ data: searchParams.get('ids') === '3' ? { 3: { id: 3, name: 'the third' } } : {} });
    const fits = (one: object) =>
      [...searchParams].every(([name]) => {
        const field = name.replace(/Id$/, '_id').replace('partnerRegion', 'partner_region');
        return searchParams.getAll(name).includes(String((one as Record<string, unknown>)[field]));
      });
    return json({ data: listed.filter(fits) });
  };
  const client = createClient({ api_host: 'http://service.invalid', access_token: 't', fetch });
  return { client, requests };
}

const sources = (found: readonly DataSeries[]) => found.map(({ source_id }) => source_id);

describe('findDataSeries', () => {
  const find = ({ client }: ReturnType<typeof clientOf>, options: object = {}) =>
    collect(client.findDataSeries({ metric: 'Yield', explain: true, ...options }));

  it('lets the service decide among the sources of a combination, for the wanted dates', async () => {
    const service = clientOf({ listed: [years(1, 2000, 2020), years(2, 2010, 2015)], ranked: [2, 1] });
    const found = await find(service, { start_date: '2010-01-01' });
    expect(sources(found)).toEqual([2, 1]);
    expect(found[0]).toMatchObject({
      start_date: '2010-01-01T00:00:00.000Z',
      end_date: '2015-12-31T00:00:00.000Z',
    });
    const ranking = service.requests.find(({ pathname }) => pathname === '/v2/available/sources')!;
    expect(ranking.searchParams.get('startDate')).toBe('2010-01-01T00:00:00.000Z');
    expect(ranking.searchParams.has('endDate')).toBe(false);
    expect(ranking.searchParams.getAll('frequencyIds')).toEqual(['9']);
  });

  it('orders combinations by their coverage', async () => {
    const listed = [years(1, 2000, 2009), years(1, 1990, 2009, { frequency_id: 6 })];
    const found = await find(clientOf({ listed, ranked: [1] }));
    expect(found.map(({ frequency_id }) => frequency_id)).toEqual([6, 9]);
    const shares = found.map(({ coverage }) => coverage.share);
    expect(shares).toEqual([1, 0.5]);
  });

  it('yields what a name means before what covers the period better, and says what else it took', async () => {
    const lesser = { metric_id: 7, metric_name: 'Yield, dry' };
    const hits = {
      metrics: [
        { id: 7, name: 'Yield, dry', exact: false },
        { id: 1, name: 'Yield', exact: true },
      ],
    };
    const listed = [years(1, 1950, 2020, lesser), years(1, 2019, 2020)];
    const found = await find(clientOf({ listed, ranked: [1], hits }));
    expect(found.map(({ metric_id, matched }) => [metric_id, matched?.metric?.name])).toEqual([
      [1, undefined],
      [7, 'Yield, dry'],
    ]);
  });

  it('yields an available source that the list does not show, with its name and no dates of its own', async () => {
    const world = { listed: [years(1, 2000, 2020)], ranked: [3, 1] };
    const [first, second] = await find(clientOf(world));
    expect(first).toMatchObject({ ...KEY, source_id: 3, source_name: 'the third' });
    expect([first!.start_date, first!.end_date, first!.coverage.share]).toEqual([undefined, undefined, 0]);
    expect(second).toMatchObject(years(1, 2000, 2020));
    const [wanted] = await find(clientOf(world), { start_date: '2001-01-01' });
    expect([wanted!.start_date, wanted!.end_date]).toEqual(['2001-01-01T00:00:00.000Z', undefined]);
  });

  it.each([[204], [[]]] as const)('loses no series to a service that ranks %j', async (ranked) => {
    const found = await find(clientOf({ listed: [years(1, 2000, 2005), years(2, 2000, 2020)], ranked }));
    expect(sources(found).sort()).toEqual([1, 2]);
  });

  it('yields the series of the world before those of partners, which cover more', async () => {
    const partnered = { partner_region_id: 5 };
    const listed = [years(1, 1950, 2020, partnered), years(1, 2019, 2020)];
    const found = await find(clientOf({ listed, ranked: [1] }));
    expect(found.map(({ partner_region_id }) => partner_region_id)).toEqual([0, 5]);
  });
});

describe('rankSeriesBySource', () => {
  const given = years(1, 2000, 2020);

  it('yields ranked sources that the list leaves out, and a listed series that is not ranked last', async () => {
    const { client } = clientOf({ listed: [years(2, 2000, 2001), given], ranked: [3, 2] });
    const ranked = await collect(client.rankSeriesBySource([given, { ...given, source_id: 8 }]));
    expect(ranked).toMatchObject([
      { source_id: 3, source_name: 'the third', start_date: given.start_date },
      { source_id: 2, source_name: 'source 2' },
      given,
    ]);
    expect(ranked).toHaveLength(3);
  });
});

it('findRegionSeries takes the source that a service of the JSON base ranks first', async () => {
  const hits = { ...HITS, items: [{ id: 2, name: 'Corn', exact: true }] };
  const other = years(8, 2000, 2001);
  const { client } = clientOf({ listed: [years(7, 2000, 2009), other], ranked: [8, 7], hits });
  const found = await findRegionSeries(client, { item: 'corn', metric: 'yield', region_ids: [3] });
  expect(found.get(3)).toEqual(other);
});
