import type { NewEntity, Store } from '../store/store.js';
import type { ImportBatch, Importer, ImportOptions, ImportReport } from './importer.js';
import { RejectionTally } from './rejection-tally.js';

/**
 * Imports a data set into a store in one transaction: an error or an abort rolls all of it back.
 * Importing the same figures again changes nothing; changed figures become revisions.
 * @throws IngestError, StoreError, or the signal's reason
 */
export async function importDataset(
  store: Store,
  importer: Importer,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { signal, onProgress, files = [], importedMs = Date.now(), settings } = options;
  signal?.throwIfAborted();
  const transaction = await store.begin();
  try {
    const tally = new RejectionTally(importer.dataset, options);
    for await (const batch of importer.read({
      files,
      importedMs,
      settings,
      signal,
      documents: (type) => store.searchDocuments(type),
      identities: (type) => store.identities(type),
    })) {
      signal?.throwIfAborted();
      await writeBatch(transaction, batch);
      tally.add(batch);
      if (batch.progress) onProgress?.(batch.progress);
    }
    tally.check();
    const counts = await transaction.commit({ signal, onProgress });
    return { dataset: importer.dataset, ...tally.report(), ...counts };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const ENTITY_ORDER = ['units', 'frequencies', 'sources', 'metrics', 'items', 'regions'] as const;

async function writeBatch(
  transaction: Awaited<ReturnType<Store['begin']>>,
  { idChanges, entities = {}, shapes, idRedirects, points }: ImportBatch,
): Promise<void> {
  if (idChanges !== undefined) await transaction.changeIds(idChanges);
  for (const type of ENTITY_ORDER) {
    const rows = entities[type];
    if (rows !== undefined) await transaction.putEntities(type, rows as readonly NewEntity<typeof type>[]);
  }
  if (shapes !== undefined) await transaction.putShapes(shapes);
  if (idRedirects !== undefined) await transaction.putIdRedirects(idRedirects);
  if (points !== undefined) await transaction.putPoints(points);
}
