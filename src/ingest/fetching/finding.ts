import { ArgumentError, IngestError } from '../../model/errors.js';
import { ADDRESSES_DATE } from './addresses.js';
import type { WantedFile } from './fetcher.js';

/** A file of a data set that is to be fetched. */
export interface PlannedFile extends WantedFile {
  /** Needed to read the others, and no reason to import them again. */
  readonly isCompanion?: boolean | undefined;
}

/** What finding the files of a data set needs. */
export interface Finding {
  /** The text of a page that lists files. */
  readonly listing: (address: string) => Promise<string>;
  readonly nowMs: number;
}

/** The words of a request. */
export function words(request: string): string[] {
  return request.split(',').map((word) => word.trim());
}

/** A file by its folder, which ends in a slash, and its name. */
export function inFolder(folder: string, name: string): PlannedFile {
  return { address: folder + name, name };
}

/** A request that the data set does not have, of the option `--fetch`. */
export class FetchRequestError extends ArgumentError {
  /** What is wrong with it. */
  readonly reason: string;

  constructor(reason: string) {
    super('fetch', `--fetch: ${reason}`);
    this.reason = reason;
  }
}

/** The error of a page that no longer lists files as it did. */
export function movedError(dataset: string, address: string): IngestError {
  return new IngestError(
    dataset,
    `${address} no longer lists the files of ${dataset} as on ${ADDRESSES_DATE}; ` +
      'download them with a browser, and import them, or give their addresses in place of files',
  );
}
