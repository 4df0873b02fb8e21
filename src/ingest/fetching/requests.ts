import { ArgumentError } from '../../model/errors.js';

/** The files of a data set that can be fetched by name. */
export interface FetchableFiles {
  /** The form of a request, for messages and help. */
  readonly takes: string;
  /** A request by which the addresses can be tried. */
  readonly example?: string | undefined;
  /** The default request; absent if there is none. */
  readonly byDefault?: string | undefined;
  /** Finds the files of a request. @throws ArgumentError when the request is invalid */
  readonly find: (request: string, finding: Finding) => Promise<PlannedFile[]> | PlannedFile[];
}

/** A file of a data set to fetch. */
export interface PlannedFile {
  /** The http or https address. */
  readonly address: string;
  /** The name shown in messages. */
  readonly name: string;
  /** Whether the file is needed to read the others, but does not cause another import when it changes. */
  readonly isCompanion?: boolean | undefined;
}

/** Context for finding the files of a data set. */
export interface Finding {
  /** Returns the text of a page that lists files. */
  readonly listing: (address: string) => Promise<string>;
  /** The time of the request, in UTC milliseconds. */
  readonly nowMs: number;
}

/** Thrown when the data set does not have what the option `--fetch` requests. */
export class FetchRequestError extends ArgumentError {
  /** The reason, without the name of the option. */
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

/** Removes user, password and fragment from an address. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/** Formats an address for messages, without user, password and query, which may contain a key. */
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
