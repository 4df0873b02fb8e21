import { describe, expect, it } from 'vitest';
import { body, idOf, revisedQuery, served } from './wire.js';

interface Counts {
  series: number;
  more: Record<string, number>;
  lifted: Record<string, number>;
  [facet: string]: unknown;
}

const facets = async (query: string) => (await body<{ data: Counts }>(`/v2/facets?${query}`)).data;

export function describeCounts(): void {
  describe('counts', () => {
    it('of facets have every facet, or those that are asked for', async () => {
      const all = await facets('');
      expect(Object.keys(all)).toEqual(
        'series metrics items regions partner_regions sources frequencies more lifted'.split(' '),
      );
      const { metric_id, region_id } = served.known.trade;
      const some = await facets(`metricId=${metric_id}&regionId=${region_id}&in=partner_regions&in=metrics`);
      expect(some.partner_regions).toEqual([
        { id: 276, name: 'Germany', series: 1 },
        { id: 0, name: 'World', series: 1 },
      ]);
      expect(some).toMatchObject({ series: 2, more: { partner_regions: 0, metrics: 0 } });
      expect(Object.keys(some)).toEqual(['series', 'metrics', 'partner_regions', 'more', 'lifted']);
    });

    it('of facets follow ids that have changed, and refuse what they do not know', async () => {
      const { from, to } = served.known.redirect;
      const moved = await served.json(`/v2/facets?itemId=${from}`);
      expect(moved).toMatchObject({
        status: 301,
        body: { data: [{ old_item_id: from, new_item_id: to, source_id: null }] },
      });
      const refused = async (query: string) => (await served.json(`/v2/facets?${query}`)).body;
      expect(await refused('in=units')).toMatchObject({
        message: expect.stringMatching(/^in\.0: choose one of metrics, /),
      });
      expect(await refused('limit=0')).toMatchObject({ message: expect.stringContaining('limit') });
      expect(await refused('itemsId=1')).toMatchObject({
        message: 'itemsId: there is no such parameter; did you mean itemId?',
      });
    });

    it('have entity tags, and are 304 until the store changes', async () => {
      for (const path of ['/v2/facets', '/v2/search/hits?q=corn', `/v2/vintages?${revisedQuery()}`]) {
        const first = await served.get(path);
        const etag = first.headers.get('etag')!;
        await first.body?.cancel();
        const again = await served.get(path, { 'if-none-match': etag });
        expect(again.status, path).toBe(304);
      }
    });

    it('come with hits of all types', async () => {
      const { data } = await body<{ data: Record<string, unknown>[] }>('/v2/search/hits?q=corn&limit=1');
      const id = await idOf('items', 'Corn');
      const series = await facets(`itemId=${id}`);
      expect(data).toEqual([{ entity_type: 'items', id, name: 'Corn', series: series.series, exact: true }]);
    });

    it('of vintages are by available and by reporting date', async () => {
      const { data } = await body<{ data: unknown }>(`/v2/vintages?${revisedQuery()}`);
      const date = (day: string, points: number) => ({ date: `${day}T00:00:00.000Z`, points });
      expect(data).toEqual({
        series: 1,
        points: 6,
        available_dates: [
          date('2017-01-11', 1),
          date('2017-06-11', 1),
          date('2017-07-01', 1),
          date('2018-01-11', 1),
          date('2018-06-11', 1),
          date('2020-01-11', 1),
        ],
        reporting_dates: [
          date('2017-01-10', 1),
          date('2017-06-10', 2),
          date('2018-01-10', 1),
          date('2018-06-10', 1),
        ],
        more: { available_dates: 0, reporting_dates: 0 },
      });
      const latest = await body<{ data: object }>(`/v2/vintages?${revisedQuery()}&limit=1`);
      expect(latest.data).toMatchObject({
        available_dates: [date('2020-01-11', 1)],
        reporting_dates: [date('2018-06-10', 1)],
        more: { available_dates: 5, reporting_dates: 3 },
      });
    });
  });
}
