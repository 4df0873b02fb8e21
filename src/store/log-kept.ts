import { StoreError } from '../model/errors.js';

/**
 * A store was closed, and all that was imported is kept, but part of it in the log beside the file: the log could not be
 * folded into the file.
 */
export class LogKeptError extends StoreError {
  constructor(location: string, { log, reason, cause }: { log: string; reason: string; cause: unknown }) {
    super(
      `${location} is complete, but could not be tidied: ${reason}, so part of it stays in ${log}, which belongs to it; ` +
        `free some space and run "cropframe store check --store ${location}"`,
      { cause },
    );
  }
}
