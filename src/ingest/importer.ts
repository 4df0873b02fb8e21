import type { EntityType } from '../model/entity.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { ImportCounts, MovedId, NewEntity, NewPoints, NewShape, Store } from '../store/store.js';

/** A row that was left out, and why. */
export interface RejectedRow {
  readonly file: string;
  /** Counted from 1, the header included. */
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** A piece of a data set, in any order that puts entities before the points that need them. */
export interface ImportBatch {
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] };
  readonly shapes?: readonly NewShape[];
  readonly movedIds?: readonly MovedId[];
  readonly points?: NewPoints;
  readonly rejected?: readonly RejectedRow[];
  readonly progress?: Progress;
}

export interface ImporterInput {
  readonly files: readonly string[];
  /** When this import was started: the available date of figures that carry none of their own. UTC milliseconds. */
  readonly importedMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One public data set: how its files become entities and points. */
export interface Importer {
  /** The word on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  readonly summary: string;
  /** Whether it reads files, or comes with the packages. */
  readonly needsFiles: boolean;
  /** @throws IngestError that names file and line when a file is not of this data set */
  read(input: ImporterInput): AsyncIterable<ImportBatch>;
}

export interface ImportReport extends ImportCounts {
  readonly dataset: string;
  readonly rejected: readonly RejectedRow[];
}

/**
 * Imports a data set into a store, all or nothing: an error or an abort rolls everything back.
 * Importing the same figures again changes nothing; newer figures become revisions.
 * @throws IngestError, StoreError, or the signal's reason
 */
export async function importDataset(
  store: Store,
  importer: Importer,
  options: LongOperation & { files?: readonly string[]; importedMs?: number } = {},
): Promise<ImportReport> {
  const { signal, onProgress, files = [], importedMs = Date.now() } = options;
  const transaction = await store.begin();
  try {
    const rejected: RejectedRow[] = [];
    for await (const batch of importer.read({ files, importedMs, signal })) {
      signal?.throwIfAborted();
      await putBatch(transaction, batch);
      rejected.push(...(batch.rejected ?? []));
      if (batch.progress) onProgress?.(batch.progress);
    }
    const counts = await transaction.commit({ signal, onProgress });
    return { dataset: importer.dataset, rejected, ...counts };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const ENTITY_ORDER = ['units', 'frequencies', 'sources', 'metrics', 'items', 'regions'] as const;

async function putBatch(
  transaction: Awaited<ReturnType<Store['begin']>>,
  { entities = {}, shapes, movedIds, points }: ImportBatch,
): Promise<void> {
  for (const type of ENTITY_ORDER) {
    const rows = entities[type];
    if (rows !== undefined) await transaction.putEntities(type, rows as readonly NewEntity<typeof type>[]);
  }
  if (shapes !== undefined) await transaction.putShapes(shapes);
  if (movedIds !== undefined) await transaction.putMovedIds(movedIds);
  if (points !== undefined) await transaction.putPoints(points);
}
