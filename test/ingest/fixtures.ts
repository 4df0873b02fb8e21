import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importerOf, recogniseDatasets } from '../../src/ingest/datasets.js';
import type { Importer } from '../../src/ingest/importer.js';

/** The document of a small table of corn by state. */
export const CORN = JSON.parse(readFileSync('test/fixtures/csv/corn.json', 'utf8'));

/** Returns the importer of a data set; `csv` stands for the tables of `CORN`. */
export const importerOfFixture = (dataset: string): Promise<Importer> =>
  importerOf(dataset === 'csv' ? CORN : dataset);

/** Every file by hand that a data set recognises, with the data set. */
export async function datasetFixtures(): Promise<(readonly [dataset: string, path: string])[]> {
  const paths = readdirSync('test/fixtures', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test/fixtures', name))
    .filter((path) => statSync(path).isFile());
  const found = await Promise.all(
    paths
      .sort()
      .map(async (path) => (await recogniseDatasets(path)).map((dataset) => [dataset, path] as const)),
  );
  return found.flat();
}
