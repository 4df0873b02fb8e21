import type { Progress } from '../../model/progress.js';
import type { Store } from '../../store/store.js';

/** An import that a client asks for. */
export interface ImportAsked {
  /** The data set. */
  readonly dataset: string;
  /** Its files; those of a job are paths. */
  readonly files: readonly unknown[];
  /** Settings of the data set. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** An import with its files on this machine. */
export interface ImportJob extends ImportAsked {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** The import fails when more than this share of the rows is rejected. */
  readonly maxRejectedShare?: number | undefined;
  /** The import fails when more rows than this contradict each other. */
  readonly maxConflicts?: number | undefined;
}

/** A row that is rejected, or contradicts another one. */
export interface RejectedLine {
  /** The file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Why. */
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

/** What reads data sets for a service. */
export interface ImportHost {
  /** Where files are kept until they are imported. Only this process may read it. */
  readonly folder: string;
  /** Bytes that the files of one import may have. */
  readonly maxBytes: number;
  /** Refuses what cannot be imported, before its files are sent. @throws ArgumentError when there is no such data set, or its settings or files do not fit */
  check(request: ImportAsked): void;
  /** Imports all or nothing. @returns the report of the wire */
  run(store: Store, job: ImportJob, watch: ImportWatch): Promise<object>;
}
