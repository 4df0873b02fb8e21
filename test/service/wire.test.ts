import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPointAnswer } from '../../src/client/points/point-answer.js';
import { ARROW_STREAM as ARROW, RUNS } from '../../src/contract/wire-names.js';
import { formatDay } from '../../src/model/time.js';
import { type Served, serveStore } from './serving-store.js';

// What clients of other makers rely on, over a real socket, with fetch alone.

let served: Served;
beforeAll(async () => {
  served = await serveStore();
});
afterAll(() => served?.close());

/** The JSON body of a successful GET. */
async function body<Body>(path: string): Promise<Body> {
  const { status, body: found } = await served.json(path);
  expect(status, path).toBe(200);
  return found as Body;
}

/** The query of the series with revisions. */
function revisedQuery(): string {
  const { metric_id, item_id, region_id, source_id, frequency_id } = served.known.revised;
  return `metricId=${metric_id}&itemId=${item_id}&regionId=${region_id}&sourceId=${source_id}&frequencyId=${frequency_id}`;
}

/** A series block of a JSON answer. */
interface Block {
  series: Record<string, unknown>;
  data: [string, string, number | null, string | null, number, unknown, string | null][];
}

describe('points', () => {
  const blocks = (flags = ''): Promise<Block[]> =>
    body(`/v2/data?${revisedQuery()}&responseType=list_of_series${flags}`);
  const values = async (flags = ''): Promise<unknown[]> =>
    (await blocks(flags)).flatMap(({ data }) =>
      data.map(([start, , value]) => `${start.slice(0, 4)}: ${value}`),
    );
  const tableOf = async (response: Response) => tableFromIPC(new Uint8Array(await response.arrayBuffer()));

  it('returns the latest revision of each period, also a revision to null', async () => {
    const [block] = await blocks();
    expect(block!.series).toMatchObject({
      metricId: served.known.revised.metric_id,
      partnerRegionId: 0,
      unitId: 22,
      belongsTo: { regionId: 250 },
      metadata: { includesHistoricalRegion: false, includesHistoricalPartnerRegion: false },
    });
    const at = (day: string) => `${day}T00:00:00.000Z`;
    expect(block!.data).toEqual([
      [at('2016-01-01'), at('2016-12-31'), 111, at('2017-06-10'), 22, null, null],
      [at('2017-01-01'), at('2017-12-31'), null, at('2018-06-10'), 22, null, null],
      [at('2019-01-01'), at('2019-12-31'), 140, null, 22, null, null],
    ]);
  });

  it.each([
    ['showReportingDate=True', ['2016: 100', '2016: 111', '2017: 120', '2017: null', '2019: 140']],
    ['showRevisions=true', ['2016: 100', '2016: 111', '2017: 120', '2017: null', '2019: 140']],
    ['showHistory=true', ['2016: 100', '2016: 110', '2016: 111', '2017: 120', '2017: null', '2019: 140']],
    ['atTime=2017-03-01', ['2016: 100']],
    ['atTime=2018-03-01', ['2016: 111', '2017: 120']],
    ['availableSince=2018-06-01', ['2017: null', '2019: 140']],
    ['startDate=2016-12-31&endDate=2017-01-01', ['2016: 111', '2017: null']],
    ['insertNull=true', ['2016: 111', '2017: null', '2018: null', '2019: 140']],
    [
      'insertNull=true&startDate=2018-01-01&endDate=2021-06-01',
      ['2018: null', '2019: 140', '2020: null', '2021: null'],
    ],
    ['partnerRegionId=0', ['2016: 111', '2017: null', '2019: 140']],
    ['partnerRegionId=276', ['2016: 5']],
  ])('selects vintages and periods by %s', async (flags, expected) => {
    expect(await values(`&${flags}`)).toEqual(expected);
  });

  const DAILY = 'metricId=2&itemId=2&regionId=1389719618&sourceId=20&frequencyId=1&insertNull=true';

  it('refuses to fill more periods of a series than the limit, before the answer begins', async () => {
    const dates = 'startDate=0001-01-01&endDate=9999-12-31';
    const all = await served.json(`/v2/data?${DAILY}&${dates}`);
    expect(all.status).toBe(400);
    expect((all.body as { message: string }).message).toMatch(
      /^insertNull: from 0001-01-01 to 9999-12-31 a series with the frequency daily has 3652059 periods, but at most 100000 can be filled; choose a startDate and endDate that are closer together \(its data are from 2012-01-01 to 2015-12-31\)/,
    );
    expect(await served.json(`/v2/data?${DAILY}&startDate=0001-01-01`)).toMatchObject({ status: 400 });
    const [annual] = await blocks(`&insertNull=true&${dates}`);
    expect(annual!.data.length).toBe(9999);
  });

  it('returns available dates and metadata on request, and none for filled periods', async () => {
    const flags = '&insertNull=true&showAvailableDate=true&showMetaData=true';
    const [block] = await blocks(flags);
    expect(block!.data[1]!.slice(2)).toEqual([
      null,
      '2018-06-10T00:00:00.000Z',
      22,
      { flag: 'M' },
      '2018-06-11T00:00:00.000Z',
    ]);
    const isFilled = [false, false, true, false];
    expect(block!.data.map((point) => point[6] === null)).toEqual(isFilled);
    const table = await tableOf(await served.get(`/v2/data?${revisedQuery()}${flags}`, { accept: ARROW }));
    expect([...table.getChild('available_date')!].map((date) => date === null)).toEqual(isFilled);
  });

  it('converts to a unit, and refuses one of another dimension', async () => {
    const [block] = await blocks('&unitId=20');
    expect(block!.data.map(([, , value, , unit]) => [value, unit])).toEqual([
      [111_000, 20],
      [null, 20],
      [140_000, 20],
    ]);
    const message = expect.stringContaining('unit_id 22 is not convertible to unit_id 1');
    expect(await served.json(`/v2/data?${revisedQuery()}&unitId=1`)).toMatchObject({
      status: 400,
      body: { error: 'unit', message },
    });
  });

  it('returns the same as an Arrow stream, with every requested series in its metadata', async () => {
    const query = revisedQuery().replace('regionId=250', 'regionId=250&regionId=276');
    const table = await tableOf(await served.get(`/v2/data?${query}`, { accept: ARROW }));
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
    const days = [...table.getChild('reporting_date')!].map((ms) => ms && formatDay(Number(ms)));
    expect(days).toEqual(['2017-06-10', '2018-06-10', null]);
    const { type } = table.schema.fields.find(({ name }) => name === 'start_date')!;
    expect(type.toString()).toBe('Timestamp<MILLISECOND, UTC>');
  });

  it.each([
    [ARROW, ARROW],
    [`application/json, ${ARROW};q=0.9`, ARROW],
    [`application/json, ${ARROW};q=0`, 'application/json'],
    [`${ARROW}, ${RUNS.toUpperCase()} ;q=0.1`, RUNS],
    [`${RUNS}-of-others`, 'application/json'],
  ])('accepts %s, and sends the leanest form: %s', async (accept, type) => {
    const response = await served.get(`/v2/data?${revisedQuery()}`, { accept });
    expect(response.headers.get('content-type')).toBe(type);
    if (type === ARROW) {
      expect([...(await tableOf(response)).getChild('value')!]).toEqual([111, null, 140]);
      return;
    }
    const { series, batches } = await openPointAnswer(response, served.known.revised);
    expect(series.map(({ region_id, unit_id }) => [region_id, unit_id])).toEqual([[250, 22]]);
    const values: number[] = [];
    for await (const runs of batches) for (const { value } of runs) values.push(...value);
    expect(values).toEqual([111, Number.NaN, 140]);
  });
});

describe('entities', () => {
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
    const [usa] = await body<{ id: number }[]>('/v2/search/regions?q=United%20States');
    const { data } = await body<{ data: { geojson: { type: string } | null }[] }>(
      `/v2/geocentres?includeGeojson=True&regionIds=${usa!.id}&reqRegionLevelId=4&stringify=false&zoom=1`,
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
    const paths = [
      '/v2/units?ids=22',
      '/v2/facets',
      '/v2/search/hits?q=corn',
      `/v2/vintages?${revisedQuery()}`,
    ];
    let other = '';
    for (const path of paths) {
      const { headers } = await served.get(path, { 'accept-encoding': 'identity', 'if-none-match': other });
      const etag = headers.get('etag')!;
      expect(etag).toMatch(/^"[\w-]+"$/);
      const again = await served.get(path, { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('vary')).toBe('accept, accept-encoding, authorization');
      expect(etag).not.toBe(other);
      other = etag;
    }
  });

  it('compresses what the client accepts', async () => {
    const response = await served.get('/v2/regions', { 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(5000);
    expect(response.headers.get('etag')).toMatch(/^W\/"/);
  });
});
