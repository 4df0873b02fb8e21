import type { Source } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { ImportBatch } from './importer.js';
import { loadRegionTree } from './regions/tree.js';
import { ITEMS } from './vocabulary/items.js';
import { METRICS } from './vocabulary/metrics.js';
import { UNITS } from './vocabulary/units.js';

/** The batches that every importer yields first: the shared vocabulary, its own sources, the region tree and the shapes. */
export async function* readReferenceData(sources: readonly Source[]): AsyncGenerator<ImportBatch> {
  yield {
    entities: { units: UNITS, frequencies: FREQUENCIES, sources, metrics: METRICS, items: ITEMS },
    progress: { label: 'vocabulary', done: 1, total: 1, unit: 'tables' },
  };
  const { regions, shapes } = await loadRegionTree();
  yield {
    entities: { regions },
    progress: { label: 'regions', done: regions.length, total: regions.length, unit: 'regions' },
  };
  yield {
    shapes,
    progress: { label: 'shapes', done: shapes.length, total: shapes.length, unit: 'shapes' },
  };
}
