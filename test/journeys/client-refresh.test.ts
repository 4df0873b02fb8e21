import type { Table } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { frame } from '../../src/frame/frame.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { PartialDataError } from '../../src/model/report.js';
import type { PointFlags } from '../../src/model/schema/fields.js';
import type { SavableSeries } from '../../src/saved/saved-series.js';
import { cornSeries, fillWithCorn, reviseCorn, withSaved } from './corn-states.js';
import { type DemoService, openDemoService } from './demo-service.js';

const SERIES = cornSeries(30);

let corn: DemoService;
beforeEach(async () => {
  corn = await openDemoService(fillWithCorn(30, 40));
});
afterEach(() => corn.close());

const saving = (client: Client, series: readonly SavableSeries[] = SERIES) => withSaved(client, series);

describe('refreshDf', () => {
  it.each<PointFlags & { include_names?: boolean; index_by_series?: boolean }>([
    {},
    { include_names: true, index_by_series: true },
    { reporting_history: true },
    { complete_history: true, show_available_date: true, show_metadata: true },
  ])('gives what getDf would give now, with %o', async (flags) => {
    const client = saving(corn.client());
    const before = await client.getDf(flags);
    const kept = frameChecksum(before);
    await reviseCorn(corn.store, 30, { revised: 3, added: 2 });
    const refreshed = await client.refreshDf(before);
    const fresh = await client.getDf(flags);
    expect(fresh.numRows).toBeGreaterThan(before.numRows);
    expect(frameChecksum(refreshed)).toBe(frameChecksum(fresh));
    expect(refreshed.schema.fields.map(String)).toEqual(fresh.schema.fields.map(String));
    expect(frameChecksum(before)).toBe(kept);
    const [old, now] = [before.provenance!, refreshed.provenance!];
    expect(now.retrieved_at >= old.retrieved_at).toBe(true);
    expect(now.report).toEqual(fresh.provenance!.report);
    expect(frameChecksum(await client.refreshDf(refreshed))).toBe(frameChecksum(fresh));
  });

  it('adds figures that are imported long after their release', async () => {
    const client = saving(corn.client());
    const before = await client.getDf();
    await reviseCorn(corn.store, 30, { revised: 1, added: 1, released: Date.parse('2021-07-01') });
    const refreshed = await client.refreshDf(before);
    expect(refreshed.numRows).toBeGreaterThan(before.numRows);
    expect(frameChecksum(refreshed)).toBe(frameChecksum(await client.getDf()));
  });

  it('adds later periods to a series that addDataSeries found, whose dates the list keeps', async () => {
    const client = corn.client();
    const names = { metric: 'Area harvested', item: 'Corn', region: 'Alabama' };
    const found = await client.addDataSeries(names);
    expect(found).toMatchObject({
      start_date: '1950-01-01T00:00:00.000Z',
      end_date: '1989-12-31T00:00:00.000Z',
    });
    await client.addDataSeries({ ...names, end_date: '1980-12-31' });
    expect(client.getDataSeriesList()).toEqual([found, { ...found, end_date: '1980-12-31T00:00:00.000Z' }]);
    client.clearDataSeriesList();
    await client.addDataSeries(names);
    const before = await client.getDf();
    await reviseCorn(corn.store, 30, { revised: 1, added: 2 });
    expect((await client.refreshDf(before)).numRows).toBe(before.numRows + 2);
    client.clearDataSeriesList();
    await client.addDataSeries({ ...names, end_date: '1980-12-31' });
    expect((await client.getDf()).numRows).toBe(31);
  });

  it('updates a wide frame in its form', async () => {
    const client = saving(corn.client());
    const options = { compress_format: true, names: 'short' } as const;
    const before = await client.getDf(options);
    await reviseCorn(corn.store, 30, { revised: 1, added: 1 });
    expect(frameChecksum(await client.refreshDf(before))).toBe(frameChecksum(await client.getDf(options)));
  });

  it('adds later periods of a series that was saved by its names', async () => {
    const client = corn.client();
    await client.addDataSeries({ metric: 'area harvested', item: 'corn', region: 'Iowa' });
    const before = await client.getDf();
    await reviseCorn(corn.store, 30, { revised: 0, added: 2 });
    expect((await client.getDf()).numRows).toBe(before.numRows + 2);
    expect((await client.refreshDf(before)).numRows).toBe(before.numRows + 2);
  });

  it('works on a frame from a file, and on a converted one', async () => {
    const client = saving(corn.client());
    const options = { unit_id: await hectareId(client), include_names: true };
    const kept = await fromParquet(await (await client.getDf(options)).toParquet());
    await reviseCorn(corn.store, 30, { revised: 2, added: 1 });
    const refreshed = await client.refreshDf(kept);
    expect(frameChecksum(refreshed)).toBe(frameChecksum(await client.getDf(options)));
  });

  it('keeps to the end date of a saved series, unless later_periods is set', async () => {
    const dated = SERIES.map((series) => ({ ...series, end_date: '1989-12-31T00:00:00.000Z' }));
    const client = saving(corn.client(), dated);
    const before = await client.getDf();
    await reviseCorn(corn.store, 30, { revised: 0, added: 2 });
    expect((await client.refreshDf(before)).numRows).toBe(before.numRows);
    const later = await client.refreshDf(before, { later_periods: true });
    expect(frameChecksum(later)).toBe(frameChecksum(await saving(corn.client()).getDf()));
    expect((await client.refreshDf(later)).numRows).toBe(later.numRows);
  });

  it('retrieves the whole of a series that had failed', async () => {
    const broken = SERIES[4]!.region_id;
    const fetch = async (request: Request): Promise<Response> => {
      const refused = `${new URL(request.url).search}${await request.clone().text()}`.includes(
        String(broken),
      );
      if (refused && request.url.includes('/v2/data')) return new Response('{}', { status: 400 });
      return corn.service(request);
    };
    const partly = saving(corn.client({ fetch }));
    await expect(partly.getDf()).rejects.toBeInstanceOf(PartialDataError);
    const partial = await partly.getDf({ allow_partial: true });
    expect(partial.provenance!.report.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
    const mended = await saving(corn.client()).refreshDf(partial);
    expect(frameChecksum(mended)).toBe(frameChecksum(await saving(corn.client()).getDf()));
    await expect(partly.refreshDf(mended)).rejects.toBeInstanceOf(PartialDataError);
    const stillBroken = await partly.refreshDf(mended, { allow_partial: true });
    expect(frameChecksum(stillBroken)).toBe(frameChecksum(partial));
  });

  it('refuses a frame that it cannot refresh, with the reason', async () => {
    const client = saving(corn.client(), SERIES.slice(0, 2));
    const long: Table = await client.getDf();
    const refused = (table: Table) => expect(client.refreshDf(table)).rejects;
    await refused(await client.getDataPointsTable({ ...SERIES[0]! })).toThrow(/does not list its series/);
    await refused(frame(long).yearOverYear()).toThrow(/computed/);
  });
});

async function hectareId(client: Client): Promise<number> {
  const ids = await client.getAllowedUnits(SERIES[0]!.metric_id, SERIES[0]!.item_id);
  const units = Object.values(await client.lookup('units', ids));
  return units.find(({ abbreviation }) => abbreviation === 'ha')!.id;
}
