import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findImporter } from '../../src/ingest/datasets.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
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

it('names are unique by type, of entities that data sets add, whatever the store has already', async () => {
  const store = await newStore();
  for (const [name, files] of Object.entries(FILES)) {
    const importer = (await findImporter(name))!;
    for (const file of files.filter((path) => existsSync(path)))
      await importDataset(store, importer, { files: [file], maxRejectedShare: 1 });
  }
  for (const type of ['metrics', 'items', 'regions', 'sources'] as const)
    expect(repeated(await store.lookup(type, null)), type).toEqual([]);
});
