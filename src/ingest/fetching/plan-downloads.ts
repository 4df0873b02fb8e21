import { shiftDate } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { DAY_MS, formatDay, isDay } from '../../model/time.js';
import { type FetchKeys, PLACEHOLDER, type RequestKeys, type WordKeys } from './fetch-keys.js';
import {
  type FetchableFiles,
  FetchRequestError,
  type Finding,
  namedByPath,
  type PlannedFile,
} from './requests.js';

function movedError(dataset: string, address: string): IngestError {
  return new IngestError(
    dataset,
    `${address} no longer lists the files of ${dataset}; ` +
      'download them with a browser and import them, or pass their addresses instead of files',
  );
}

/** Field values, keyed by name, that were taken from the words of a request or from a link. */
type Fields = Readonly<Record<string, string>>;

export function fetchableFiles(dataset: string, keys: FetchKeys): FetchableFiles {
  const { example, default: byDefault, with: companions, requests } = keys;
  const takes = example === byDefault ? keys.takes : `${keys.takes}, such as ${example}`;
  return {
    takes,
    example,
    byDefault,
    async find(request, finding) {
      const words = request.split(',').map((word) => word.trim());
      const asked = parseRequest(words, requests, finding.nowMs);
      if (asked === null)
        throw new FetchRequestError(`"${request}" is not a request that ${dataset} accepts: ${takes}`);
      const pages = new Map<string, Promise<string>>();
      const listing = (address: string) => getOrCompute(pages, address, () => finding.listing(address));
      const files = companions.map(
        (address): PlannedFile => ({ ...namedByPath(address), isCompanion: true }),
      );
      let gap: FetchRequestError | undefined;
      for (const one of asked) {
        const planned = await planFiles(dataset, one, listing).catch((error: unknown) => {
          // The last periods of an open-ended range may not have been published yet.
          if (!(one.isOpen && error instanceof FetchRequestError)) throw error;
          gap ??= error;
          return [];
        });
        if (planned.length > 0 && gap !== undefined) throw gap;
        files.push(...planned);
      }
      if (files.length === companions.length && gap !== undefined) throw gap;
      return [...new Map(files.map((file) => [file.address, file])).values()];
    },
  };
}

/** Parses the words of a request. Returns null if they match no request that the document describes. */
function parseRequest(given: readonly string[], requests: readonly RequestKeys[], nowMs: number) {
  const asked: { keys: RequestKeys; fields: Fields; isOpen: boolean }[] = [];
  for (let rest = given; rest.length > 0; ) {
    const [found] = requests.flatMap((keys) => {
      const taken = takeWords(keys.words, rest, nowMs);
      return taken === null ? [] : [{ keys, ...taken }];
    });
    if (found === undefined || found.rest.length === rest.length) return null;
    const { keys, isOpen } = found;
    asked.push(...found.fields.map((fields) => ({ keys, fields, isOpen })));
    rest = found.rest;
  }
  return asked;
}

/** Parses the words of one kind of request. Returns null if a word is missing or dates are not in ascending order. */
function takeWords(declared: RequestKeys['words'], given: readonly string[], nowMs: number) {
  let rest = given;
  let fields: Fields[] = [{}];
  const dates: string[] = [];
  for (const [name, word] of Object.entries(declared)) {
    const isList = word.each === true || word.join !== undefined;
    const others = rest.findIndex((text, i) => readWord(word, text, nowMs) === null || (i > 0 && !isList));
    const count = others < 0 ? rest.length : others;
    const texts = count > 0 ? rest.slice(0, count) : defaultOf(word, nowMs);
    if (texts === null) return null;
    rest = rest.slice(count);
    const values = texts.flatMap((text) => readWord(word, text, nowMs) ?? text);
    if (word.is === 'date') dates.push(...values);
    const texted = word.join === undefined ? values : [values.join(word.join)];
    fields = fields.flatMap((one) => texted.map((value) => ({ ...one, [name]: value })));
  }
  /** Whether the request has a range without an end, such as `2020..`. */
  const isOpen = given.slice(0, given.length - rest.length).some((text) => text.endsWith('..'));
  return dates.some((day, i) => day < (dates[i - 1] ?? day)) ? null : { fields, rest, isOpen };
}

