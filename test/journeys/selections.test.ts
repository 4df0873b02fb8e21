import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import type { DataPoint } from '../../src/client/points/points.js';
import type { Client } from '../../src/create-client.js';
import type { DataSeries } from '../../src/model/series.js';
import { fillWithCounties, IOWA_COUNTY } from './county-store.js';
import { useDemoService } from './demo-service.js';
import { jsonOnlyService } from './json-only-service.js';
import { overBytes } from './other-forms.js';

const service = useDemoService(fillWithCounties);

async function firstOf<Element>(sequence: AsyncIterable<Element>): Promise<Element> {
  for await (const element of sequence) return element;
  throw new Error('the sequence is empty');
}

const area = (client: Client) =>
  firstOf(
    client.findDataSeries({
      metric: 'Area harvested',
      item: 'Corn',
      region: 'Iowa County, Wisconsin',
      explain: true,
    }),
  );
const sumOf = (points: readonly DataPoint[]) => points.reduce((sum, { value }) => sum + value!, 0);

describe.each([
  ['in process', (fetch: Fetch) => fetch],
  ['over bytes', overBytes],
  ['over the JSON base', (fetch: Fetch) => jsonOnlyService(fetch)],
])('%s, what an operation returns selects', (_, over) => {
  const connect = () => service.client({ fetch: over(service.service) });

  it.each(['regions', 'items'] as const)('an item of getTop: %s', async (type) => {
    const client = connect();
    const { metric_id, item_id, region_id, frequency_id, source_id } = await area(client);
    const of = type === 'regions' ? { item_id } : { region_id };
    const top = await client.getTop(type, { metric_id, frequency_id, source_id, ...of });
    expect(top).toHaveLength(type === 'regions' ? 2 : 1);
    for (const one of top) {
      const points = await client.getDataPoints(one);
      expect(points.map((point) => [point.region_id, point.item_id])).toEqual(
        Array.from({ length: 2 }, () => [one.regionId, one.itemId]),
      );
      expect(sumOf(points)).toBe(one.value);
      expect((await client.getDataPointsTable(one)).numRows).toBe(2);
      const [series, ...others] = await client.getDataSeries(one);
      expect([series?.region_id, series?.metric_id, others]).toEqual([one.regionId, metric_id, []]);
      expect(await client.getDataPoints({ ...one, start_date: '2003-01-01' })).toHaveLength(1);
    }
  });

  it('a whole series, listed or found, with its coverage and the entities used', async () => {
    const client = connect();
    const found = await firstOf(
      client.findDataSeries({
        metric: 'Yeild',
        item: 'Corn',
        region: 'Iowa Countyy, Wisconsin',
        explain: true,
      }),
    );
    expect(Object.keys(found.matched!).sort()).toEqual(['metric', 'region']);
    const [listed] = await client.getDataSeries(found);
    for (const series of [found, listed!] as DataSeries[]) {
      const points = await client.getDataPoints(series);
      expect(points.map(({ value, region_id }) => [value, region_id])).toEqual([
        [100, IOWA_COUNTY],
        [100, IOWA_COUNTY],
      ]);
      client.addSingleDataSeries(series);
    }
    expect((await client.getDf()).numRows).toBe(2);
    const { metric_id, item_id, region_id, frequency_id, source_id } = found;
    expect(found).toMatchObject(listed!);
    expect(await client.getDataSeries({ metric_id, item_id, region_id, frequency_id, source_id })).toEqual([
      listed,
    ]);
  });

  it('not one id twice, as two numbers', async () => {
    const client = connect();
    const series = await area(client);
    const mixed = { ...series, metricId: series.metric_id + 1 };
    await expect(client.getDataSeries(mixed)).rejects.toThrow(
      `metric_id: is ${series.metric_id}, but metricId is ${series.metric_id + 1}; omit one of them`,
    );
    expect(await client.getDataSeries({ ...series, metricId: series.metric_id })).toHaveLength(1);
  });

  it('a point: itself', async () => {
    const client = connect();
    const [, point] = await client.getDataPoints(await area(client));
    expect(await client.getDataPoints(point!)).toEqual([point]);
    const [series] = await client.getDataSeries(point!);
    expect(series).toMatchObject({ region_id: IOWA_COUNTY, metric_id: point!.metric_id });
  });
});

describe('getDf', () => {
  it('takes start_date and end_date, which override those of the saved series', async () => {
    const client = service.client();
    client.addSingleDataSeries({ ...(await area(client)), start_date: '2002-01-01', end_date: '2002-12-31' });
    const years = async (options: { start_date?: string; end_date?: string }) =>
      (await client.getDf(options)).toRows().map(({ start_date }) => String(start_date.getUTCFullYear()));
    expect(await years({})).toEqual(['2002']);
    expect(await years({ end_date: '2003-12-31' })).toEqual(['2002', '2003']);
    expect(await years({ start_date: '2003-01-01', end_date: '2003-12-31' })).toEqual(['2003']);
    expect(await years({ start_date: '2003-06-30' })).toEqual([]);
    expect(await years({ end_date: '2001-06-30' })).toEqual([]);
    const reversed = years({ start_date: '2003-06-30', end_date: '2003-01-01' });
    await expect(reversed).rejects.toThrow('is after end_date 2003-01-01');
    await expect(years({ start_date: 'yesterday' })).rejects.toThrow(/start_date/);
  });

  it('is empty for a series that ends before start_date, and has the others', async () => {
    const client = service.client();
    const series = await area(client);
    client.addSingleDataSeries({ ...series, end_date: '2002-12-31' });
    client.addSingleDataSeries({ ...series, start_date: undefined, end_date: undefined });
    client.addSingleDataSeries({ ...series, end_date: '2002-12-31' });
    const frame = await client.getDf({ start_date: '2003-06-30' });
    expect(frame.toRows().map(({ start_date }) => String(start_date.getUTCFullYear()))).toEqual(['2003']);
    expect(frame.provenance!.report).toMatchObject([
      { outcome: 'empty', rows: 0 },
      { outcome: 'data', rows: 1 },
      { outcome: 'empty', rows: 0 },
    ]);
  });

  it('has series of one id a field: a list is refused, and so is none', async () => {
    const client = service.client();
    const series = await area(client);
    const save = (region_id: unknown) => () => client.addSingleDataSeries({ ...series, region_id } as never);
    expect(save([1, 2])).toThrow('region_id: is a list, not one id; pass a series from getDataSeries');
    expect(save(undefined)).toThrow('region_id: is missing; pass a series from getDataSeries');
  });

  it('converts nothing for unit_id null, as getDataPoints', async () => {
    const client = service.client();
    const series = await area(client);
    client.addSingleDataSeries(series);
    const hectares = (await client.listUnits()).find(({ abbreviation }) => abbreviation === 'ha')!.id;
    const valuesOf = async (unit_id: number | null) => {
      const rows = (await client.getDf({ unit_id })).toRows();
      const points = await client.getDataPoints({ ...series, unit_id });
      expect(points.map(({ value }) => value)).toEqual(rows.map(({ value }) => value));
      return rows.map(({ value, unit_id }) => [value, unit_id]);
    };
    const [[, acres]] = (await valuesOf(null)) as [[number, number]];
    expect(await valuesOf(null)).toEqual([
      [1000, acres],
      [1000, acres],
    ]);
    const [[value, unit]] = (await valuesOf(hectares)) as [[number, number]];
    expect([value, unit]).toEqual([expect.closeTo(404.68564224, 8), hectares]);
  });
});
