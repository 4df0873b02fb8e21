/** How far a long operation has come. */
export interface Progress {
  /** What is being done, for a person. */
  label: string;
  /** How many of `total` are done. */
  done: number;
  /** Null while the whole is not known. */
  total: number | null;
  /** What `done` and `total` count: series, rows, bytes. */
  unit: string;
  /** Rows so far. */
  rows?: number | undefined;
  /** Bytes so far. */
  bytes?: number | undefined;
  /** Mean since the operation began. */
  bytesPerSecond?: number | undefined;
}

/** An operation that can be aborted. */
export interface Cancellable {
  /** Aborting it rejects with the signal's reason and releases everything held. */
  signal?: AbortSignal | undefined;
}

/** An operation that may take long: it can be aborted, and reports its progress. */
export interface LongOperation extends Cancellable {
  /** Called as data arrives. */
  onProgress?: ((progress: Progress) => void) | undefined;
}