/** Returns the value of a word, or every value in a range; null if the word is invalid. */
function readWord(word: WordKeys, text: string, nowMs: number): string[] | null {
  const { form, is, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = word;
  const isWithin = (number: number) => number >= from && number <= to;
  if (is === 'date') return isDay(text) ? [text] : null;
  if (is === 'number') return /^-?\d+(\.\d+)?$/.test(text) && isWithin(Number(text)) ? [text] : null;
  if (is === 'years' || is === 'months') return readRange(word, text, nowMs);
  return form === undefined || new RegExp(`^(?:${form.source})$`, 'i').test(text) ? [text] : null;
}

/** Expands a range such as `2020..2024` or `2020-01..`, omitting periods that were never published. */
function readRange({ is, from, to, delay_days, without }: WordKeys, text: string, nowMs: number) {
  const { length, each } = is === 'years' ? { length: 4, each: 12 } : { length: 7, each: 1 };
  const [, first = '', dots, last] = /^([\d-]+)(?:(\.\.)([\d-]+)?)?$/.exec(text) ?? [];
  const newest = formatDay(nowMs - delay_days * DAY_MS).slice(0, length);
  const [start, end] = [first, last ?? (dots === undefined ? first : newest)];
  const isPeriod = (one: string) => one.length === length && isDay(`${one}-01-01`.slice(0, 10));
  const isKnown = isPeriod(start) && isPeriod(end) && start <= end && end <= newest;
  if (!isKnown || Number(start.slice(0, 4)) < (from ?? 0) || Number(end.slice(0, 4)) > (to ?? 9999))
    return null;
  const periods: string[] = [];
  for (let ms = Date.parse(start); ms <= Date.parse(end); ms = shiftDate(ms, { months: each }))
    periods.push(formatDay(ms).slice(0, length));
  return periods.filter((one) => !without.includes(one));
}

function defaultOf({ default: text }: WordKeys, nowMs: number): string[] | null {
  if (text === 'today') return [formatDay(nowMs)];
  if (text === 'yesterday') return [formatDay(nowMs - DAY_MS)];
  return text === undefined ? null : [text];
}

type Listing = Finding['listing'];

async function planFiles(
  dataset: string,
  { keys, fields }: { keys: RequestKeys; fields: Fields },
  listing: Listing,
): Promise<PlannedFile[]> {
  const { address, links, name, pages } = keys;
  const named = (url: string, own = fields): PlannedFile => ({
    ...namedByPath(url),
    ...(name !== undefined && { name: fill(name, own, String) }),
  });
  if (links !== undefined)
    return (await findLinks(dataset, links, { fields, listing })).map((url) => named(url));
  const template =
    typeof address === 'string'
      ? address
      : address?.find(({ when }) =>
          Object.entries(when).every(([name, { source }]) =>
            new RegExp(source, 'i').test(fields[name] ?? ''),
          ),
        )?.address;
  if (template === undefined)
    throw new FetchRequestError(`${dataset} has no files for ${Object.values(fields).join(', ')}`);
  if (pages === undefined) return [named(fillAddress(template, fields))];
  const page = fillAddress(pages.count, fields);
  const total = pages.total.exec(await listing(page))?.groups?.total;
  if (total === undefined) throw movedError(dataset, page);
  return Array.from({ length: Math.ceil(Number(total) / pages.size) }, (_, i) => {
    const own = { ...fields, page: String(i + 1), offset: String(i * pages.size) };
    return named(fillAddress(template, own), own);
  });
}

/** Returns the addresses of the links that match the request, from the first page with such links. */
async function findLinks(
  dataset: string,
  { page, link, newest }: NonNullable<RequestKeys['links']>,
  { fields, listing }: { readonly fields: Fields; readonly listing: Listing },
): Promise<string[]> {
  const own = new RegExp(fill(link.source, fields, escapePattern), 'gim');
  const found: Fields[] = [];
  const seen = new Set<string>();
  for (let number = 0; ; number++) {
    const address = fillAddress(page, { ...fields, page: String(number) });
    const text = await listing(address);
    const links = readLinks(text, own);
    found.push(...links);
    const agreeing = links.filter(
      (one) => keyOf(one, fields).toLowerCase() === keyOf(fields, one).toLowerCase(),
    );
    const [last] = newest === undefined ? [] : agreeing.sort((a, b) => (a[newest]! < b[newest]! ? 1 : -1));
    const chosen = last === undefined ? agreeing : [last];
    if (chosen.length > 0) return [...new Set(chosen.map((one) => new URL(one.address!, address).href))];
    // A page that links only to other pages of the list comes after the last page with files.
    const further = [...text.matchAll(/href="([^"]*)"/gi)].filter(
      ([href]) => !/[?&]page=/.test(href) && !seen.has(href),
    );
    if (!page.includes('{page}') || further.length === 0) break;
    for (const [href] of further) seen.add(href);
  }
  const wanted = keyOf(fields, found[0] ?? fields);
  if (found.length === 0 && own.source === link.source) throw movedError(dataset, page);
  const known = [...new Set(found.map((one) => keyOf(one, fields)))].sort().join(', ');
  const remedy =
    known === ''
      ? 'omit it from the request, or download the file with a browser and import it'
      : `it has ${known}`;
  throw new FetchRequestError(`${dataset} has no file "${wanted}"; ${remedy}`);
}

