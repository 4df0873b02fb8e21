import { describe, expect, it } from 'vitest';
import { body, idOf, served } from './wire.js';

export function describeEntities(): void {
  describe('entities', () => {
    it('returns several by id; unknown ids are absent', async () => {
      const { data } = await body<{ data: Record<string, { id: number; name: string }> }>(
        '/v2/regions?ids=250&ids=276&ids=888888',
      );
      expect(Object.keys(data).sort()).toEqual(['250', '276']);
      expect(data['250']).toMatchObject({
        id: 250,
        name: 'France',
        level: 3,
        historical: false,
        belongsTo: [1150],
      });
    });

    it.each([
      ['/v2/items?ids=1&ids=', 301],
      ['/v2/items/belongs-to?distance=1&ids=', 301],
      ['/v2/available/sources?itemIds=', 301],
      ['/v2/available/time-frequencies?itemIds=', 301],
      ['/v2/units/allowed?metricIds=1&itemIds=', 301],
      ['/v2/metrics?ids=', 200],
      ['/v2/available/sources?metricIds=', 204],
    ])('%s an id that has changed: answered by %d', async (path, status) => {
      const { from, to } = served.known.redirect;
      const response = await served.get(path + from);
      expect(response.status).toBe(status);
      const answer = await response.text();
      if (status === 301)
        expect(JSON.parse(answer)).toEqual({
          data: [{ old_item_id: from, new_item_id: to, source_id: null }],
        });
    });

    it('accepts ids as a JSON list', async () => {
      const { data } = await body<{ data: object }>(`/v2/regions?ids=${encodeURIComponent('[250, 276]')}`);
      expect(Object.keys(data).sort()).toEqual(['250', '276']);
    });

    it('returns one by path', async () => {
      const { data } = await body<{ data: { name: string } }>('/v2/frequencies/9');
      expect(data).toEqual({ id: 9, name: 'annual', abbrev: 'y', periodLength: { years: 1 } });
    });

    it.each(['metrics', 'items', 'regions', 'frequencies', 'sources', 'units'])(
      'lists %s, at most 5000',
      async (type) => {
        const { data } = await body<{ data: { id: number }[] }>(`/v2/${type}`);
        expect(data.length).toBeGreaterThan(0);
        expect(data.length).toBeLessThanOrEqual(5000);
        if (type === 'regions') expect(data).toHaveLength(5000);
      },
    );

    it('returns the licence of sources and the conversion factor of units', async () => {
      const sources = await body<{ data: Record<string, unknown> }>(
        `/v2/sources?ids=${served.known.revised.source_id}`,
      );
      expect(Object.values(sources.data)[0]).toMatchObject({
        licence: expect.any(String),
        citation: expect.any(String),
        url: expect.stringMatching(/^https/),
      });
      const units = await body<{ data: Record<string, unknown> }>('/v2/units?ids=22');
      expect(units.data['22']).toMatchObject({
        abbreviation: 'kha',
        baseConvFactor: { factor: 1000 },
        dimension: 'area',
      });
    });

    it('searches one type or all types', async () => {
      const hits = await body<{ id: number }[]>('/v2/search/regions?q=France');
      expect(hits[0]).toEqual({ id: 250, name: 'France', exact: true });
      const all = await body<[number, string][]>('/v2/search?q=corn');
      expect(all[0]).toEqual([served.known.revised.item_id, 'item']);
    });

    it('traverses containment down and up, by distance and level, with and without historical regions', async () => {
      const usa = await idOf('regions', 'United States');
      const children = await body<{ data: Record<string, number[]> }>(
        `/v2/regions/contains?ids=${usa}&distance=1`,
      );
      const counties = await body<{ data: Record<string, number[]> }>(
        `/v2/regions/contains?ids=${usa}&level=5`,
      );
      expect(children.data[usa]!.length).toBeGreaterThan(49);
      expect(counties.data[usa]!.length).toBeGreaterThan(3000);
      const all = await body<{ data: Record<string, number[]> }>('/v2/regions/contains?ids=0&distance=-1');
      const current = await body<{ data: Record<string, number[]> }>(
        '/v2/regions/contains?ids=0&distance=-1&includeHistorical=False',
      );
      expect(all.data['0']!.length - current.data['0']!.length).toBeGreaterThan(20);
      const above = await body<{ data: Record<string, number[]> }>(
        '/v2/regions/belongs-to?ids=250&distance=-1',
      );
      expect(above.data['250']).toEqual([0, 1150]);
    });

    it('lists combinations that have data', async () => {
      const { data } = await body<{ data: Record<string, unknown>[] }>('/v2/entities/list?regionId=250');
      expect(data).toEqual([
        expect.objectContaining({
          metric_name: 'Area harvested',
          item_name: 'Corn',
          region_name: 'France',
          region_id: 250,
          source_id: 22,
        }),
      ]);
      expect(Object.keys(data[0]!).sort()).toEqual(
        'item_id item_name metric_id metric_name region_id region_name source_id source_name'.split(' '),
      );
    });

    it('lists the allowed units of a metric and item', async () => {
      const { metric_id, item_id } = served.known.revised;
      const { data } = await body<{ data: { id: number }[] }>(
        `/v2/units/allowed?metricIds=${metric_id}&itemIds=${item_id}`,
      );
      expect(data.map(({ id }) => id)).toContain(22);
      expect(data.length).toBeGreaterThan(1);
    });
  });
}
