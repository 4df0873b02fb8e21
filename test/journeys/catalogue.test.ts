import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import { createClient } from '../../src/create-client.js';
import type { Progress } from '../../src/model/progress.js';
import type { DataSeries } from '../../src/model/series.js';
import { json } from '../client/answering.js';
import { AT_ONCE, useDemoService } from './demo-service.js';

const demo = useDemoService();

const keyOf = (row: Readonly<Partial<Record<keyof DataSeries, unknown>>>, level: number | null) =>
  [row.source_id, row.metric_id, row.item_id, row.frequency_id, level].join('-');

describe('a catalogue', () => {
  it('counts every series of the service once, in the row of what it is of', async () => {
    const client = demo.client();
    const rows = (await client.catalogue()).toRows();
    const series = await client.getDataSeries();
    const regions = await client.lookup('regions', [...new Set(series.map(({ region_id }) => region_id))]);
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows.map((row) => keyOf(row, row.region_level as number))).size).toBe(rows.length);
    for (const row of rows) {
      const own = series.filter(
        (one) => keyOf(one, regions[one.region_id]!.level) === keyOf(row, row.region_level as number),
      );
      const starts = own.map(({ start_date }) => start_date!).sort();
      const ends = own.map(({ end_date }) => end_date!).sort();
      expect(row).toMatchObject({
        ...{ source_name: own[0]!.source_name, metric_name: own[0]!.metric_name },
        ...{ item_name: own[0]!.item_name, frequency_name: own[0]!.frequency_name },
        ...{ series: own.length, start_date: new Date(starts[0]!), end_date: new Date(ends.at(-1)!) },
        regions: new Set(own.map(({ region_id }) => region_id)).size,
        points: own.reduce((sum, one) => sum + one.data_count_estimate!, 0),
      });
    }
    expect(rows.reduce((sum, row) => sum + Number(row.series), 0)).toBe(series.length);
    const names = rows.map((row) => `${row.source_name}\0${row.metric_name}\0${row.item_name}`);
    expect(names).toEqual([...names].sort());
  });

  it('is narrowed by a selection, and empty without series', async () => {
    const client = demo.client();
    const all = (await client.catalogue()).toRows();
    const { item_id, source_id } = all[0]!;
    const rows = (
      await client.catalogue({ item_id: Number(item_id), source_id: [Number(source_id)] })
    ).toRows();
    expect(rows).toEqual(all.filter((row) => row.item_id === item_id && row.source_id === source_id));
    const none = await client.catalogue({ item_id: 987_654_321 });
    expect(none.numRows).toBe(0);
    expect(none.schema.fields.map(({ name }) => name)).toEqual(Object.keys(all[0]!));
  });

  it('is the same of a service without the stream, and reports progress', async () => {
    const asked: string[] = [];
    const older: Fetch = async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === '/v2/stream/data_series/list') return json({ error: 'unknown' }, { status: 404 });
      return demo.service(request);
    };
    const progress: Progress[] = [];
    const table = await demo
      .client({ fetch: older })
      .catalogue({}, { onProgress: (one) => progress.push(one) });
    expect(table.toRows()).toEqual((await demo.client().catalogue()).toRows());
    expect(asked).toContain('/v2/data_series/list');
    const { series } = await demo.client().facets();
    expect(progress).toContainEqual(expect.objectContaining({ unit: 'series', done: series }));
    expect(progress.at(-1)).toMatchObject({ unit: 'regions', total: expect.any(Number) });
  });

  it('ends when it is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    await expect(demo.client().catalogue({}, { signal: aborted })).rejects.toThrow('no longer wanted');
  });
});

const KEY = {
  ...{ metric_id: 1, item_id: 2, region_id: 3, source_id: 4, frequency_id: 9 },
  ...{ start_date: '2001-01-01T00:00:00.000Z', end_date: '2002-01-01T00:00:00.000Z' },
};

/** A client of a service whose stream of series has these lines, and which knows no entities. */
function clientOf(answers: { readonly stream: () => string; readonly list?: readonly object[] | undefined }) {
  const asked: string[] = [];
  const fetch: Fetch = async (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === '/v2/stream/data_series/list')
      return new Response(answers.stream(), { headers: { 'content-type': 'application/x-ndjson' } });
    if (pathname === '/v2/data_series/list') return json({ data: answers.list ?? [] });
    return json({ data: {} });
  };
  const client = createClient({
    api_host: 'http://service.invalid',
    access_token: 't',
    fetch,
    retry: AT_ONCE,
  });
  return { client, asked };
}

const lineOf = (series: readonly object[]) => `${JSON.stringify(series)}\n`;

describe('a catalogue of a service of the JSON base', () => {
  it('has null for points that are not counted, and ids for names of no entity', async () => {
    const lines = lineOf([
      { ...KEY, data_count_estimate: 5 },
      { ...KEY, region_id: 5 },
    ]);
    const [row] = (await clientOf({ stream: () => lines }).client.catalogue()).toRows();
    expect(row).toEqual({
      ...{ source_id: 4, source_name: '4', metric_id: 1, metric_name: '1', item_id: 2, item_name: '2' },
      ...{ frequency_id: 9, frequency_name: '9', region_level: null, region_level_name: null },
      ...{ regions: 2, series: 2, points: null },
      ...{ start_date: new Date(KEY.start_date), end_date: new Date(KEY.end_date) },
    });
  });

  it('asks again for a broken answer, and counts anew', async () => {
    let tries = 0;
    const whole = lineOf([KEY]) + lineOf([{ ...KEY, region_id: 5 }]);
    const { client } = clientOf({ stream: () => (tries++ === 0 ? whole.slice(0, -9) : whole) });
    expect((await client.catalogue()).toRows()[0]).toMatchObject({ series: 2 });
    expect(tries).toBe(2);
  });

  it('lists the series when the stream may have ended between two lines', async () => {
    const series = Array.from({ length: 10_001 }, (_, region_id) => ({ ...KEY, region_id }));
    const { client, asked } = clientOf({ stream: () => lineOf(series.slice(0, 10_000)), list: series });
    expect((await client.catalogue()).toRows()[0]).toMatchObject({ series: 10_001, regions: 10_001 });
    expect(asked).toContain('/v2/data_series/list');
  });
});
