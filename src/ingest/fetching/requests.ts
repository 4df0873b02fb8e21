import { ArgumentError } from '../../model/errors.js';

/** Describes the requests that a data set accepts for fetching its files, and finds these files. */
export interface FetchableFiles {
  /** Describes what a request consists of, for error messages and help. */
  readonly takes: string;
  /** An example request, which is also used to test the addresses. */
  readonly example?: string | undefined;
  /** The default request; omitted if there is none. */
  readonly byDefault?: string | undefined;
  /** Finds the files for a request. @throws ArgumentError if the request is invalid */
  readonly find: (request: string, finding: Finding) => Promise<PlannedFile[]> | PlannedFile[];
}

/** A file to fetch. */
export interface PlannedFile {
  /** The http or https address. */
  readonly address: string;
  /** The name shown in messages. */
  readonly name: string;
  /** Whether the file is needed only to read other files, so that a change to it does not trigger another import. */
  readonly isCompanion?: boolean | undefined;
}

/** The inputs for finding a request's files: a page reader and the time. */
export interface Finding {
  /** Returns the text of a page that lists files. */
  readonly listing: (address: string) => Promise<string>;
  /** The time of the request, in UTC milliseconds. */
  readonly nowMs: number;
}

/** Thrown if the data set does not have what `--fetch` requests. */
export class FetchRequestError extends ArgumentError {
  /** The reason, without the option's name. */
  readonly reason: string;

  constructor(reason: string) {
    super('fetch', `--fetch: ${reason}`);
    this.reason = reason;
  }
}

/** Returns the file to fetch from an address, named after the last part of the address's path. */
export function namedByPath(address: string): PlannedFile {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? 'file';
  return { address, name: decoded(last) };
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Removes the user, password and fragment from an address. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/** Formats an address for messages, omitting the user, the password and the query, which may contain a key. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** Decodes a percent-encoded part of an address. If the encoding is invalid, returns the string unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
