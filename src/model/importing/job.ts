import * as v from 'valibot';
import type { Progress } from '../progress.js';
import type { Schema } from '../schema/schemas.js';

/** Settings of an import, by the names that the data set declares. */
export type ImporterSettings = Readonly<Record<string, string>>;

/** Checks that settings are strings. The importer checks them against the settings of the data set. */
export const SETTINGS: Schema<ImporterSettings> = v.record(v.string(), v.string());

/** A document that describes a data set, as parsed JSON. */
export type DatasetDocument = Readonly<Record<string, unknown>>;

/** A data set, given by its name or its document. */
export type DatasetAsked = string | DatasetDocument;

/** An import that a client requests. */
export interface ImportAsked {
  /** The data set. */
  readonly dataset: DatasetAsked;
  /** Its files; an `ImportJob` has their paths. */
  readonly files: readonly unknown[];
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
}

/** An import whose files are on this machine. */
export interface ImportJob extends ImportAsked {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** The import fails if a larger share of the rows is rejected (default 0.05). */
  readonly maxRejectedShare?: number | undefined;
  /** The import fails as soon as more rows are rejected. The share then has no effect. */
  readonly maxRejected?: number | undefined;
  /** The import fails if more rows contradict each other (default 0.1 % of all rows). */
  readonly maxConflicts?: number | undefined;
}

/** A row that was rejected, or contradicts another row. */
export interface RejectedLine {
  /** The file. */
  readonly file: string;
  /** Counted from 1, including the header. */
  readonly line: number;
  /** The reason for the rejection, or the row that it contradicts. */
  readonly reason: string;
  /** The row as written in the file. */
  readonly text: string;
}

/** Cancels and observes a running import. */
export interface ImportWatch {
  /** Aborting it rolls the import back. */
  readonly signal: AbortSignal;
  /** Called with the progress of the import. */
  onProgress(progress: Progress): void;
  /** Called with rows that are rejected or contradict each other. */
  onRejected(rows: readonly RejectedLine[]): void;
}