const keyOf = (fields: Fields, others: Fields): string =>
  Object.keys(fields)
    .sort()
    .flatMap((name) => (name in others ? fields[name]! : []))
    .join(', ');

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the links in an HTML or JSON page, and decodes the characters that these formats escape. */
function readLinks(page: string, link: RegExp): Fields[] {
  return [...page.matchAll(link)].map(({ 0: whole, groups }) => {
    const texts = Object.entries({ address: whole, ...groups });
    const plain = (text = ''): string => text.replaceAll('&amp;', '&').replaceAll('\\/', '/');
    return Object.fromEntries(texts.map(([name, text]) => [name, plain(text)]));
  });
}

/** Inserts fields into an address template. Commas and plus signs in the path are not encoded. */
function fillAddress(template: string, fields: Fields): string {
  const [path = '', ...query] = template.split('?');
  const inPath = (text: string) => encodeURIComponent(text).replace(/%2[BC]/g, decodeURIComponent);
  return [fill(path, fields, inPath), ...query.map((one) => fill(one, fields, encodeURIComponent))].join('?');
}

/** Fills in placeholders such as `{id}`, `{id:upper}` and `{id:lower}`, or `{from:YYYYMMDD}` for a date. */
function fill(template: string, fields: Fields, encode: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (braces, name: string, form?: string) => {
    const text = fields[name];
    // Braces that belong to a regular expression, such as `{2}`, are left unchanged.
    if (text === undefined) return braces;
    if (form === 'upper') return encode(text.toUpperCase());
    return encode(form === 'lower' ? text.toLowerCase() : form === undefined ? text : formatDate(text, form));
  });
}

/** Formats a day. The format may contain `YYYY`, `YY`, `MM`, `DD`, and, without leading zeros, `M` and `D`. */
function formatDate(day: string, format: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const parts: Fields = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    DD: date,
    M: String(Number(month)),
    D: String(Number(date)),
  };
  return format.replace(/YYYY|YY|MM|DD|M|D/g, (part) => parts[part]!);
}
