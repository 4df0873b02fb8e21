import * as v from 'valibot';
import { SETTINGS } from '../model/importing/job.js';
import { check, checkOptions, fieldsOf, type OptionKeys, required } from '../model/schema/check.js';
import { FINITE, FUNCTION, integer, SHARE, SIGNAL, TEXT } from '../model/schema/schemas.js';
import { formatDay, formatTime } from '../model/time.js';
import { STORE } from '../store/open.js';
import type {
  ConflictingFigure,
  ConflictingPoint,
  NewEntity,
  NewRows,
  ReadRows,
  Store,
  StoreTransaction,
} from '../store/store.js';
import { MAX_REJECTED_TEXT } from './batch/batch-builder.js';
import { ImportTally } from './import-tally.js';
import type {
  ImportBatch,
  ImportedRow,
  ImportedText,
  Importer,
  ImporterInput,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './importer.js';
import { checkSettings } from './settings.js';

const IMPORTER = fieldsOf({ dataset: required(TEXT), read: required(FUNCTION) });

const IMPORT_KEYS: OptionKeys<ImportOptions> = {
  signal: SIGNAL,
  onProgress: FUNCTION,
  files: v.array(TEXT),
  importedMs: FINITE,
  settings: SETTINGS,
  maxRejectedShare: SHARE,
  maxRejected: integer(),
  maxConflicts: integer(),
  fetched: fieldsOf({ dataset: required(TEXT), request: required(TEXT) }),
  onRejected: FUNCTION,
  onConflicts: FUNCTION,
};

/**
 * Imports a data set into a store in one transaction, which is rolled back if an error occurs or the import is aborted.
 * Importing the same figures again changes nothing. Changed figures are stored as revisions.
 * @throws IngestError if the files cannot be imported; StoreError if the store fails; or the abort signal's reason
 */
export async function importDataset(
  store: Store,
  importer: Importer,
  options: ImportOptions = {},
): Promise<ImportReport> {
  check(STORE, store, 'store');
  check(IMPORTER, importer, 'importer');
  checkOptions(options, IMPORT_KEYS, 'importDataset');
  checkSettings(importer, options.settings);
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const transaction = await store.begin();
  try {
    const { importedMs, notes } = await importTime(store, options);
    const sourceIds = new Set<number>();
    const addSources = (read: Pick<ReadRows, 'series'> | undefined) => {
      for (const { source_id } of read?.series ?? []) sourceIds.add(source_id);
    };
    const watch = { onWritten: ({ points }: ImportBatch) => addSources(points), onRead: addSources };
    const tally = await writeBatches(importer, transaction, { ...options, ...watch, importedMs, store });
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

/** Returns the import time: by default, the current time, or just after the last import if the clock is behind. */
async function importTime(store: Store, { importedMs }: ImportOptions) {
  if (importedMs !== undefined) return { importedMs, notes: [] };
  const nowMs = Date.now();
  const times = (await store.sourceImports()).map((source) => source.importedMs ?? 0);
  const lastMs = times.reduce((latest, time) => Math.max(latest, time), 0);
  if (nowMs > lastMs) return { importedMs: nowMs, notes: [] };
  const [now, last] = [nowMs, lastMs].map((time) => formatTime(time));
  const note = `the clock says ${now}, but the last import was at ${last}; new points count as available just after that. If the clock is wrong, correct it`;
  return { importedMs: lastMs + 1, notes: nowMs < lastMs ? [note] : [] };
}

/** Resolves conflicts after all rows are read, and counts the rows. @throws IngestError if too many are unusable */
export async function settleRows(transaction: StoreTransaction, tally: ImportTally, options: ImportOptions) {
  tally.checkRejected();
  const { signal, onProgress, onConflicts } = options;
  const conflicts = reportConflicts(tally.texts, { signal, onConflicts });
  try {
    const settled = await transaction.settle({ signal, onProgress, onConflicts: conflicts.add });
    tally.checkConflicts(settled, conflicts.first);
    return tally.report(settled);
  } finally {
    await conflicts.close();
  }
}

const ENTITY_ORDER = ['units', 'frequencies', 'sources', 'metrics', 'items', 'regions'] as const;

interface WriteWatch {
  readonly onWritten: (batch: ImportBatch) => void;
  readonly onRead: (read: ReadRows) => void | Promise<void>;
}

/**
 * Reads a data set into a transaction. Calls `onWritten` with each batch, and `onRead` with a summary of each table.
 */
export async function writeBatches(
  importer: Importer,
  transaction: StoreTransaction,
  options: ImportOptions & Pick<ImporterInput, 'importedMs' | 'store'> & WriteWatch,
): Promise<ImportTally> {
  const { files = [], signal, onProgress } = options;
  const tally = new ImportTally(importer, options);
  const mayReject = (count: number) => tally.mayReject(count);
  async function putRows(table: NewRows): Promise<ReadRows> {
    const read = await transaction.putRows(table, { signal, mayReject });
    await options.onRead(read);
    return read;
  }
  for await (const batch of importer.read({ ...options, files, putRows })) {
    signal?.throwIfAborted();
    await writeBatch(transaction, batch);
    options.onWritten(batch);
    if (batch.rejected !== undefined && batch.rejected.length > 0) await options.onRejected?.(batch.rejected);
    tally.add(batch);
    if (batch.progress) onProgress?.(batch.progress);
  }
  return tally;
}

async function writeBatch(transaction: StoreTransaction, batch: ImportBatch): Promise<void> {
  const { entities = {}, digest, regionFile, points } = batch;
  const put = async () => {
    for (const type of ENTITY_ORDER) {
      const some = entities[type];
      if (some !== undefined) await transaction.putEntities(type, some as readonly NewEntity<typeof type>[]);
    }
  };
  await (digest === undefined ? put() : transaction.putOnce(digest, put));
  if (regionFile !== undefined) await transaction.putRegionFile(regionFile);
  if (points !== undefined) await transaction.putPoints(points);
}

/** Lists the rows at which the file or the difference between line number and row index changes. */
async function readLineSteps(rows: AsyncIterable<ImportedRow>) {
  const steps: { row: number; ahead: number; file: string | undefined }[] = [];
  let row = 0;
  for await (const { line, file } of rows) {
    const last = steps.at(-1);
    if (last?.ahead !== line - row || last.file !== file) steps.push({ row, ahead: line - row, file });
    row++;
  }
  return steps;
}

/** Reports conflicting points as rejected rows. Each reason states the figure that the row contradicts. */
function reportConflicts(
  texts: readonly ImportedText[],
  { signal, onConflicts }: Pick<ImportOptions, 'signal' | 'onConflicts'>,
) {
  let first: RejectedRow | undefined;
  const stepsOf = new Map<number, Awaited<ReturnType<typeof readLineSteps>>>();
  /** The file that is being reread, and the last row read from it. */
  let reading: { file: number; rows: AsyncIterator<ImportedRow>; row: number; text: string } | null = null;

  async function placeOf({ file, row }: ConflictingFigure): Promise<{ file: string; line: number }> {
    if (file === null || row === null) return { file: '', line: 0 };
    const { name, rows } = texts[file]!;
    const steps = stepsOf.get(file) ?? (await readLineSteps(rows()));
    stepsOf.set(file, steps);
    const step = steps.findLast((one) => one.row <= row);
    return { file: step?.file ?? name, line: row + (step?.ahead ?? 0) };
  }

  async function textOf({ file, row }: ConflictingFigure): Promise<string> {
    if (file === null || row === null) return '';
    if (reading?.file !== file) {
      await close();
      reading = { file, rows: texts[file]!.rows()[Symbol.asyncIterator](), row: -1, text: '' };
    }
    for (; reading.row < row; reading.row++) {
      const next = await reading.rows.next();
      reading.text = next.value?.text ?? '';
    }
    return reading.text.slice(0, MAX_REJECTED_TEXT);
  }

  async function close(): Promise<void> {
    await reading?.rows.return?.();
    reading = null;
  }

  return {
    get first() {
      return first;
    },
    /** Reports conflicting points, which must be sorted by file and row. */
    async add(points: readonly ConflictingPoint[]): Promise<void> {
      const rows: RejectedRow[] = [];
      for (const found of points) {
        signal?.throwIfAborted();
        const [place, other] = [await placeOf(found), await placeOf(found.other)];
        rows.push({ ...place, reason: reasonOf(found, other), text: await textOf(found) });
      }
      first ??= rows[0];
      await onConflicts?.(rows);
    },
    close,
  };
}

/** Formats a reason: `conflict: Yield, Corn, Iowa, 2012-01-01 to 2012-12-31 is 137 here, and 9 in line 3 of b.csv` */
function reasonOf(point: ConflictingPoint, place: { readonly file: string; readonly line: number }): string {
  const { metric, item, region, startMs, endMs, other } = point;
  const period = `${formatDay(startMs)} to ${formatDay(endMs)}`;
  const where = other.file === null ? 'another row' : `line ${place.line} of ${place.file}`;
  const figure = `${describeFigure(point)} here, and ${describeFigure(other)} in ${where}`;
  return `conflict: ${metric}, ${item}, ${region}, ${period} is ${figure}`;
}

function describeFigure({ value, unit }: ConflictingFigure): string {
  return value === null ? 'no value' : `${value} ${unit}`;
}
