import { ArgumentError } from '../../model/errors.js';

/** The files of a data set that can be fetched by name. */
export interface FetchableFiles {
  /** The form of a request, for messages and help. */
  readonly takes: string;
  /** A request by which the addresses can be tried. */
  readonly example?: string | undefined;
  /** The request without a word; absent when a word is needed. */
  readonly byDefault?: string | undefined;
  /** The files of a request. @throws ArgumentError when it is not one */
  readonly find: (request: string, finding: Finding) => Promise<PlannedFile[]> | PlannedFile[];
}

/** A file of a data set to fetch. */
export interface PlannedFile {
  /** The address, http or https. */
  readonly address: string;
  /** Its name in messages. */
  readonly name: string;
  /** Needed to read the others, and no reason to import them again. */
  readonly isCompanion?: boolean | undefined;
}

/** The means of finding the files of a data set. */
export interface Finding {
  /** The text of a page that lists files. */
  readonly listing: (address: string) => Promise<string>;
  /** The time of the request, UTC milliseconds. */
  readonly nowMs: number;
}

/** A request that the data set does not have, of the option `--fetch`. */
export class FetchRequestError extends ArgumentError {
  /** Its fault. */
  readonly reason: string;

  constructor(reason: string) {
    super('fetch', `--fetch: ${reason}`);
    this.reason = reason;
  }
}

/** Names a file by the end of its address. */
export function namedByPath(address: string): PlannedFile {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? 'file';
  return { address, name: decoded(last) };
}

/** Checks whether a string is the address of a file on the web. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Removes user and password from an address. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/** Formats an address for messages: without user, password and query, which may hold a key. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** Decodes the percent-encoding of a part of an address. Invalid encoding stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
