import { createHash } from 'node:crypto';
import type { Source } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { ImportBatch } from './importer.js';
import { loadRegionTree, readShapes } from './regions/tree.js';
import { ITEMS } from './vocabulary/items.js';
import { METRICS } from './vocabulary/metrics.js';
import { UNITS } from './vocabulary/units.js';

const VOCABULARY = { units: UNITS, frequencies: FREQUENCIES, metrics: METRICS, items: ITEMS };

let vocabularyDigest: string | undefined;

/** The batches that every importer yields first: the shared vocabulary, its own sources, the region tree and the shapes. */
export async function* readReferenceData(sources: readonly Source[]): AsyncGenerator<ImportBatch> {
  vocabularyDigest ??= createHash('sha256').update(JSON.stringify(VOCABULARY)).digest('hex');
  yield { digest: vocabularyDigest, entities: VOCABULARY };
  yield {
    entities: { sources },
    progress: { label: 'vocabulary', done: 1, total: 1, unit: 'tables' },
  };
  const { regions, version } = await loadRegionTree();
  const { length } = regions;
  yield {
    digest: `regions ${version}`,
    entities: { regions },
    progress: { label: 'regions', done: length, total: length, unit: 'regions' },
  };
  yield {
    digest: `shapes ${version}`,
    contents: readShapeParts,
    progress: { label: 'shapes', done: 1, total: 1, unit: 'tables' },
  };
}

async function* readShapeParts(): AsyncGenerator<Pick<ImportBatch, 'shapes'>> {
  for (const detail of ['simple', 'full'] as const) yield { shapes: await readShapes(detail) };
}
