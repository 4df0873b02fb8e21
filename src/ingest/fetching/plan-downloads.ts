import { yearOf } from '../../model/calendar.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { type FetchKeys, PLACEHOLDER, type RequestKeys, type WordKeys } from './fetch-keys.js';
import {
  type FetchableFiles,
  FetchRequestError,
  type Finding,
  isDate,
  movedError,
  namedByPath,
  type PlannedFile,
  words,
} from './requests.js';

/** Texts by name, from the words of a request or from a link. */
type Fields = Readonly<Record<string, string>>;

/** Returns the files of a data set that its document describes. */
export function fetchableFiles(dataset: string, keys: FetchKeys): FetchableFiles {
  const { example, default: byDefault, with: companions, requests } = keys;
  const takes = example === byDefault ? keys.takes : `${keys.takes}, such as ${example}`;
  return {
    takes,
    example,
    byDefault,
    async find(request, finding) {
      const asked = parseRequest(words(request), requests, finding.nowMs);
      if (asked === null) throw new FetchRequestError(`"${request}" is not what ${dataset} takes: ${takes}`);
      const pages = new Map<string, Promise<string>>();
      const listing = (address: string) => getOrCompute(pages, address, () => finding.listing(address));
      const files = companions.map(
        (address): PlannedFile => ({ ...namedByPath(address), isCompanion: true }),
      );
      for (const one of asked) files.push(...(await planFiles(dataset, one, listing)));
      return files;
    },
  };
}

/** A form of request, with the fields of its words. */
interface Asked {
  readonly keys: RequestKeys;
  readonly fields: Fields;
}

/** Parses the words of a request. Returns null if no form of request takes them. */
function parseRequest(
  given: readonly string[],
  requests: readonly RequestKeys[],
  nowMs: number,
): Asked[] | null {
  const asked: Asked[] = [];
  for (let rest = given; rest.length > 0; ) {
    const [keys, taken] = firstTaken(requests, rest, nowMs) ?? [];
    if (keys === undefined || taken === undefined) return null;
    asked.push(...taken.fields.map((fields) => ({ keys, fields })));
    rest = taken.rest;
  }
  return asked;
}

function firstTaken(requests: readonly RequestKeys[], given: readonly string[], nowMs: number) {
  for (const keys of requests) {
    const taken = takeWords(keys.words, given, nowMs);
    if (taken !== null) return [keys, taken] as const;
  }
  return null;
}

/** Reads the words of a form of request. Returns null if one is missing, or if the dates do not ascend. */
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
  return dates.some((day, i) => day < (dates[i - 1] ?? day)) ? null : { fields, rest };
}

/** Returns the values of a word, of which a range of years has several. Returns null if it does not match. */
function readWord(
  { form, is, from, to, delay_days }: WordKeys,
  text: string,
  nowMs: number,
): string[] | null {
  const isWithin = (number: number) => number >= (from ?? number) && number <= (to ?? number);
  if (is === 'date') return isDate(text) ? [text] : null;
  if (is === 'number') return /^-?\d+(\.\d+)?$/.test(text) && isWithin(Number(text)) ? [text] : null;
  if (is === 'years') {
    const [, first, dots, last] = /^(\d{4})(?:(\.\.)(\d{4})?)?$/.exec(text) ?? [];
    const thisYear = yearOf(nowMs - delay_days * DAY_MS);
    const [start, end] = [Number(first), Number(last ?? (dots === undefined ? first : (to ?? thisYear)))];
    if (!(start <= end) || end > thisYear || !isWithin(start) || !isWithin(end)) return null;
    return Array.from({ length: end - start + 1 }, (_, i) => String(start + i));
  }
  return form === undefined || new RegExp(`^(?:${form.source})$`, 'i').test(text) ? [text] : null;
}

function defaultOf({ default: text }: WordKeys, nowMs: number): string[] | null {
  if (text === 'today') return [formatDay(nowMs)];
  if (text === 'yesterday') return [formatDay(nowMs - DAY_MS)];
  return text === undefined ? null : [text];
}

type Listing = Finding['listing'];

