import * as v from 'valibot';
import type { Progress } from '../progress.js';
import type { Schema } from '../schema/schemas.js';

/** Settings of an import, by the names that the data set declares. */
export type ImporterSettings = Readonly<Record<string, string>>;

/** Settings of an import are strings; the importer checks them against those of the data set. */
export const SETTINGS: Schema<ImporterSettings> = v.record(v.string(), v.string());

/** A document that describes a data set, as parsed JSON. */
export type DatasetDocument = Readonly<Record<string, unknown>>;

/** A data set: its name, or its document. */
export type DatasetAsked = string | DatasetDocument;

/** An import that a client asks for. */
export interface ImportAsked {
  /** The data set. */
  readonly dataset: DatasetAsked;
  /** Its files; those of a job are paths. */
  readonly files: readonly unknown[];
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
}

/** An import with its files on this machine. */
export interface ImportJob extends ImportAsked {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** The import fails when more than this share of the rows is rejected (default 0.05). */
  readonly maxRejectedShare?: number | undefined;
  /** The import fails as soon as more rows than this are rejected; the share is then no limit. */
  readonly maxRejected?: number | undefined;
  /** The import fails when more rows than this contradict each other (default 0.1 % of all rows). */
  readonly maxConflicts?: number | undefined;
}

/** A row that is rejected, or contradicts another one. */
export interface RejectedLine {
  /** The file. */
  readonly file: string;
  /** Counted from 1, including the header. */
  readonly line: number;
  /** The reason for its rejection, or the row that it contradicts. */
  readonly reason: string;
  /** The row as it is in the file. */
  readonly text: string;
}

/** How a running import is watched. */
export interface ImportWatch {
  /** Aborting it rolls the import back. */
  readonly signal: AbortSignal;
  /** Called as it goes on. */
  onProgress(progress: Progress): void;
  /** Called with rows that are rejected or contradict each other. */
  onRejected(rows: readonly RejectedLine[]): void;
}
