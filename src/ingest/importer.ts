import type { EntityType } from '../model/entity.js';
import type { ImporterSettings, ImportJob, RejectedLine } from '../model/importing/job.js';
import type { CountedUnit, ImportOutcome } from '../model/importing/outcome.js';
import type { LongOperation, Progress } from '../model/progress.js';
import type { StoredFetch } from '../store/import-records.js';
import type { NewEntity, NewPoints, NewRows, ReadRows, Store, StoreNames } from '../store/store.js';
import type { FetchableFiles } from './fetching/requests.js';
import type { DeclaredSettings } from './settings.js';

/** A rejected row, with the reason. */
export interface RejectedRow extends RejectedLine {
  /** The number of rejected values in the row, if the importer counts values (default: 1). */
  readonly values?: number | undefined;
}

/** A text file or archive entry to import. */
export interface ImportedText {
  /** The name shown in messages. */
  readonly name: string;
  /** Returns the rows in order. */
  readonly rows: () => AsyncIterable<ImportedRow>;
}

/** A row of a text file or archive entry. */
export interface ImportedRow {
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  /** The row's original text. */
  readonly text: string;
  /** The name of the row's own file, if several files were combined. */
  readonly file?: string | undefined;
}

/** A part of a data set. Points may refer only to entities in the same batch or in an earlier batch. */
export interface ImportBatch {
  /** The entities, keyed by type. */
  readonly entities?: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] } | undefined;
  /** The path of the package's region file. */
  readonly regionFile?: string | undefined;
  /**
   * A checksum of the entities. If an earlier import wrote entities with the same checksum and they have not changed
   * since, the store does not compare them again. Entities without a checksum are always compared.
   */
  readonly digest?: string | undefined;
  /** Points and their series. */
  readonly points?: NewPoints | undefined;
  /** Rejected rows. */
  readonly rejected?: readonly RejectedRow[] | undefined;
  /** The number of rows (or values) that will be rejected in later batches, as far as known. */
  readonly stillRejected?: number | undefined;
  /** Whether reading ended early because too many rows were rejected. */
  readonly isEnded?: boolean | undefined;
  /** The number of rows (or values) read for this batch; by default, the number in the batch. */
  readonly read?: number | undefined;
  /** The number of rows (or values) of each kind, such as the weather element `PGTM`, that are deliberately skipped. */
  readonly notRead?: ReadonlyMap<string, number> | undefined;
  /** The files and archive entries opened for this batch. Rows refer to them by index, counted across all batches. */
  readonly texts?: readonly ImportedText[] | undefined;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes?: readonly string[] | undefined;
  /** The progress of the import. */
  readonly progress?: Progress | undefined;
}

/** The input for an importer. */
export interface ImporterInput {
  /** The paths of the files to import. */
  readonly files: readonly string[];
  /** The import's start time in UTC milliseconds, which is also the default available date of figures. */
  readonly importedMs: number;
  /** The data set's settings, by name. */
  readonly settings?: ImporterSettings | undefined;
  /** The store whose entities and names are used to resolve strings in the files; omitted if there is no store. */
  readonly store?: Pick<Store, keyof StoreNames | 'kept' | 'lookup'> | undefined;
  /** A signal that aborts the import. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the store read a table's rows as points. The importer must count these rows itself. */
  readonly putRows: (table: NewRows) => Promise<ReadRows>;
}

/** Reads the files of one public data set as entities and points. */
export interface Importer {
  /** The data set's name on the command line: `cropframe import <dataset>`. */
  readonly dataset: string;
  /** A one-line summary of the data set. */
  readonly summary: string;
  /** Whether the data set needs files; false if its data ships with the package. */
  readonly needsFiles: boolean;
  /** Whether reports count rows (the default) or values, of which a row may have several. */
  readonly counts?: CountedUnit | undefined;
  /**
   * Checks whether a file with this beginning belongs to the data set; omitted if files cannot be recognised. For a
   * workbook or Parquet file, `typed` is the kind of file, and `beginning` is a sheet's start or the header, as CSV.
   */
  readonly recognises?: ((beginning: string, typed?: 'parquet' | 'workbook') => boolean) | undefined;
  /** The settings that the data set accepts; omitted if there are none. */
  readonly settings?: DeclaredSettings | undefined;
  /** The files that can be fetched by name; omitted if there are none. */
  readonly fetch?: FetchableFiles | undefined;
  /**
   * Reads the files in batches.
   * @throws IngestError with the file and line if a file does not belong to the data set
   */
  read(input: ImporterInput): AsyncIterable<ImportBatch>;
}

/** The result of an import. The sum of `added` and `unchanged` equals the sum of `points` and `nulls`. */
export interface ImportReport extends ImportOutcome {
  /** The first thousand rejected rows. `onRejected` receives all of them. */
  readonly rejected: readonly RejectedRow[];
}

/** Options for an import. */
export interface ImportOptions extends LongOperation, Partial<Omit<ImportJob, 'dataset'>> {
  /** The available date for figures that have none, in UTC milliseconds (default: now). */
  readonly importedMs?: number | undefined;
  /** How the files were fetched. The store keeps this record with the import. */
  readonly fetched?: StoredFetch | undefined;
  /** Called with the rejected rows of each batch. */
  readonly onRejected?: ((rows: readonly RejectedRow[]) => void | Promise<void>) | undefined;
  /** Called with rows that contradict other rows. Each row's reason identifies the row that it contradicts. */
  readonly onConflicts?: ((rows: readonly RejectedRow[]) => void | Promise<void>) | undefined;
}
