import * as v from 'valibot';
import type { Progress } from '../progress.js';
import type { Schema } from '../schema/schemas.js';

/** Import settings, keyed by the names that the data set declares. */
export type ImporterSettings = Readonly<Record<string, string>>;

/** Checks only that settings are strings. The importer checks them against the settings that the data set declares. */
export const SETTINGS: Schema<ImporterSettings> = v.record(v.string(), v.string());

/** A document that describes a data set, as parsed JSON. */
export type DatasetDocument = Readonly<Record<string, unknown>>;

/** A data set, specified by its name or by the document that describes it. */
export type DatasetAsked = string | DatasetDocument;

/** An import requested by a client. */
export interface ImportAsked {
  /** The data set to import. */
  readonly dataset: DatasetAsked;
  /** The files to import. In an `ImportJob`, these are paths. */
  readonly files: readonly unknown[];
  /** The settings for the data set. */
  readonly settings?: ImporterSettings | undefined;
}

/** An import whose files are on this machine. */
export interface ImportJob extends ImportAsked {
  /** The paths of the files. */
  readonly files: readonly string[];
  /** The import fails if more than this share of the rows is rejected (default 0.05). */
  readonly maxRejectedShare?: number | undefined;
  /** The import fails as soon as more rows than this are rejected. If this is set, `maxRejectedShare` has no effect. */
  readonly maxRejected?: number | undefined;
  /** The import fails if more rows than this contradict each other (default 0.1% of all rows). */
  readonly maxConflicts?: number | undefined;
}

/** A row that was rejected or that contradicts another row. */
export interface RejectedLine {
  /** The file that contains the row. */
  readonly file: string;
  /** The line number in the file, counted from 1. */
  readonly line: number;
  /** Why the row was rejected, or which row it contradicts. */
  readonly reason: string;
  /** The row as written in the file. */
  readonly text: string;
}

/** Callbacks for observing a running import, and a signal for cancelling it. */
export interface ImportWatch {
  /** If this signal is aborted, the import is rolled back. */
  readonly signal: AbortSignal;
  /** Called with the progress of the import. */
  onProgress(progress: Progress): void;
  /** Called with rows that are rejected or contradict another row. */
  onRejected(rows: readonly RejectedLine[]): void;
}
