import { describe, expect, it } from 'vitest';
import { describePoints } from './wire/points.js';
import { body, idOf, revisedQuery, served, serveForAllTests } from './wire/wire.js';

/** What clients of other makers rely on, over a real socket, with fetch alone. */
serveForAllTests();
describePoints();

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

  it('contain historical regions unless they are not wanted', async () => {
    const withinWorld = async (flag: string) => {
      const path = `/v2/regions/contains?ids=0&distance=-1${flag}`;
      return (await body<{ data: Record<string, number[]> }>(path)).data['0']!.length;
    };
    expect((await withinWorld('')) - (await withinWorld('&includeHistorical=False'))).toBeGreaterThan(20);
  });

  it('accepts ids as a JSON list', async () => {
    const { data } = await body<{ data: object }>(`/v2/regions?ids=${encodeURIComponent('[250, 276]')}`);
    expect(Object.keys(data).sort()).toEqual(['250', '276']);
  });
});

describe('series', () => {
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

describe('geography', () => {
  it('returns centres and shapes in two details, and the text null for a region without a shape', async () => {
    const [centre] = (
      await body<{ data: { centre: number[]; regionName: string }[] }>('/v2/geocentres?regionIds=276')
    ).data;
    expect(centre).toMatchObject({ regionId: 276, regionName: 'Germany' });
    expect(centre!.centre[0]).toBeGreaterThan(47);
    expect(centre!.centre[0]).toBeLessThan(55);
    const shape = async (zoom: number): Promise<string> => {
      const { data } = await body<{ data: { geojson: string }[] }>(
        `/v2/geocentres?includeGeojson=True&regionIds=276&zoom=${zoom}`,
      );
      return data[0]!.geojson;
    };
    const [simple, full] = [await shape(5), await shape(6)];
    expect(JSON.parse(full)).toMatchObject({
      type: 'GeometryCollection',
      geometries: [{ type: 'MultiPolygon' }],
    });
    expect(simple.length).toBeLessThan(full.length);
    const shapeless = async (flags: string) =>
      (await body<{ data: { geojson: unknown }[] }>(`/v2/geocentres?regionIds=0${flags}`)).data[0]!.geojson;
    expect(await shapeless('&includeGeojson=True')).toBe('null');
    expect(await shapeless('&includeGeojson=True&stringify=false')).toBe(null);
    expect(await shapeless('')).toBe(undefined);
  });

  it('returns the shapes of all descendants of a level as objects', async () => {
    const usa = await idOf('regions', 'United States');
    const { data } = await body<{ data: { geojson: { type: string } | null }[] }>(
      `/v2/geocentres?includeGeojson=True&regionIds=${usa}&reqRegionLevelId=4&stringify=false&zoom=1`,
    );
    expect(data.length).toBeGreaterThan(49);
    expect(data.filter(({ geojson }) => geojson?.type === 'GeometryCollection').length).toBeGreaterThan(49);
  });
});

describe('counts', () => {
  it('of facets refuse what they do not know', async () => {
    const refused = async (query: string) => (await served.json(`/v2/facets?${query}`)).body;
    expect(await refused('in=units')).toMatchObject({
      message: expect.stringMatching(/^in\[0\]: "units" is unknown; choose one of metrics, /),
    });
    expect(await refused('limit=0')).toMatchObject({ message: expect.stringContaining('limit') });
  });

  it('have entity tags, and are 304 until the store changes', async () => {
    for (const path of ['/v2/facets', '/v2/search/hits?q=corn', `/v2/vintages?${revisedQuery()}`]) {
      const first = await served.get(path);
      const etag = first.headers.get('etag')!;
      await first.body?.cancel();
      const again = await served.get(path, { 'if-none-match': etag });
      expect(again.status, path).toBe(304);
      expect(again.headers.get('vary')).toBe('accept, accept-encoding, authorization');
    }
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

describe('access and documentation', () => {
  it('returns health, OpenAPI and documentation without a token', async () => {
    expect(await (await fetch(`${served.url}/health`)).json()).toMatchObject({
      status: 'ok',
      engine: 'duckdb',
    });
    const contract = (await (await fetch(`${served.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(contract.openapi).toBe('3.1.0');
    expect(Object.keys(contract.paths)).toContain('/v2/data');
    expect(await (await fetch(`${served.url}/docs`)).text()).toContain('/v2/available/time-frequencies');
  });

  it('tags answers, and answers 304 when the tag matches', async () => {
    const first = await served.get('/v2/units?ids=22', { 'accept-encoding': 'identity' });
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await served.get('/v2/units?ids=22', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await served.get('/v2/units?ids=20', { 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('compresses what the client accepts', async () => {
    const response = await served.get('/v2/regions', { 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(5000);
    expect(response.headers.get('etag')).toMatch(/^W\/"/);
  });
});
