import type { EntityType } from '../model/entity.js';
import type { ImporterSettings, ImportJob, RejectedLine } from '../model/importing/job.js';
import type { CountedUnit, ImportOutcome } from '../model/importing/outcome.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { StoredFetch } from '../store/import-records.js';
import type { NewEntity, NewPoints, NewRows, ReadRows, Store, StoreNames } from '../store/store.js';
import type { FetchableFiles } from './fetching/requests.js';
import type { DeclaredSettings } from './settings.js';

/** A row that was not imported, and the reason. */
export interface RejectedRow extends RejectedLine {
  /** The number of values in the row, if the importer counts values (default: 1). */
  readonly values?: number | undefined;
}

/** A text of an import: a file, or an entry of an archive. */
export interface ImportedText {
  /** The name shown in messages. */
  readonly name: string;
  /** Returns the rows of the text in order. */
  readonly rows: () => AsyncIterable<ImportedRow>;
}

/** A row of a text. */
export interface ImportedRow {
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  /** The row as it is written in the text. */
  readonly text: string;
  /** The name of the row's file, if the text combines several files. */
  readonly file?: string | undefined;
}

/** A part of a data set. Entities come in the same batch as the points that refer to them, or in an earlier one. */
export interface ImportBatch {
  /** Entities by type. */
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] } | undefined;
  /** The path of the package's file of regions. */
  readonly regionFile?: string | undefined;
  /**
   * A checksum of the entities. A store does not compare the entities again if an import with the same checksum wrote
   * them and they are unchanged. Without a checksum, they are always compared.
   */
  readonly digest?: string | undefined;
  /** Points and their series. */
  readonly points?: NewPoints | undefined;
  /** Rows that the store reads as points. The importer of the batch accounts for them. */
  readonly rows?:
    | {
        /** The text, its keys and its values. */
        readonly table: NewRows;
        /** Called with the result of reading the rows. */
        readonly onRead: (read: ReadRows) => void;
      }
    | undefined;
  /** Rejected rows. */
  readonly rejected?: readonly RejectedRow[] | undefined;
  /** The number of rows (or values) that are known to be rejected but come in later batches. */
  readonly stillRejected?: number | undefined;
  /** Whether reading ended early because too many rows were rejected. */
  readonly isEnded?: boolean | undefined;
  /** The number of all rows (or values) read for this batch; by default the number of those in the batch. */
  readonly read?: number | undefined;
  /** The number of rows (or values) that are deliberately not read, by kind, such as `PGTM`. */
  readonly notRead?: ReadonlyMap<string, number> | undefined;
  /**
   * Texts opened for this batch. Rows that the store reads refer to a text by its position among the texts of all
   * batches.
   */
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
  /** When the import started, in UTC milliseconds. It is the available date of figures that have none. */
  readonly importedMs: number;
  /** Settings for the data set, by name. */
  readonly settings?: ImporterSettings | undefined;
  /** The store whose entities and names resolve the strings of the files; absent without a store. */
  readonly store?: Pick<Store, keyof StoreNames | 'kept' | 'lookup'> | undefined;
  /** Aborts the import. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads the files of one public data set as entities and points. */
export interface Importer {
  /** The name on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  /** The summary of the data set, in one line. */
  readonly summary: string;
  /** Whether the data set needs files; false if the data comes with the package. */
  readonly needsFiles: boolean;
  /** Whether reports count rows or values (default: rows). A row may have several values. */
  readonly counts?: CountedUnit | undefined;
  /** Checks whether a text with this beginning belongs to the data set; absent if the beginning does not show it. */
  readonly recognises?: ((beginning: string) => boolean) | undefined;
  /**
   * Checks whether a Parquet file with these columns belongs to the data set; absent if the data set has no such files.
   */
  readonly recognisesColumns?: ((columns: readonly string[]) => boolean) | undefined;
  /** The settings that an import may have; absent if it has none. */
  readonly settings?: DeclaredSettings | undefined;
  /** The files that can be fetched by name; absent if none can. */
  readonly fetch?: FetchableFiles | undefined;
  /**
   * Reads the files in batches.
   * @throws IngestError with the file and line when a file does not belong to the data set
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
  /** The available date of figures that have none, in UTC milliseconds (default: now). */
  readonly importedMs?: number | undefined;
  /** The record of how the files were fetched, which the store keeps with the import. */
  readonly fetched?: StoredFetch | undefined;
  /** Called with the rejected rows of each batch. */
  readonly onRejected?: ((rows: readonly RejectedRow[]) => void | Promise<void>) | undefined;
  /**
   * Called with groups of rows that contradict other rows. The reason of each row names the row that it contradicts.
   */
  readonly onConflicts?: ((rows: readonly RejectedRow[]) => void | Promise<void>) | undefined;
}
