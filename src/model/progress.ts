import { functionOf, SIGNAL } from './schema/schemas.js';

/** The progress of a long operation. */
export interface Progress {
  /** The current step, described for the user. */
  label: string;
  /** The amount completed so far. */
  done: number;
  /** The total amount; null if unknown. */
  total: number | null;
  /** The unit of `done` and `total`: series, rows or bytes. */
  unit: string;
  /** The number of rows processed so far. */
  rows?: number | undefined;
  /** The number of bytes processed so far. */
  bytes?: number | undefined;
  /** The mean number of bytes per second since the operation began. */
  bytesPerSecond?: number | undefined;
}

// The option types are written out because declaration files lose the docstrings of spread members.
/** The schemas of the options in `Cancellable`. */
export const CANCELLABLE = {
  /** If this signal is aborted, the call rejects with the signal's reason and releases all resources. */
  signal: SIGNAL,
};
/** Options for an operation that can be aborted. */
export interface Cancellable {
  /** If this signal is aborted, the call rejects with the signal's reason and releases all resources. */
  signal?: AbortSignal | undefined;
}

/** The schemas of the options in `LongOperation`. */
export const LONG_OPERATION = {
  ...CANCELLABLE,
  /** Called with the operation's progress as data arrives. */
  onProgress: functionOf<(progress: Progress) => void>(),
};
/** Options for a long operation, which can be aborted and reports its progress. */
export interface LongOperation extends Cancellable {
  /** Called with the operation's progress as data arrives. */
  onProgress?: ((progress: Progress) => void) | undefined;
}
