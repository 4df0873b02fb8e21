import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMAIL, PASSWORD, type Served, serveStore } from './serving-store.js';

/** Every endpoint over a real socket, with fetch alone. */
let served: Served;
beforeAll(async () => {
  served = await serveStore();
});
afterAll(() => served?.close());

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const idOf = async (type: string, words: string): Promise<number> => {
  const { body } = (await served.json(`/v2/search/${type}?q=${encodeURIComponent(words)}`)) as {
    body: { id: number }[];
  };
  return body[0]!.id;
};

async function body<Body>(path: string): Promise<Body> {
  const { status, body: found } = await served.json(path);
  expect(status, path).toBe(200);
  return found as Body;
}

function revisedQuery(): string {
  const { metric_id, item_id, region_id, source_id, frequency_id } = served.known.revised;
  return `metricId=${metric_id}&itemId=${item_id}&regionId=${region_id}&sourceId=${source_id}&frequencyId=${frequency_id}`;
}

interface Block {
  series: Record<string, unknown>;
  data: [string, string, number | null, string | null, number, unknown, string | null][];
}

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
    expect(units.data['22']).toMatchObject({ abbreviation: 'kha', baseConvFactor: { factor: 1000 } });
  });

  it('searches one type or all types', async () => {
    const hits = await body<{ id: number }[]>('/v2/search/regions?q=France');
    expect(hits[0]).toEqual({ id: 250 });
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
    expect(Object.keys(data[0]!).sort()).toEqual([
      'item_id',
      'item_name',
      'metric_id',
      'metric_name',
      'region_id',
      'region_name',
      'source_id',
      'source_name',
    ]);
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

describe('points', () => {
  const blocks = (flags = ''): Promise<Block[]> =>
    body(`/v2/data?${revisedQuery()}&responseType=list_of_series${flags}`);
  const values = async (flags = ''): Promise<unknown[]> =>
    (await blocks(flags)).flatMap(({ data }) => data.map(([start, , value]) => [start.slice(0, 4), value]));

  it('returns the latest revision of each period, also a revision to null', async () => {
    const [block] = await blocks();
    expect(block!.series).toMatchObject({
      metricId: served.known.revised.metric_id,
      partnerRegionId: 0,
      unitId: 22,
      belongsTo: { regionId: 250 },
      metadata: { includesHistoricalRegion: false, includesHistoricalPartnerRegion: false },
    });
    expect(block!.data).toEqual([
      [
        '2016-01-01T00:00:00.000Z',
        '2016-12-31T00:00:00.000Z',
        111,
        '2017-06-10T00:00:00.000Z',
        22,
        null,
        null,
      ],
      [
        '2017-01-01T00:00:00.000Z',
        '2017-12-31T00:00:00.000Z',
        null,
        '2018-06-10T00:00:00.000Z',
        22,
        null,
        null,
      ],
      ['2019-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z', 140, null, 22, null, null],
    ]);
  });

  it.each(['showReportingDate=True', 'showRevisions=true'])(
    'returns each reporting date with %s',
    async (flag) => {
      expect(await values(`&${flag}`)).toEqual([
        ['2016', 100],
        ['2016', 111],
        ['2017', 120],
        ['2017', null],
        ['2019', 140],
      ]);
    },
  );

  it('returns every vintage with showHistory', async () => {
    expect(await values('&showHistory=true')).toEqual([
      ['2016', 100],
      ['2016', 110],
      ['2016', 111],
      ['2017', 120],
      ['2017', null],
      ['2019', 140],
    ]);
  });

  it('returns what was available at a time, or since a time', async () => {
    expect(await values('&atTime=2017-03-01')).toEqual([['2016', 100]]);
    expect(await values('&atTime=2018-03-01')).toEqual([
      ['2016', 111],
      ['2017', 120],
    ]);
    expect(await values('&availableSince=2018-06-01')).toEqual([
      ['2017', null],
      ['2019', 140],
    ]);
  });

  it('returns points that overlap the requested dates', async () => {
    expect(await values('&startDate=2016-12-31&endDate=2017-01-01')).toEqual([
      ['2016', 111],
      ['2017', null],
    ]);
  });

  it('fills periods without data with nulls', async () => {
    expect(await values('&insertNull=true')).toEqual([
      ['2016', 111],
      ['2017', null],
      ['2018', null],
      ['2019', 140],
    ]);
    expect(await values('&insertNull=true&startDate=2018-01-01&endDate=2021-06-01')).toEqual([
      ['2018', null],
      ['2019', 140],
      ['2020', null],
      ['2021', null],
    ]);
  });

  it('returns no available date for filled periods', async () => {
    const flags = '&insertNull=true&showAvailableDate=true';
    const [block] = await blocks(flags);
    expect(block!.data.map((point) => point[6] === null)).toEqual([false, false, true, false]);
    const accept = { accept: 'application/vnd.apache.arrow.stream' };
    const response = await served.get(`/v2/data?${revisedQuery()}${flags}`, accept);
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect([...table.getChild('available_date')!].map((date) => date === null)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('returns available dates and metadata on request', async () => {
    const [block] = await blocks('&showAvailableDate=true&showMetaData=true');
    expect(block!.data[1]!.slice(2)).toEqual([
      null,
      '2018-06-10T00:00:00.000Z',
      22,
      { flag: 'M' },
      '2018-06-11T00:00:00.000Z',
    ]);
  });

  it('converts to a unit', async () => {
    const [block] = await blocks('&unitId=20');
    expect(block!.data.map(([, , value, , unit]) => [value, unit])).toEqual([
      [111_000, 20],
      [null, 20],
      [140_000, 20],
    ]);
  });

  it('selects partner regions; 0 is the same as none', async () => {
    const partner = served.known.trade.partner_region_id;
    const [block] = await body<Block[]>(`/v2/data?${revisedQuery()}&partnerRegionId=${partner}`);
    expect(block!.series).toMatchObject({ partnerRegionId: partner });
    expect(block!.data.map(([, , value]) => value)).toEqual([5]);
    expect(await values('&partnerRegionId=0')).toEqual(await values());
  });

  it('excludes historical regions on request', async () => {
    const query = revisedQuery().replace(
      'regionId=250',
      `regionId=250&regionId=${served.known.dissolved.region_id}`,
    );
    expect(await body<Block[]>(`/v2/data?${query}`)).toHaveLength(2);
    expect(await body<Block[]>(`/v2/data?${query}&includeHistorical=false`)).toHaveLength(1);
  });

  it('returns the same as an Arrow stream, with every requested series in its metadata', async () => {
    const query = revisedQuery().replace('regionId=250', 'regionId=250&regionId=276');
    const response = await served.get(`/v2/data?${query}&showAvailableDate=true`, {
      accept: 'application/vnd.apache.arrow.stream',
    });
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    const series = JSON.parse(table.schema.metadata.get('cropframe.series')!) as {
      region_id: number;
      unit_id: number | null;
    }[];
    expect(series.map(({ region_id, unit_id }) => [region_id, unit_id])).toEqual([
      [250, 22],
      [276, null],
    ]);
    expect([...table.getChild('value')!]).toEqual([111, null, 140]);
    expect([...table.getChild('series')!]).toEqual([0, 0, 0]);
    expect(
      [...table.getChild('reporting_date')!].map((ms) =>
        ms === null ? null : new Date(Number(ms)).toISOString().slice(0, 10),
      ),
    ).toEqual(['2017-06-10', '2018-06-10', null]);
    expect(table.schema.fields.find(({ name }) => name === 'start_date')!.type.toString()).toBe(
      'Timestamp<MILLISECOND, UTC>',
    );
  });

  it('answers several selections in one POST, as JSON and as Arrow', async () => {
    const { metric_id, item_id, region_id, source_id, frequency_id } = served.known.revised;
    const one = {
      metricId: metric_id,
      itemId: [item_id],
      regionId: region_id,
      sourceId: source_id,
      frequencyId: frequency_id,
    };
    const selections = [
      one,
      { ...one, partnerRegionId: served.known.trade.partner_region_id },
      { ...one, regionId: 276 },
    ];
    const post = (accept: string): Promise<Response> =>
      fetch(`${served.url}/v2/data`, {
        method: 'POST',
        headers: { authorization: 'Bearer cf_test-token', 'content-type': 'application/json', accept },
        body: JSON.stringify(selections),
      });
    const json = (await (await post('application/json')).json()) as Block[];
    expect(json.map(({ data }) => data.map(([, , value]) => value))).toEqual([[111, null, 140], [5]]);
    const table = tableFromIPC(
      new Uint8Array(await (await post('application/vnd.apache.arrow.stream')).arrayBuffer()),
    );
    expect([...table.getChild('series')!]).toEqual([0, 0, 0, 1]);
    expect(JSON.parse(table.schema.metadata.get('cropframe.series')!)).toHaveLength(3);
  });

  it('redirects changed ids in a POST too', async () => {
    const { metric_id, region_id, source_id, frequency_id } = served.known.revised;
    const one = {
      metricId: metric_id,
      itemId: served.known.redirect.from,
      regionId: region_id,
      sourceId: source_id,
    };
    const response = await fetch(`${served.url}/v2/data`, {
      method: 'POST',
      headers: { authorization: 'Bearer cf_test-token', 'content-type': 'application/json' },
      body: JSON.stringify([{ ...one, frequencyId: frequency_id }]),
      redirect: 'manual',
    });
    expect(response.status).toBe(301);
    expect(await response.json()).toMatchObject({ data: [{ new_item_id: served.known.redirect.to }] });
  });

  it('redirects changed ids by a 301 without a location', async () => {
    const { redirect } = served.known;
    const response = await served.get(
      `/v2/data?${revisedQuery().replace(`itemId=${redirect.to}`, `itemId=${redirect.from}`)}`,
    );
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe(null);
    expect(await response.json()).toEqual({
      data: [{ old_item_id: redirect.from, new_item_id: redirect.to, source_id: null }],
    });
  });
});

describe('ranking and geography', () => {
  it('ranks regions and items by cumulative value', async () => {
    const { metric_id, item_id, source_id, frequency_id } = served.known.revised;
    const required = `metricId=${metric_id}&frequencyId=${frequency_id}&sourceId=${source_id}`;
    const regions = await body<Record<string, number>[]>(`/v2/top/regions?${required}&itemId=${item_id}&n=3`);
    expect(regions).toHaveLength(3);
    expect(Object.keys(regions[0]!).sort()).toEqual([
      'frequencyId',
      'itemId',
      'metricId',
      'regionId',
      'sourceId',
      'unitId',
      'value',
    ]);
    const items = await body<Record<string, number>[]>(`/v2/top/items?${required}&regionId=250`);
    expect(items).toEqual([
      expect.objectContaining({ itemId: item_id, regionId: 250, unitId: 22, value: 251 }),
    ]);
  });

  it('returns centres and shapes in two details, and null for a region without a shape', async () => {
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
    const none = await body<{ data: { geojson: null }[] }>('/v2/geocentres?includeGeojson=True&regionIds=0');
    expect(none.data[0]!.geojson).toBe(null);
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

describe('access and documentation', () => {
  it('returns a token for an email and its password', async () => {
    const post = (password: string): Promise<Response> =>
      fetch(`${served.url}/api-token`, {
        method: 'POST',
        body: new URLSearchParams({ email: EMAIL, password }),
      });
    const answer = (await (await post(PASSWORD)).json()) as { data: { accessToken: string } };
    const used = await fetch(`${served.url}/v2/units?ids=22`, {
      headers: { authorization: `Bearer ${answer.data.accessToken}` },
    });
    expect(used.status).toBe(200);
    expect((await post('wrong')).status).toBe(401);
  });

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
    expect(response.headers.get('etag')).toMatch(/-gzip"$/);
  });

  it('writes dates as ISO 8601 with milliseconds and Z', async () => {
    const { data } = await body<{ data: { start_date: string; end_date: string }[] }>('/v2/data_series/list');
    for (const { start_date, end_date } of data)
      expect([start_date, end_date].every((date) => ISO.test(date))).toBe(true);
  });
});
