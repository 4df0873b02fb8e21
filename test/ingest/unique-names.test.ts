import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../src/ingest/batch/batch-builder.js';
import { findImporter } from '../../src/ingest/datasets.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { ITEMS } from '../../src/ingest/vocabulary/items.js';
import { METRICS } from '../../src/ingest/vocabulary/metrics.js';
import { SOURCES } from '../../src/ingest/vocabulary/sources.js';
import { sample } from './samples.js';
import { newStore } from './stores.js';

/** Names that several entities have, in lower case. */
function repeated(entities: readonly { readonly id: number; readonly name: string }[]): string[] {
  const ids = new Map<string, Set<number>>();
  for (const { id, name } of entities)
    ids.set(name.toLowerCase(), (ids.get(name.toLowerCase()) ?? new Set()).add(id));
  return [...ids].filter(([, { size }]) => size > 1).map(([name]) => name);
}

/** Files by data set: fixtures, and samples where they are on this machine. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  psd: ['test/fixtures/psd/grains.csv', 'test/fixtures/psd/balances.csv'],
  wasde: ['test/fixtures/wasde/wasde1212.xml', 'test/fixtures/wasde/report-data-2012-12.csv'],
  nass: [sample('nass/qs.sample.tsv'), sample('nass/qs_export_county_corn_yield_2012_2021.csv')],
  faostat: [
    sample('faostat/web_export_QCL_ukraine_2014_2022.csv'),
    sample('faostat/Food_Security_Data_E_All_Data_(Normalized).trimmed.csv'),
  ],
};

describe('names are unique by type', () => {
  it.each([
    ['metrics', METRICS],
    ['items', ITEMS],
    ['sources', Object.values(SOURCES)],
  ])('of the shared %s', (_, entities) => {
    expect(repeated(entities)).toEqual([]);
  });

  it('of entities that data sets add, whatever the store has already', async () => {
    const store = await newStore();
    for (const [name, files] of Object.entries(FILES)) {
      const importer = (await findImporter(name))!;
      for (const file of files.filter((path) => existsSync(path)))
        await importDataset(store, importer, { files: [file], maxRejectedShare: 1 });
    }
    for (const type of ['metrics', 'items', 'regions', 'sources'] as const)
      expect(repeated(await store.lookup(type, null)), type).toEqual([]);
  });

  it('by the data set, then by the rest of the identity, and again the same in a later import', async () => {
    const store = await newStore();
    const read = async (dataset: string) => {
      const batch = await BatchBuilder.create({ store }, dataset);
      const add = (rest: string) =>
        batch.addNamedEntity('metrics', `${dataset}:metric:${rest}`, {
          name: 'total use',
          definition: '',
          belongsTo: [],
        });
      const ids = [add('one'), add('two')];
      const entities = batch.take({ label: '', done: 0, total: 0, unit: 'rows' }).entities?.metrics ?? [];
      const transaction = await store.begin();
      await transaction.putEntities('metrics', entities);
      await transaction.commit();
      return ids.map((id) => entities.find((metric) => metric.id === id)?.name);
    };
    const names = ['total use (A)', 'total use (two)'];
    expect(await read('A')).toEqual(names);
    expect(await read('B')).toEqual(['total use (B)', expect.stringMatching(/^total use \(\d+\)$/)]);
    expect(await read('A')).toEqual(names);
  });
});
