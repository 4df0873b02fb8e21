import { ArgumentError, IngestError } from '../../model/errors.js';
import { calendarDay } from '../../model/time.js';

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

/** The words of a request. */
export function words(request: string): string[] {
  return request.split(',').map((word) => word.trim());
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

/** The error of a page that no longer lists files as it did. */
export function movedError(dataset: string, address: string): IngestError {
  return new IngestError(
    dataset,
    `${address} no longer lists the files of ${dataset}; ` +
      'download them with a browser, and import them, or give their addresses in place of files',
  );
}

/** A file named by the end of its address. */
export function namedByPath(address: string): PlannedFile {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? 'file';
  return { address, name: decoded(last) };
}

/** Whether a text is a date, such as 2020-01-31. */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year !== undefined && calendarDay(Number(year), Number(month), Number(day)) !== null;
}

/** Whether a text is the address of a file on the web. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** An address without user and password. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/** An address as messages show it: without user, password and query, which may hold a key. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** A part of an address without its percent signs; as it is when they encode nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
