import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { formatTime } from '../../../src/model/time.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, readBatches } from '../collect.js';
import { newStore, storedPoints } from '../stores.js';

const ecb = documentImporter('ecb');
const { file } = temporaryFiles();
const SERIES = 'test/fixtures/ecb/exr.csv';
const DAILY = 'test/fixtures/ecb/eurofxref-hist.csv';

function rates({ points, entities }: Collected): unknown[] {
  return points.map(({ item_id, region_id, metric_id, unit_id, start, end, value, reported, available }) => [
    [entities.metrics.get(metric_id)!.name, entities.regions.get(region_id)!.name].join(', '),
    entities.items.get(item_id)!.name,
    entities.units.get(unit_id)!.abbreviation,
    `${start}/${end}`,
    value,
    reported === end && available === end,
  ]);
}

const EURO = 'Exchange rate, Euro area';

describe('exchange rates', () => {
  it('are read as series of any frequency, available on the last day of each period', async () => {
    const all = await collect(ecb, { files: [SERIES], importedMs: Date.UTC(2026, 0, 2) });
    expect(rates(all)).toEqual([
      [EURO, 'US Dollar', 'USD/EUR', '2024-01-02/2024-01-02', 1.0956, true],
      [EURO, 'US Dollar', 'USD/EUR', '2024-01-03/2024-01-03', 1.0919, true],
      [EURO, 'US Dollar', 'USD/EUR', '2024-05-01/2024-05-01', null, true],
      [EURO, 'Brazilian Real', 'BRL/EUR', '2024-01-01/2024-01-31', 5.3577, true],
      [EURO, 'Brazilian Real', 'BRL/EUR', '2024-01-01/2024-03-31', 5.3752, true],
      [EURO, 'Brazilian Real', 'BRL/EUR', '2024-01-01/2024-12-31', 5.8283, true],
    ]);
    expect(all.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [10, '"QQQ" is not among the names of "CURRENCY"'],
      [11, 'the date "2024-02-30" is not in the calendar'],
    ]);
  });

  it('are available at 16:00 UTC, when they are published, and not before', async () => {
    const times: string[] = [];
    for await (const { sampled = [] } of readBatches(ecb, { files: [SERIES] }))
      times.push(...sampled.map(({ availableMs }) => formatTime(availableMs!).slice(10)));
    expect(new Set(times)).toEqual(new Set(['T16:00:00.000Z']));
  });

  it('are read as daily rates with a column for each currency, which are the same points', async () => {
    const store = await newStore();
    const options = { maxRejectedShare: 1 };
    const daily = await importDataset(store, ecb, { ...options, files: [DAILY] });
    expect(daily).toMatchObject({
      rows: 10,
      points: 8,
      notRead: [{ kind: 'missing values (N/A)', count: 2 }],
    });
    const series = await importDataset(store, ecb, { ...options, files: [SERIES] });
    expect(series).toMatchObject({
      rows: 10,
      points: 5,
      nulls: 1,
      rejectedRows: 2,
      notReadRows: 2,
      unchanged: 2,
    });
    expect(series.notRead).toEqual(
      expect.arrayContaining([
        { kind: 'SP00.E per EUR', count: 1 },
        { kind: 'FREQ H', count: 1 },
      ]),
    );
    expect(await storedPoints(store)).toHaveLength(12);
  });

  it('are read from the file of the latest day, which writes its date in words', async () => {
    const latest = file('eurofxref.csv', 'Date, USD, JPY, \n02 January 2024, 1.0956, 155.68, \n');
    const { points, rejected } = await collect(ecb, { files: [latest] });
    expect(rejected).toEqual([]);
    expect(points.map(({ start, value }) => [start, value])).toEqual([
      ['2024-01-02', 1.0956],
      ['2024-01-02', 155.68],
    ]);
  });
});
