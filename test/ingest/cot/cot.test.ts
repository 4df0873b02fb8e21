import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRows } from '../../../src/frame/formats/rows.js';
import { cot } from '../../../src/ingest/cot/cot.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { ImporterSettings } from '../../../src/model/importing/job.js';
import { idOf } from '../../entity-id.js';
import { type Collected, collect, named, type PlainPoint } from '../collect.js';
import { clientOf } from '../serving.js';
import { newStore } from '../stores.js';
import { zipped } from '../zipped.js';

const LEGACY = 'test/fixtures/cot/annual.txt';
const DISAGGREGATED = 'test/fixtures/cot/f_year.txt';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-cot-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const read = (path: string, settings: ImporterSettings = {}): Promise<Collected> =>
  collect(cot, { files: [path], settings });

/** The points of a metric and item; of one source when it is named. */
function points(all: Collected, metric: string, item: string, source?: string): PlainPoint[] {
  const [metricId, itemId] = [named(all.entities.metrics, metric).id, named(all.entities.items, item).id];
  const sourceId = source === undefined ? undefined : named(all.entities.sources, source).id;
  return all.points.filter(
    ({ metric_id, item_id, source_id }) =>
      metric_id === metricId && item_id === itemId && (sourceId === undefined || source_id === sourceId),
  );
}

const values = (all: Collected, metric: string, item: string, source?: string): unknown[] =>
  points(all, metric, item, source).map(({ start, value }) => [start, value]);

