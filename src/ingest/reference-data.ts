import { createHash } from 'node:crypto';
import type { Source } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { ImportBatch } from './importer.js';
import { CENTRES_VERSION } from './regions/centre.js';
import { loadRegionTree, type RegionTree } from './regions/tree.js';
import { ITEMS } from './vocabulary/items.js';
import { METRICS } from './vocabulary/metrics.js';
import { UNITS } from './vocabulary/units.js';

const VOCABULARY = { units: UNITS, frequencies: FREQUENCIES, metrics: METRICS, items: ITEMS };

/** The batches that every importer yields first: the shared vocabulary, its own sources, the region tree and the shapes. */
export async function* readReferenceData(sources: readonly Source[]): AsyncGenerator<ImportBatch> {
  const tree = await loadRegionTree();
  const { vocabulary, regions } = digestsOf(tree);
  yield { digest: vocabulary, entities: VOCABULARY };
  yield {
    entities: { sources },
    progress: { label: 'vocabulary', done: 1, total: 1, unit: 'tables' },
  };
  const { length } = tree.regions;
  yield {
    digest: regions,
    entities: {
      get regions() {
        return tree.centred;
      },
    },
    progress: { label: 'regions', done: length, total: length, unit: 'regions' },
  };
  yield {
    digest: tree.shapesDigest,
    shapes: { [Symbol.iterator]: () => tree.shapes[Symbol.iterator]() },
    progress: { label: 'shapes', done: 1, total: 1, unit: 'tables' },
  };
}

let digests: { readonly vocabulary: string; readonly regions: string } | undefined;

/** The checksums of the vocabulary and the regions, which are the same throughout a process. Centres are left out of JSON. */
function digestsOf({ regions, shapesDigest }: RegionTree) {
  digests ??= {
    vocabulary: sha256(JSON.stringify(VOCABULARY)),
    regions: sha256(JSON.stringify([CENTRES_VERSION, shapesDigest, regions])),
  };
  return digests;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
