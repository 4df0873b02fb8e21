import type { EntityType } from '../model/entity.js';
import type { ImporterSettings, ImportJob, RejectedLine } from '../model/importing/job.js';
import type { CountedUnit, ImportOutcome } from '../model/importing/outcome.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { StoredFetch } from '../store/import-records.js';
import type { NewEntity, NewPoints, NewRows, ReadRows, Store, StoreNames } from '../store/store.js';
import type { FetchableFiles } from './fetching/requests.js';
import type { DeclaredSettings } from './settings.js';

/** A row that was not imported, and why. */
export interface RejectedRow extends RejectedLine {
  /** Number of values in the row, where the importer counts values (default 1). */
  readonly values?: number | undefined;
}

/** A text of an import: a file, or an entry of an archive. */
export interface ImportedText {
  /** The name in messages. */
  readonly name: string;
  /** Its rows in order. */
  readonly rows: () => AsyncIterable<ImportedRow>;
}

/** A row of a text. */
export interface ImportedRow {
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** As it is in the text. */
  readonly text: string;
  /** The name of its file, where the text has the rows of several. */
  readonly file?: string | undefined;
}

/** A part of a data set. Entities come in the same batch as the points that name them, or in an earlier one. */
export interface ImportBatch {
  /** Entities by type. */
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] } | undefined;
  /** The path of the package's file of regions. */
  readonly regionFile?: string | undefined;
  /**
   * A checksum of the entities. A store that still has them as an import with the same checksum wrote them does
   * not compare them again; absent, they are compared.
   */
  readonly digest?: string | undefined;
  /** Points, and their series. */
  readonly points?: NewPoints | undefined;
  /** Rows that the store reads as points; the importer of the batch accounts for them. */
  readonly rows?:
    | {
        /** The text, its keys and its values. */
        readonly table: NewRows;
        /** Called with the outcome of the rows. */
        readonly onRead: (read: ReadRows) => void;
      }
    | undefined;
  /** Rejected rows. */
  readonly rejected?: readonly RejectedRow[] | undefined;
  /** Number of rows (or values) that are known to be rejected, and come with later batches. */
  readonly stillRejected?: number | undefined;
  /** Whether so many are rejected that others were not looked at. */
  readonly isEnded?: boolean | undefined;
  /** Number of all rows (or values) read for this batch; by default those named in it. */
  readonly read?: number | undefined;
  /** Number of rows (or values) that are not read on purpose, by kind: `PGTM`. */
  readonly notRead?: ReadonlyMap<string, number> | undefined;
  /** Texts opened for this batch. Rows that the store reads name their position among the texts of all batches. */
  readonly texts?: readonly ImportedText[] | undefined;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes?: readonly string[] | undefined;
  /** Progress of the import. */
  readonly progress?: Progress | undefined;
}

/** The input of an importer. */
export interface ImporterInput {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** When the import started, in UTC milliseconds: the available date of figures that have none. */
  readonly importedMs: number;
  /** Settings of the data set, by name. */
  readonly settings?: ImporterSettings | undefined;
  /** The store, by whose entities and names texts are resolved; absent without one. */
  readonly store?: Pick<Store, keyof StoreNames | 'kept' | 'lookup'> | undefined;
  /** Aborting it ends the import. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads the files of one public data set as entities and points. */
export interface Importer {
  /** The name on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  /** The summary of the data set, in one line. */
  readonly summary: string;
  /** False when the data comes with the package. */
  readonly needsFiles: boolean;
  /** The unit of its reports (default rows): a row may hold several values. */
  readonly counts?: CountedUnit | undefined;
  /** Whether a text with this beginning belongs to the data set; absent when the beginning does not show it. */
  readonly recognises?: ((beginning: string) => boolean) | undefined;
  /** Whether a Parquet file with these columns belongs to the data set; absent if it has none. */
  readonly recognisesColumns?: ((columns: readonly string[]) => boolean) | undefined;
  /** The settings that an import may have; absent if it has none. */
  readonly settings?: DeclaredSettings | undefined;
  /** How its files are fetched by name; absent where they are not. */
  readonly fetch?: FetchableFiles | undefined;
  /**
   * Reads the files in batches.
   * @throws IngestError that names file and line when a file does not belong to the data set
   */
  read(input: ImporterInput): AsyncIterable<ImportBatch>;
}

/** The result of an import. `added` and `unchanged` together are its points and nulls. */
export interface ImportReport extends ImportOutcome {
  /** The first thousand rejected rows; `onRejected` receives all of them. */
  readonly rejected: readonly RejectedRow[];
}

/** Options of an import. */
export interface ImportOptions extends LongOperation, Partial<Omit<ImportJob, 'dataset'>> {
  /** Available date of figures that have none, UTC milliseconds; now by default. */
  readonly importedMs?: number | undefined;
  /** The record of the files' fetch; the store remembers it with the import. */
  readonly fetched?: StoredFetch | undefined;
  /** Called with the rejected rows of every batch, and awaited. */
  readonly onRejected?: ((rows: readonly RejectedRow[]) => void) | undefined;
  /** Called with the rows that contradict each other, some at a time, each with the row that it contradicts as the reason. */
  readonly onConflicts?: ((rows: readonly RejectedRow[]) => void | Promise<void>) | undefined;
}
