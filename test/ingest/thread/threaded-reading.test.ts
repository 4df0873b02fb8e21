import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { IMPORTERS } from '../../../src/ingest/datasets.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { ImportOptions } from '../../../src/ingest/importer.js';
import { ThreadedReading } from '../../../src/ingest/thread/threaded-reading.js';
import { CropframeError, IngestError } from '../../../src/model/errors.js';
import { openStore } from '../../../src/store/open.js';
import { TRIALS_MAPPING } from '../../trials-mapping.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-thread-'));
const reading = new ThreadedReading();
afterAll(async () => {
  await reading.close();
  rmSync(folder, { recursive: true });
});

/** Half as much again as the program needs for a small file, wherever its collector stands. */
const HEAP_MB = 128;
const csv = reading.importer(IMPORTERS.get('csv')!);

function options(name: string, rows: readonly string[]): ImportOptions {
  const path = join(folder, name);
  writeFileSync(path, ['state,year,value', ...rows, ''].join('\n'));
  return {
    files: [path],
    settings: { mapping: TRIALS_MAPPING },
    importedMs: 0,
    maxRejectedShare: 1,
    maxConflicts: 100,
  };
}

it('imports what reading in the same thread does, with the same report', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `${i % 2 ? 'Iowa' : 'Ohio'},${1000 + (i >> 1)},${i}`);
  const given = options('many.csv', [...rows, 'Atlantis,2000,1', 'Iowa,1001,7', 'Iowa,1002,3']);
  const found: unknown[] = [];
  for (const importer of [csv, IMPORTERS.get('csv')!]) {
    const store = await openStore(':memory:');
    const marked: unknown[] = [];
    const onRejected = (lines: readonly unknown[]) => void marked.push(...lines);
    const report = await importDataset(store, importer, { ...given, onRejected, onConflicts: onRejected });
    const again = await importDataset(store, importer, given);
    const regions = await store.searchDocuments('regions');
    const shapes = await store.shapes([840, 250], 'full');
    found.push({ report, marked, unchanged: again.unchanged, entities: again.entities, regions, shapes });
    await store.close();
  }
  expect(found[0]).toEqual(found[1]);
  expect(found[0]).toMatchObject({ report: { rejectedRows: 1, conflicts: 4 }, entities: 0 });
});

it('fails with the error of the importer, of its class, and reads the next files', async () => {
  const store = await openStore(':memory:');
  const missing = { ...options('a.csv', ['Iowa,2000,1']), files: [join(folder, 'no.csv')] };
  const error = await importDataset(store, csv, missing).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(IngestError);
  expect(error).toMatchObject({ dataset: 'csv', message: expect.stringContaining('no.csv') });
  const next = await importDataset(store, csv, options('a.csv', ['Iowa,2000,1']));
  expect(next.added).toBe(1);
  await store.close();
});

it('ends with the reason of the signal, while it reads', async () => {
  const store = await openStore(':memory:');
  const leaving = new AbortController();
  const rows = Array.from({ length: 200_000 }, (_, i) => `Iowa,${1000 + (i % 900)},${i}`);
  const given = { ...options('long.csv', rows), signal: leaving.signal };
  const onProgress = () => leaving.abort(new Error('the sender left'));
  await expect(importDataset(store, csv, { ...given, onProgress })).rejects.toThrow('the sender left');
  expect(await store.list('metrics', 1)).toEqual([]);
  await store.close();
});

it('fails the import alone when reading needs a larger heap than the thread has', async () => {
  const store = await openStore(':memory:');
  const small = new ThreadedReading({ maxOldGenerationSizeMb: HEAP_MB });
  const plots = small.importer(IMPORTERS.get('csv')!);
  const region = { station: 'state', latitude: 42, longitude: -93 };
  const importPlots = (name: string, rows: readonly string[]) =>
    importDataset(store, plots, {
      ...options(name, rows),
      settings: { mapping: { ...TRIALS_MAPPING, region } },
    });
  const long = 'x'.repeat(10_000);
  const names = Array.from({ length: HEAP_MB * 100 }, (_, i) => `${long}${i},2001,1`);
  const error = await importPlots('large.csv', names).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CropframeError);
  expect(error).toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/takes more memory than there is; import fewer or smaller files/),
  });
  expect((await importPlots('next.csv', ['South,2000,1'])).added).toBe(1);
  const regions = await store.searchDocuments('regions');
  const withPoints = regions.filter(({ pointCount }) => pointCount > 0);
  expect(withPoints.map(({ name }) => name)).toEqual(['South']);
  expect(regions.filter(({ name }) => name.startsWith('x'))).toEqual([]);
  await small.close();
  await store.close();
});