async function planFiles(dataset: string, { keys, fields }: Asked, listing: Listing): Promise<PlannedFile[]> {
  const { address, links, name, pages } = keys;
  const named = (url: string, own = fields): PlannedFile => ({
    ...namedByPath(url),
    ...(name !== undefined && { name: fill(name, own, String) }),
  });
  if (links !== undefined)
    return (await findLinks(dataset, links, { fields, listing })).map((url) => named(url));
  const template =
    typeof address === 'string' ? address : address?.find(({ when }) => agreesWith(when, fields))?.address;
  if (template === undefined)
    throw new FetchRequestError(`${dataset} has no files of ${Object.values(fields).join(', ')}`);
  if (pages === undefined) return [named(fillAddress(template, fields))];
  const page = fillAddress(pages.count, fields);
  const total = pages.total.exec(await listing(page))?.groups?.total;
  if (total === undefined) throw movedError(dataset, page);
  return Array.from({ length: Math.ceil(Number(total) / pages.size) }, (_, i) => {
    const own = { ...fields, page: String(i + 1), offset: String(i * pages.size) };
    return named(fillAddress(template, own), own);
  });
}

const agreesWith = (when: Readonly<Record<string, RegExp>>, fields: Fields): boolean =>
  Object.entries(when).every(([name, { source }]) => new RegExp(source, 'i').test(fields[name] ?? ''));

/** Returns the addresses of the links on a page whose fields agree with those of the request. */
async function findLinks(
  dataset: string,
  { page, link, records, newest }: NonNullable<RequestKeys['links']>,
  { fields, listing }: { readonly fields: Fields; readonly listing: Listing },
): Promise<string[]> {
  const address = fillAddress(page, fields);
  const text = await listing(address);
  const found = link === undefined ? readRecords(text, records) : readLinks(text, link);
  if (found.length === 0) throw movedError(dataset, address);
  const shared = Object.keys(fields).filter((name) => name in found[0]!);
  const keyOf = (one: Fields) => shared.map((name) => one[name]!.toLowerCase()).join(', ');
  const agreeing = found.filter((one) => keyOf(one) === keyOf(fields));
  if (agreeing.length === 0) {
    const known = [...new Set(found.map((one) => shared.map((name) => one[name]).join(', ')))].sort();
    const wanted = shared.map((name) => fields[name]).join(', ');
    throw new FetchRequestError(`${dataset} has no "${wanted}"; it has ${known.join(', ')}`);
  }
  const ordered =
    newest === undefined ? agreeing : agreeing.sort((a, b) => (a[newest]! < b[newest]! ? 1 : -1)).slice(0, 1);
  return [...new Set(ordered.map((one) => new URL(one.address!, address).href))];
}

function readLinks(page: string, link: RegExp): Fields[] {
  return [...page.matchAll(new RegExp(link, 'gim'))].map(({ 0: whole, groups }) => {
    const texts = Object.entries({ address: whole, ...groups }).map(([name, text = '']) => [
      name,
      text.replaceAll('&amp;', '&'),
    ]);
    return Object.fromEntries(texts) as Fields;
  });
}

/** Reads the records of a catalogue in JSON that have all fields. Returns an empty array for any other text. */
function readRecords(text: string, records: NonNullable<RequestKeys['links']>['records']): Fields[] {
  const { at = '', fields = {} } = records ?? {};
  try {
    const list = at
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(text));
    return (list as readonly Readonly<Record<string, unknown>>[]).flatMap((record) => {
      const texts = Object.entries(fields).map(([name, key]) => [name, record[key]] as const);
      return texts.every(([, value]) => typeof value === 'string')
        ? [Object.fromEntries(texts) as Fields]
        : [];
    });
  } catch {
    return [];
  }
}

/** Fills the fields into an address. In its path, commas and plus signs stay as they are. */
function fillAddress(template: string, fields: Fields): string {
  const [path = '', ...query] = template.split('?');
  const inPath = (text: string) => encodeURIComponent(text).replace(/%2[BC]/g, decodeURIComponent);
  return [fill(path, fields, inPath), ...query.map((one) => fill(one, fields, encodeURIComponent))].join('?');
}

/** Replaces the placeholders of a template: `{id}`, `{id:upper}`, `{id:lower}`, or a date such as `{from:YYYYMMDD}`. */
function fill(template: string, fields: Fields, encode: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (_, name: string, form?: string) => {
    const text = fields[name] ?? '';
    if (form === 'upper') return encode(text.toUpperCase());
    return encode(form === 'lower' ? text.toLowerCase() : form === undefined ? text : formatDate(text, form));
  });
}

/** Writes a day in a format of years, months and days, of which `M` and `D` have no leading zeros. */
function formatDate(day: string, format: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const parts: Fields = {
    YYYY: year,
    MM: month,
    DD: date,
    M: String(Number(month)),
    D: String(Number(date)),
  };
  return format.replace(/YYYY|MM|DD|M|D/g, (part) => parts[part]!);
}
