import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { formatTime } from '../../../src/model/time.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, readBatches } from '../collect.js';
import { newStore, storedPoints } from '../stores.js';

const ecb = documentImporter('ecb');
const { file } = temporaryFiles();
const SERIES = 'test/fixtures/ecb/exr.csv';
const DAILY = 'test/fixtures/ecb/eurofxref-hist.csv';

describe('exchange rates', () => {
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
