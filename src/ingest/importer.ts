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

/** A row that was left out, and why. */
export interface RejectedRow {
  /** The file. */
  readonly file: string;
  /** Counted from 1, the header included. */
  readonly line: number;
  /** Why it was left out. */
  readonly reason: string;
  /** The row as it is in the file. */
  readonly text: string;
}

/** A piece of a data set, in any order that puts entities before the points that need them. */
export interface ImportBatch {
  /** Entities that stand under other ids from this batch on, which speaks of the new ids alone. */
  readonly idChanges?: readonly IdChange[] | undefined;
  /** Entities by type. */
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] } | undefined;
  /** Shapes of regions. */
  readonly shapes?: readonly NewShape[] | undefined;
  /** Ids that have changed. */
  readonly idRedirects?: readonly IdRedirect[] | undefined;
  /** Points, and their series. */
  readonly points?: NewPoints | undefined;
  /** Rows that were left out. */
  readonly rejected?: readonly RejectedRow[] | undefined;
  /** What a person should know, such as how a name was read that could mean several things. */
  readonly notes?: readonly string[] | undefined;
  /** How far the import has come. */
  readonly progress?: Progress | undefined;
}

/** What a data set may be told beyond its files; each reads the settings that concern it. */
export interface ImporterSettings {
  /** Weather: keep values that failed a quality check instead of withholding them (default false). */
  readonly keepFlagged?: boolean | undefined;
  /** Climate Data Online: the units of the file, where the figures themselves do not show them. */
  readonly units?: 'standard' | 'metric' | undefined;
  /** Any other table: which columns mean what, as `csv/mapping.ts` describes it, or the path of a file that says so. */
  readonly mapping?: unknown;
}

/** What an importer is given. */
export interface ImporterInput {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** When this import was started: the available date of figures that carry none of their own. UTC milliseconds. */
  readonly importedMs: number;
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
  /** What the store already knows by name; absent where there is no store. */
  readonly documents?: ((type: SearchableType) => Promise<SearchDocument[]>) | undefined;
  /** By which ids the store knows names; absent where there is no store. */
  readonly identities?: ((type: EntityType) => Promise<readonly StoredIdentity[]>) | undefined;
  /** Aborting it ends the import. */
  readonly signal?: AbortSignal | undefined;
}

/** One public data set: how its files become entities and points. */
export interface Importer {
  /** The word on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  /** What the data set is, in one line. */
  readonly summary: string;
  /** Whether it reads files, or comes with the packages. */
  readonly needsFiles: boolean;
  /** Whether a text that begins so is a file of this data set; absent where no beginning says so. */
  readonly recognises?: ((beginning: string) => boolean) | undefined;
  /**
   * Reads the files in batches.
   * @throws IngestError that names file and line when a file is not of this data set
   */
  read(input: ImporterInput): AsyncIterable<ImportBatch>;
}

/** What became of an import. */
export interface ImportReport extends ImportCounts {
  /** The data set. */
  readonly dataset: string;
  /** Points read, also those that the store already held. */
  readonly rows: number;
  /** Number of rows left out. */
  readonly rejectedRows: number;
  /** The first thousand of the rows left out; `onRejected` is told of all. */
  readonly rejected: readonly RejectedRow[];
  /** What a person should know, such as how an ambiguous name was read. */
  readonly notes: readonly string[];
}

/** Files, and how much may be rejected. */
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
 * Imports a data set into a store, all or nothing: an error or an abort rolls everything back.
 * Importing the same figures again changes nothing; newer figures become revisions.
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
/** Fewer rows than this say nothing about the share that the whole will have. */
const MIN_ROWS_TO_CHECK = 10_000;

/** Counts rows and rejects, and ends the import when too many were rejected. */
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

  /** @throws IngestError once it is plain that too many rows are rejected */
  add({ points, rejected = [], notes = [] }: ImportBatch): void {
    this.#notes.push(...notes);
    this.#rows += points?.columns.length ?? 0;
    this.#rejectedRows += rejected.length;
    this.#rejected.push(...rejected.slice(0, MAX_KEPT_REJECTIONS - this.#rejected.length));
    if (rejected.length > 0) this.#options.onRejected?.(rejected);
    if (this.#rows + this.#rejectedRows >= MIN_ROWS_TO_CHECK) this.check();
  }

  /** @throws IngestError when more than the allowed share was rejected */
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
