import type { EntityType, SearchableType, SearchDocument } from '../model/entity.js';
import { IngestError } from '../model/errors.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { IdChange } from '../store/id-change.js';
import type {
  IdRedirect,
  ImportCounts,
  NewEntity,
  NewPoints,
  NewShape,
  Store,
  StoredIdentity,
} from '../store/store.js';

/** A row that was not imported, and why. */
export interface RejectedRow {
  /** The file. */
  readonly file: string;
  /** Counted from 1, including the header. */
  readonly line: number;
  /** Why it was rejected. */
  readonly reason: string;
  /** The row as it is in the file. */
  readonly text: string;
}

/** A part of a data set. Entities come in the same batch as the points that name them, or in an earlier one. */
export interface ImportBatch {
  /** Entities whose ids change; this batch and all later ones use the new ids alone. */
  readonly idChanges?: readonly IdChange[] | undefined;
  /** Entities by type. */
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] } | undefined;
  /** Shapes of regions. */
  readonly shapes?: readonly NewShape[] | undefined;
  /** Redirects from old ids to new ones. */
  readonly idRedirects?: readonly IdRedirect[] | undefined;
  /** Points, and their series. */
  readonly points?: NewPoints | undefined;
  /** Rejected rows. */
  readonly rejected?: readonly RejectedRow[] | undefined;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes?: readonly string[] | undefined;
  /** Progress of the import. */
  readonly progress?: Progress | undefined;
}

/** Settings of importers; each importer reads those that concern it. */
export interface ImporterSettings {
  /** Weather: keep values that failed a quality check; by default they become null. */
  readonly keepFlagged?: boolean | undefined;
  /** Climate Data Online: the units of the file, where they cannot be detected. */
  readonly units?: 'standard' | 'metric' | undefined;
  /** Any other table: the `Mapping` of its columns as JSON, or the path of a JSON file. */
  readonly mapping?: unknown;
}

/** The input of an importer. */
export interface ImporterInput {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** When the import started, in UTC milliseconds: the available date of figures without one of their own. */
  readonly importedMs: number;
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
  /** The entities that the store already has, by name; absent without a store. */
  readonly documents?: ((type: SearchableType) => Promise<SearchDocument[]>) | undefined;
  /** The ids that the store gave to names; absent without a store. */
  readonly identities?: ((type: EntityType) => Promise<readonly StoredIdentity[]>) | undefined;
  /** Aborting it ends the import. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads the files of one public data set as entities and points. */
export interface Importer {
  /** The name on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  /** What the data set is, in one line. */
  readonly summary: string;
  /** False when the data comes with the package. */
  readonly needsFiles: boolean;
  /** Whether a text with this beginning belongs to the data set; absent when the beginning does not show it. */
  readonly recognises?: ((beginning: string) => boolean) | undefined;
  /**
   * Reads the files in batches.
   * @throws IngestError that names file and line when a file does not belong to the data set
   */
  read(input: ImporterInput): AsyncIterable<ImportBatch>;
}

/** The result of an import. */
export interface ImportReport extends ImportCounts {
  /** The data set. */
  readonly dataset: string;
  /** Points read, including those that the store already had. */
  readonly rows: number;
  /** Number of rejected rows. */
  readonly rejectedRows: number;
  /** The first thousand rejected rows; `onRejected` receives all of them. */
  readonly rejected: readonly RejectedRow[];
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes: readonly string[];
}

/** Options of an import. */
export interface ImportOptions extends LongOperation {
  /** Paths of the files. */
  readonly files?: readonly string[] | undefined;
  /** Available date of figures that have none of their own, UTC milliseconds; now by default. */
  readonly importedMs?: number | undefined;
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
  /** The import fails when more than this share of the rows is rejected (default 0.05). */
  readonly maxRejectedShare?: number | undefined;
  /** Called with every row that is left out. */
  readonly onRejected?: ((rows: readonly RejectedRow[]) => void) | undefined;
}

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

const MAX_KEPT_REJECTIONS = 1000;
/** With fewer rows than this, the share of rejected rows says nothing about the whole file. */
const MIN_ROWS_TO_CHECK = 10_000;

/** Counts imported and rejected rows, and ends the import when too many were rejected. */
export class RejectionTally {
  #rows = 0;
  #rejectedRows = 0;
  readonly #rejected: RejectedRow[] = [];
  readonly #notes: string[] = [];

  readonly #dataset: string;
  readonly #options: Pick<ImportOptions, 'maxRejectedShare' | 'onRejected'>;

  constructor(dataset: string, options: Pick<ImportOptions, 'maxRejectedShare' | 'onRejected'>) {
    this.#dataset = dataset;
    this.#options = options;
  }

  /** @throws IngestError as soon as enough rows show that too many are rejected */
  add({ points, rejected = [], notes = [] }: ImportBatch): void {
    this.#notes.push(...notes);
    this.#rows += points?.columns.length ?? 0;
    this.#rejectedRows += rejected.length;
    this.#rejected.push(...rejected.slice(0, MAX_KEPT_REJECTIONS - this.#rejected.length));
    if (rejected.length > 0) this.#options.onRejected?.(rejected);
    if (this.#rows + this.#rejectedRows >= MIN_ROWS_TO_CHECK) this.check();
  }

  /** @throws IngestError when more than the allowed share of the rows was rejected */
  check(): void {
    const { maxRejectedShare = 0.05 } = this.#options;
    const total = this.#rows + this.#rejectedRows;
    if (this.#rejectedRows <= maxRejectedShare * total) return;
    const { file, line, reason } = this.#rejected[0]!;
    const share = `${this.#rejectedRows} of ${total} rows cannot be used, more than ${maxRejectedShare * 100} %`;
    throw new IngestError(this.#dataset, `${share}; the first is line ${line} of ${file}: ${reason}`, {
      file,
      row: line,
    });
  }

  report(): Pick<ImportReport, 'rows' | 'rejectedRows' | 'rejected' | 'notes'> {
    const [rejected, notes] = [this.#rejected, this.#notes];
    return { rows: this.#rows, rejectedRows: this.#rejectedRows, rejected, notes };
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
