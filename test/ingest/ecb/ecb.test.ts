import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { formatTime } from '../../../src/model/time.js';
import { readBatches } from '../collect.js';
import { newStore, storedPoints } from '../stores.js';

const ecb = documentImporter('ecb');
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
    await importDataset(store, ecb, { files: [DAILY] });
    const series = await importDataset(store, ecb, { files: [SERIES], maxRejectedShare: 1 });
    expect(series).toMatchObject({ points: 5, nulls: 1, unchanged: 2 });
    expect(await storedPoints(store)).toHaveLength(12);
  });
});
