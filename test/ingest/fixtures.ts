import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recogniseDatasets } from '../../src/ingest/datasets.js';

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
