/** The progress of a long operation. */
export interface Progress {
  /** The step of the operation, in words for a person. */
  label: string;
  /** How many of `total` are done. */
  done: number;
  /** Null while unknown. */
  total: number | null;
  /** The unit of `done` and `total`: series, rows or bytes. */
  unit: string;
  /** Rows so far. */
  rows?: number | undefined;
  /** Bytes so far. */
  bytes?: number | undefined;
  /** Mean rate since the operation began. */
  bytesPerSecond?: number | undefined;
}

/** An operation that can be aborted. */
export interface Cancellable {
  /** Aborting rejects with the signal's reason and releases all resources. */
  signal?: AbortSignal | undefined;
}

/** An operation that may take long: it can be aborted, and reports its progress. */
export interface LongOperation extends Cancellable {
  /** Called as data arrives. */
  onProgress?: ((progress: Progress) => void) | undefined;
}
