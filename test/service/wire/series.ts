import { describe, expect, it } from 'vitest';
import { body, served } from './wire.js';

export function describeSeries(): void {
  describe('series', () => {
    it('lists the series of a selection with names and dates', async () => {
      const { data } = await body<{ data: Record<string, unknown>[] }>('/v2/data_series/list?regionId=250');
      expect(data).toHaveLength(2);
      expect(data[0]).toMatchObject({
        ...served.known.revised,
        region_name: 'France',
        partner_region_name: 'World',
        start_date: '2016-01-01T00:00:00.000Z',
        end_date: '2019-12-31T00:00:00.000Z',
        data_count_estimate: 3,
        metadata: { includes_historical_region: false },
      });
    });

    it('streams them as lines of JSON lists', async () => {
      const response = await served.get('/v2/stream/data_series/list');
      expect(response.headers.get('content-type')).toContain('ndjson');
      const lines = (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown[]);
      const { data } = await body<{ data: unknown[] }>('/v2/data_series/list');
      expect(lines.flat()).toEqual(data);
    });

    it('flags historical regions', async () => {
      const { data } = await body<{ data: { metadata: object }[] }>(
        `/v2/data_series/list?regionId=${served.known.dissolved.region_id}`,
      );
      expect(data.map(({ metadata }) => metadata)).toEqual([{ includes_historical_region: true }]);
    });

    it('ranks sources and frequencies; an empty result is 204', async () => {
      const { metric_id, source_id, frequency_id } = served.known.revised;
      expect(await body(`/v2/available/sources?metricIds=${metric_id}&regionIds=250`)).toEqual([source_id]);
      expect(await body(`/v2/available/time-frequencies?metricIds=${metric_id}&regionIds=250`)).toEqual([
        {
          frequencyId: frequency_id,
          name: 'annual',
          startDate: '2016-01-01T00:00:00.000Z',
          endDate: '2019-12-31T00:00:00.000Z',
        },
      ]);
      for (const path of ['sources', 'time-frequencies']) {
        const response = await served.get(`/v2/available/${path}?metricIds=888888`);
        expect([response.status, await response.text()]).toEqual([204, '']);
      }
    });
  });
}
