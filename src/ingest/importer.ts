import type { EntityType, SearchableType, SearchDocument } from '../model/entity.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { IdChange } from '../store/id-change.js';
import type {
  IdRedirect,
  ImportCounts,
  NewEntity,
  NewPoints,
  NewShape,
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
  /** Called with the rejected rows of every batch. */
  readonly onRejected?: ((rows: readonly RejectedRow[]) => void) | undefined;
}