describe('cot', () => {
  let legacy: Collected;
  let disaggregated: Collected;
  beforeAll(async () => {
    legacy = await read(LEGACY);
    disaggregated = await read(DISAGGREGATED);
  });
  const unitOf = (all: Collected, [point]: PlainPoint[]): string =>
    all.entities.units.get(point!.unit_id)!.namePlural;

  it('reads positions of a day, with their release as the reporting date', () => {
    const [first] = points(legacy, 'Open interest', 'Corn').filter(({ start }) => start === '2024-01-09');
    expect(first).toMatchObject({
      value: 16_000,
      end: '2024-01-09',
      reported: '2024-01-12',
      available: '2024-01-12',
      frequency_id: 3,
    });
    expect(values(legacy, 'Long positions, non-commercial', 'Corn')).toEqual([
      ['2024-01-09', 4600],
      ['2024-01-02', 4800],
      ['1986-01-15', 120],
    ]);
    expect(unitOf(legacy, points(legacy, 'Open interest', 'Corn'))).toBe('contracts');
  });

  it('reads old and other crops, traders and concentration as metrics of their own', () => {
    const on9 = (metric: string): unknown =>
      points(legacy, metric, 'Corn').find(({ start }) => start === '2024-01-09')?.value;
    expect(on9('Spread positions, non-commercial, old crop')).toBe(2200);
    expect(on9('Spread positions, non-commercial, other crops')).toBe(60);
    expect(on9('Short positions, non-reportable')).toBe(16_000 - 4900 - 2260 - 7260);
    expect(on9('Traders')).toBe(80);
    expect(on9('Traders with short positions, commercial')).toBe(36);
    expect(on9('Gross long share of the 4 largest traders')).toBe(11.2);
    expect(on9('Net short share of the 8 largest traders, other crops')).toBe(28.6);
    expect(unitOf(legacy, points(legacy, 'Traders', 'Corn'))).toBe('traders');
    expect(unitOf(legacy, points(legacy, 'Gross short share of the 8 largest traders', 'Corn'))).toBe(
      'percent',
    );
  });

  it('reads withheld numbers of traders as null', () => {
    expect(
      values(legacy, 'Traders with spread positions, non-commercial, other crops', 'Corn').map((row) =>
        (row as unknown[]).at(1),
      ),
    ).toEqual([null, null, null]);
  });

  it('never makes one series of two markets', () => {
    const parents = (name: string): string[] =>
      named(legacy.entities.items, name).belongsTo.map((id) => legacy.entities.items.get(id)!.name);
    expect(parents('Soft red winter wheat, Chicago')).toEqual(['Winter wheat']);
    expect(parents('Hard red winter wheat, Kansas City')).toEqual(['Winter wheat']);
    expect(parents('Hard red spring wheat, Minneapolis')).toEqual(['Spring wheat']);
    expect(parents('MINI CORN - CHICAGO BOARD OF TRADE')).toEqual(['Corn']);
    expect(parents('E-MINI S&P 500 - CHICAGO MERCANTILE EXCHANGE')).toEqual([]);
    const keys = legacy.points.map((point) => JSON.stringify({ ...point, value: 0 }));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('rejects rows whose dates differ, and codes that are none', () => {
    expect(legacy.rejected.map(({ line, reason, values: count }) => [line, count, reason])).toEqual([
      [9, 118, 'the dates "240116" and "2024-01-17" differ'],
      [10, 118, '"2602" is not the code of a contract market'],
    ]);
    expect(disaggregated.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [5, '"Both" is neither "FutOnly" nor "Combined"'],
    ]);
  });

  it('counts changes and shares as not read', () => {
    expect(legacy.notRead).toEqual(
      new Map([
        ['changes since the report before', 8 * 10],
        ['shares of the open interest', 8 * 30],
      ]),
    );
    expect(disaggregated.notRead).toEqual(
      new Map([
        ['changes since the report before', 3 * 16],
        ['shares of the open interest', 3 * 48],
      ]),
    );
  });

  it('reads each report, futures only and combined, under a source of its own', () => {
    const metric = 'Long positions, managed money';
    expect(values(disaggregated, metric, 'Corn', 'CFTC COT disaggregated, futures')).toEqual([
      ['2021-03-16', 2300],
    ]);
    expect(values(disaggregated, metric, 'Corn', 'CFTC COT disaggregated, combined')).toEqual([
      ['2021-03-16', 2310],
    ]);
    expect(values(disaggregated, 'Spread positions, swap dealer', 'Soft red winter wheat, Chicago')).toEqual([
      ['2021-03-16', 20],
    ]);
    expect(new Set(legacy.points.map(({ source_id }) => source_id))).toEqual(
      new Set([named(legacy.entities.sources, 'CFTC COT legacy, futures').id]),
    );
  });

  it("tells futures only from combined by the names of the CFTC's archives, or by the setting", async () => {
    const text = readFileSync(LEGACY, 'utf8');
    const sourceOf = async (path: string, settings?: ImporterSettings): Promise<string> => {
      const all = await read(path, settings);
      return all.entities.sources.get(all.points[0]!.source_id)!.name;
    };
    const [futures, combined] = ['CFTC COT legacy, futures', 'CFTC COT legacy, combined'];
    expect(await sourceOf(file('deacot2024.zip', zipped({ 'annual.txt': text })))).toBe(futures);
    expect(await sourceOf(file('deahistfo2024.zip', zipped({ 'annualof.txt': text })))).toBe(combined);
    expect(await sourceOf(file('a.zip', zipped({ 'FUT86_16.txt': text })))).toBe(futures);
    expect(await sourceOf(file('Com95_16.txt', text))).toBe(combined);
    const unnamed = file('cot.txt', text);
    await expect(read(unnamed)).rejects.toThrow('set "positions" to "futures" or "combined"');
    expect(await sourceOf(unnamed, { positions: 'combined' })).toBe(combined);
    await expect(read(LEGACY, { positions: 'combined' })).rejects.toThrow('contradict each other');
    await expect(read(file('deahistfo2024.zip', zipped({ 'annual.txt': text })))).rejects.toThrow(
      'contradict',
    );
  });

  it('reads dates of one form alone, also of spreadsheets', async () => {
    const [header, ...rows] = readFileSync(LEGACY, 'utf8').trimEnd().split('\n');
    const corn = rows.filter((row) => row.includes('2024-01-02') || row.includes('1986-01-15'));
    const starts = async (name: string, change: (row: string) => string): Promise<Set<string>> => {
      const all = await read(file(name, [change(header!), ...corn.map(change)].join('\r\n')), {
        positions: 'futures',
      });
      expect(all.rejected).toEqual([]);
      return new Set(all.points.map(({ start }) => start));
    };
    const days = new Set(['2024-01-02', '1986-01-15']);
    const without = (column: number) => (row: string) => row.split(',').toSpliced(column, 1).join(',');
    expect(await starts('short.txt', without(2))).toEqual(days);
    expect(await starts('whole.txt', without(1))).toEqual(days);
    const us = (row: string): string =>
      row
        .replace('YYYY-MM-DD', 'MM_DD_YYYY')
        .replace(/(\d{4})-0(\d)-(\d\d)/, (_, year, month, day) => `${month}/${day}/${year} 12:00:00 AM`);
    expect(await starts('us.txt', us)).toEqual(days);
  });

  it('refuses files of other reports', async () => {
    const other = file('FinFutYY.txt', 'Market_and_Exchange_Names,Dealer_Positions_Long_All\n"A",1\n');
    await expect(read(other)).rejects.toThrow(
      'is not a legacy report, or a disaggregated report of the CFTC',
    );
  });

  it('is found and read through the client as it was known at a time', async () => {
    const store = await newStore();
    const options = { files: [LEGACY], maxRejectedShare: 1 };
    const report = await importDataset(store, cot, options);
    expect(report).toMatchObject({ rows: 1180, rejectedRows: 236, notReadRows: 320, nulls: 8, points: 616 });
    expect(await importDataset(store, cot, options)).toMatchObject({ added: 0, unchanged: 624 });
    const client = clientOf(store);
    const selection = {
      metric_id: await idOf(client, 'metrics', 'Long positions, non-commercial'),
      item_id: await idOf(client, 'items', 'Corn'),
      region_id: await idOf(client, 'regions', 'United States'),
      source_id: await idOf(client, 'sources', 'CFTC COT legacy, futures'),
      frequency_id: 3,
    };
    const valuesAt = async (at_time: string): Promise<unknown[]> =>
      (await client.getDataPoints({ ...selection, at_time })).map(({ value }) => value);
    expect(await valuesAt('2024-01-12T20:29:00Z')).toEqual([120, 4800]);
    expect(await valuesAt('2024-01-12T20:30:00Z')).toEqual([120, 4800, 4600]);
    const wheat = await idOf(client, 'items', 'Hard red winter wheat, Kansas City');
    for (const item_id of [selection.item_id, wheat]) client.addSingleDataSeries({ ...selection, item_id });
    const names = { include_names: true };
    expect(
      toRows(await client.getDf(names)).map(({ item_name, unit_name, reporting_date, value }) => [
        item_name,
        unit_name,
        String(reporting_date).slice(0, 10),
        value,
      ]),
    ).toEqual([
      ['Corn', 'contract', '1986-02-12', 120],
      ['Corn', 'contract', '2024-01-05', 4800],
      ['Corn', 'contract', '2024-01-12', 4600],
      ['Hard red winter wheat, Kansas City', 'contract', '2024-01-12', 1170],
    ]);
  });
});
