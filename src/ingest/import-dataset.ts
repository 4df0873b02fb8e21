import {
  checkFinite,
  checkFunction,
  checkShare,
  checkSignal,
  checkText,
  fieldsOf,
  listOf,
  needed,
  whole,
} from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys, optionsOf } from '../model/arguments/option-keys.js';
import { IMPORTER_SETTINGS } from '../model/importing/job.js';
import { formatTime } from '../model/time.js';
import { checkStore } from '../store/open.js';
import type { NewEntity, ReadRows, Store, StoreTransaction } from '../store/store.js';
import { ConflictReport } from './conflict-report.js';
import { ImportTally } from './import-tally.js';
import type { ImportBatch, Importer, ImporterInput, ImportOptions, ImportReport } from './importer.js';
import { estimateTextBytes } from './reading/input-files.js';

const checkImporter = needed(fieldsOf({ dataset: needed(checkText), read: needed(checkFunction) }));

const IMPORT_KEYS: OptionKeys<ImportOptions> = {
  signal: checkSignal,
  onProgress: checkFunction,
  files: listOf(checkText),
  importedMs: checkFinite,
  settings: optionsOf(IMPORTER_SETTINGS),
  maxRejectedShare: checkShare,
  maxRejected: whole(),
  maxConflicts: whole(),
  fetched: fieldsOf({ dataset: needed(checkText), request: needed(checkText) }),
  onRejected: checkFunction,
  onConflicts: checkFunction,
};

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
  checkStore(store, 'store');
  checkImporter(importer, 'importer');
  checkOptions(options, IMPORT_KEYS, 'importDataset');
  const { signal, onProgress, files = [] } = options;
  signal?.throwIfAborted();
  const transaction = await store.begin({ textBytes: await estimateTextBytes(files) });
  try {
    const { importedMs, notes } = await importTime(store, options);
    const sourceIds = new Set<number>();
    const tally = await writeBatches(
      importer,
      transaction,
      { ...options, importedMs, store },
      (batch, read) => {
        for (const { source_id } of (read ?? batch.points)?.series ?? []) sourceIds.add(source_id);
      },
    );
    await transaction.record({
      imported: { dataset: importer.dataset, sourceIds: [...sourceIds], importedMs },
      fetched: options.fetched,
    });
    const account = await settleRows(transaction, tally, options);
    const counts = await transaction.commit({ signal, onProgress });
    return { ...account, ...counts, notes: [...notes, ...account.notes] };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/**
 * When an import takes place: now, or right after the last import of a store that was told a later time. Points
 * imported with a clock that was set back would otherwise count as older than what it revises, and never be seen.
 */
async function importTime(
  store: Store,
  { importedMs }: ImportOptions,
): Promise<{ importedMs: number; notes: string[] }> {
  if (importedMs !== undefined) return { importedMs, notes: [] };
  const nowMs = Date.now();
  const times = (await store.sourceImports()).map((source) => source.importedMs ?? 0);
  const lastMs = times.reduce((latest, time) => Math.max(latest, time), 0);
  if (nowMs > lastMs) return { importedMs: nowMs, notes: [] };
  const [now, last] = [nowMs, lastMs].map((time) => formatTime(time));
  const note = `the clock says ${now}, and the last import was at ${last}; new points count as available right after that. If the clock is wrong, set it`;
  return { importedMs: lastMs + 1, notes: nowMs < lastMs ? [note] : [] };
}

/**
 * Accounts for the rows of an import when all are read.
 * @throws IngestError when too many rows are rejected or conflict
 */
export async function settleRows(
  transaction: StoreTransaction,
  tally: ImportTally,
  options: ImportOptions,
): Promise<ReturnType<ImportTally['report']>> {
  tally.checkRejected();
  const { signal, onProgress, onConflicts } = options;
  const conflicts = new ConflictReport(tally.texts, { signal, onConflicts });
  try {
    const settled = await transaction.settle({
      signal,
      onProgress,
      onConflicts: (points) => conflicts.add(points),
    });
    tally.checkConflicts(settled, conflicts.first);
    return tally.report(settled);
  } finally {
    await conflicts.close();
  }
}

const ENTITY_ORDER = ['units', 'frequencies', 'sources', 'metrics', 'items', 'regions'] as const;

/**
 * Reads a data set into a transaction.
 * @param onWritten is told of each batch, and of the account of the rows that the store reads
 */
export async function writeBatches(
  importer: Importer,
  transaction: StoreTransaction,
  options: ImportOptions & Pick<ImporterInput, 'importedMs' | 'store'>,
  onWritten: (batch: ImportBatch, read: ReadRows | null) => void | Promise<void>,
): Promise<ImportTally> {
  const { files = [], importedMs, settings, signal, store, onProgress } = options;
  const tally = new ImportTally(importer, options);
  for await (const batch of importer.read({ files, importedMs, settings, signal, store })) {
    signal?.throwIfAborted();
    const read = await writeBatch(transaction, batch, { signal, tally });
    await onWritten(batch, read);
    tally.add(batch);
    if (batch.progress) onProgress?.(batch.progress);
  }
  return tally;
}

async function writeBatch(
  transaction: StoreTransaction,
  batch: ImportBatch,
  { signal, tally }: Pick<ImportOptions, 'signal'> & { readonly tally: ImportTally },
): Promise<ReadRows | null> {
  const { digest, regionFile, idRedirects, points, rows } = batch;
  const put = () => putEntities(transaction, batch);
  await (digest === undefined ? put() : transaction.putOnce(digest, put));
  if (regionFile !== undefined) await transaction.putRegionFile(regionFile);
  if (idRedirects !== undefined) await transaction.record({ redirects: idRedirects });
  if (points !== undefined) await transaction.putPoints(points);
  if (rows === undefined) return null;
  const read = await transaction.putRows(rows.table, {
    signal,
    mayReject: (count) => tally.mayReject(count),
  });
  rows.onRead(read);
  return read;
}

async function putEntities(
  transaction: StoreTransaction,
  { entities = {}, shapes }: ImportBatch,
): Promise<void> {
  for (const type of ENTITY_ORDER) {
    const rows = entities[type];
    if (rows !== undefined) await transaction.putEntities(type, rows as readonly NewEntity<typeof type>[]);
  }
  if (shapes !== undefined) await transaction.putShapes(shapes);
}
