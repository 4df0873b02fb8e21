/** How far a long operation has come. */
export interface Progress {
  /** What is being done, for a person. */
  label: string;
  done: number;
  /** Null while the whole is not known. */
  total: number | null;
  /** What `done` and `total` count: series, rows, bytes. */
  unit: string;
  rows?: number | undefined;
  bytes?: number | undefined;
  /** Mean since the operation began. */
  bytesPerSecond?: number | undefined;
}

/** What every operation that may take long accepts. */
export interface LongOperation {
  /** Aborting rejects with the signal's reason and releases everything held. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}
