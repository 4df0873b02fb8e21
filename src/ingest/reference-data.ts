import { createHash } from 'node:crypto';
import type { Source } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { ImportBatch } from './importer.js';
import { REGION_FILE } from './regions/tree.js';
import { ITEMS, METRICS } from './vocabulary/entities.js';
import { UNITS } from './vocabulary/units.js';

const VOCABULARY = { units: UNITS, frequencies: FREQUENCIES, metrics: METRICS, items: ITEMS };

let vocabularyDigest: string | undefined;

/** Yields the batches with which every import begins: the vocabulary, the given sources, and the regions. */
export async function* readReferenceData(sources: readonly Source[]): AsyncGenerator<ImportBatch> {
  vocabularyDigest ??= createHash('sha256').update(JSON.stringify(VOCABULARY)).digest('hex');
  yield { digest: vocabularyDigest, entities: VOCABULARY };
  yield {
    entities: { sources },
    progress: { label: 'vocabulary', done: 1, total: 1, unit: 'tables' },
  };
  yield { regionFile: REGION_FILE, progress: { label: 'regions', done: 1, total: 1, unit: 'tables' } };
}
