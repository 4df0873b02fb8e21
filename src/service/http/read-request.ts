import * as z from 'zod';
import type { Endpoint } from '../../contract/addresses.js';
import { QUERY_KEYS } from '../../contract/wire-names.js';
import type { EntityType } from '../../model/entity.js';
import {
  ArgumentError,
  badArgument,
  CropframeError,
  HttpError,
  NotFoundError,
  shownValue,
} from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES } from '../../model/series.js';
import type { IdRedirect } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import { RequestAborted } from './answers.js';

const MAX_ADDRESS_LENGTH = 256 * 1024;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** A form is parsed in one piece. */
const MAX_FORM_BYTES = 1024 * 1024;

/** @throws HttpError (414) */
export function checkAddressLength({ url }: Request): void {
  if (url.length <= MAX_ADDRESS_LENGTH) return;
  const message = `the address is longer than ${MAX_ADDRESS_LENGTH} characters; use POST /v2/data`;
  throw new HttpError(414, 'address', message, 'too_large');
}

/** A request's parts, parsed by the endpoint's schemas. */
export interface ParsedRequest {
  readonly path: object;
  readonly query: Readonly<Record<string, unknown>>;
  readonly form: object;
  readonly body: unknown;
  /** The text of a JSON body; null for any other. */
  readonly json: string | null;
}

/**
 * Parses a request by the schemas of its endpoint.
 * @throws ArgumentError that names the parameter; NotFoundError for an invalid path; CropframeError (too_large)
 */
export async function readRequest(
  endpoint: Endpoint,
  request: Request,
  path: Readonly<Record<string, string>>,
): Promise<ParsedRequest> {
  refuseCodedBody(request);
  const parts = {
    path: endpoint.pathParameters ? readPath(endpoint.pathParameters, path) : {},
    query: readQuery(endpoint, new URL(request.url).searchParams),
    form: endpoint.form ? readKnownParameters(endpoint.form, await readForm(request)) : {},
  };
  if (endpoint.body === undefined) return { ...parts, body: {}, json: null };
  checkJsonType(request);
  const json = await readText(request);
  return { ...parts, body: await parseBody(endpoint.body, json), json };
}

/** @throws CropframeError (media_type) */
function refuseCodedBody({ headers }: Request): void {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding.trim().toLowerCase() === 'identity') return;
  throw new CropframeError(
    'media_type',
    `the body has the content-encoding ${shownValue(coding)}; send it uncompressed, without one`,
  );
}

/** The check of the store's health ignores a query: a watchdog may add one against caches. */
function readQuery(endpoint: Endpoint, query: URLSearchParams): ParsedRequest['query'] {
  if (endpoint.query === undefined && endpoint.open === true && endpoint.method === 'GET') return {};
  return readKnownParameters(endpoint.query ?? NO_PARAMETERS, query);
}

const NO_PARAMETERS = z.object({});

/** An invalid path parameter means that the path does not exist. */
function readPath(
  schema: NonNullable<Endpoint['pathParameters']>,
  path: Readonly<Record<string, string>>,
): object {
  try {
    return readParameters(schema, new URLSearchParams(path));
  } catch (error) {
    if (error instanceof ArgumentError)
      throw new NotFoundError(404, 'path', `unknown path; see /docs (${error.message})`);
    throw error;
  }
}

/**
 * Reads query or form parameters by an object schema. Repeated keys become a list, as does a single value in brackets;
 * numbers and booleans are parsed; values that are empty, "None" or "null" count as absent.
 * @throws ArgumentError that names the parameter
 */
function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: URLSearchParams,
): z.output<Schema> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const texts = parameters.getAll(name).filter((text) => text !== '' && text !== 'None' && text !== 'null');
    if (texts.length > 0) values[name] = readField(name, unwrap(field as z.ZodType), texts);
  }
  return validateJson(schema, values);
}

/**
 * As `readParameters`, and refuses parameters that the schema does not know: one that is misspelt would restrict nothing.
 * @throws ArgumentError that names the parameter and the nearest known one
 */
function readKnownParameters<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: URLSearchParams,
): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  return readParameters(schema, parameters);
}

/** Longer names are cut in the message. */
const MAX_NAME_LENGTH = 40;

/** @param within the path to the object that has the parameter, such as `0.` */
function unknownParameter(text: string, known: readonly string[], within = ''): ArgumentError {
  const name = text.slice(0, MAX_NAME_LENGTH);
  const nearest = nearestWord(name, known);
  const all = known.length === 0 ? 'there are none' : `the parameters are ${known.join(', ')}`;
  const remedy = nearest === undefined ? all : `did you mean ${nearest}?`;
  return badArgument(`${within}${name}`, `there is no such parameter; ${remedy}`);
}

/**
 * Validates a JSON value, or the item of a list whose position is given.
 * @throws ArgumentError that names the parameter
 */
function validateJson<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  item?: number,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = item === undefined ? issue.path : [item, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const within = path.map((key) => `${String(key)}.`).join('');
    throw unknownParameter(issue.keys[0]!, keysAt(schema, issue.path), within);
  }
  const name = path.map(String).join('.') || 'body';
  const missing = valueAt(value, issue.path) === undefined;
  const wrong = issue.code === 'invalid_value' ? `choose one of ${issue.values.join(', ')}` : issue.message;
  throw badArgument(name, `${missing ? 'is missing; add it' : wrong}`);
}

interface ListSchemas {
  readonly list: z.ZodType<unknown[]>;
  readonly item: z.ZodType;
}

/** Making a schema takes far longer than validating by it. */
const knownLists = new WeakMap<z.ZodType, ListSchemas>();

/** The schemas of a list's length and of its items, to validate it item by item; null for the schema of anything else. */
function listSchemas(schema: z.ZodType): ListSchemas | null {
  if (!(schema instanceof z.ZodArray)) return null;
  const known = knownLists.get(schema);
  if (known !== undefined) return known;
  const list = (schema as z.ZodArray).clone({ ...schema.def, element: z.unknown() });
  const made = { list: list as z.ZodType<unknown[]>, item: schema.element as z.ZodType };
  knownLists.set(schema, made);
  return made;
}

/** The known keys of the object at a path within the values of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) return keysAt(type.element as z.ZodType, path.slice(1));
  if (!(type instanceof z.ZodObject)) return [];
  const [key, ...rest] = path;
  return key === undefined ? Object.keys(type.shape) : keysAt(type.shape[String(key)] as z.ZodType, rest);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
}

function readField(name: string, field: z.ZodType, texts: readonly string[]): unknown {
  if (field instanceof z.ZodArray)
    return readList(texts).map((text) => readScalar(name, field.element as z.ZodType, text));
  if (texts.length > 1) throw badArgument(name, `is given ${texts.length} times; give it once`);
  return readScalar(name, field, texts[0]!);
}

function readList(texts: readonly string[]): readonly string[] {
  const only = texts.length === 1 ? /^\s*\[(.*)\]\s*$/s.exec(texts[0]!) : null;
  if (only === null) return texts;
  return only[1]!
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function readScalar(name: string, field: z.ZodType, text: string): unknown {
  if (field instanceof z.ZodNumber) return readNumber(name, text);
  if (field instanceof z.ZodBoolean) return readBoolean(name, text);
  return text;
}

function readNumber(name: string, text: string): number {
  const value = /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw badArgument(name, `"${text.slice(0, 40)}" is not a number`);
  return value;
}

function readBoolean(name: string, text: string): boolean {
  const lower = text.trim().toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  if (lower === 'false' || lower === '0') return false;
  throw badArgument(name, `"${text.slice(0, 40)}" is neither true nor false`);
}

function unwrap(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return unwrap(field.unwrap() as z.ZodType);
  return field;
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await multipartForm(request);
    return new URLSearchParams(
      [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  return new URLSearchParams(await readText(request, MAX_FORM_BYTES));
}

async function multipartForm(request: Request): Promise<FormData> {
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  try {
    return await new Response(await readText(request, MAX_FORM_BYTES), { headers }).formData();
  } catch (error) {
    if (error instanceof CropframeError) throw error;
    throw badArgument('body', 'not a valid form', { cause: error });
  }
}

/** Types under which programs send JSON: public clients as a form, others under none. */
const LENIENT_TYPES: readonly string[] = ['', 'application/x-www-form-urlencoded'];

/**
 * Pages of other sites can send any text unasked, but not as JSON; only programs, which send no Origin, may leave that out.
 * @throws CropframeError (media_type)
 */
function checkJsonType({ headers }: Request): void {
  const type = (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return;
  const byPage = headers.has('origin') || headers.has('sec-fetch-site');
  if (!byPage && LENIENT_TYPES.includes(type)) return;
  const shown = type === '' ? 'no type' : shownValue(type);
  throw new CropframeError(
    'media_type',
    `the body has ${shown}; send JSON, with the header "content-type: application/json"`,
  );
}

/** Shorter bodies are read in one piece, if they say their length. */
const MAX_WHOLE_BODY_BYTES = 65_536;

async function readText(request: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) <= MAX_WHOLE_BODY_BYTES) return readWholeText(request);
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of untilCut(request.body as AsyncIterable<Uint8Array>)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new CropframeError(
        'too_large',
        `body: longer than ${maxBytes} bytes; split it into several requests`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
    await turns.next();
  }
  return text + decoder.decode();
}

/** @throws RequestAborted when the connection breaks before the end of the body */
async function readWholeText(request: Request): Promise<string> {
  return request.text().catch((cause: unknown) => {
    throw new RequestAborted('the client left in the middle of its request', { cause });
  });
}

/** @throws RequestAborted when the connection breaks before the end of the body */
async function* untilCut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch((cause: unknown) => {
        throw new RequestAborted('the client left in the middle of its request', { cause });
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await pieces.return?.().catch(() => {});
  }
}

/**
 * Maximum length of a body that is not a list, and of each item of a list: so much is parsed and checked in one piece. It
 * is that of an address.
 */
const MAX_VALUE_LENGTH = 256 * 1024;

/** Shorter items of a list are parsed together. */
const MIN_PIECE_LENGTH = 16_384;

type BodySchema = NonNullable<Endpoint['body']>;

/**
 * Parses a JSON body by a schema. A list is parsed and validated piece by piece, other work having its turn in between.
 * @throws ArgumentError that names the parameter; CropframeError (too_large)
 */
export async function parseBody(schema: BodySchema, text: string): Promise<unknown> {
  const ofList = listSchemas(schema);
  const from = text.search(/\S/);
  if (ofList !== null && text[from] === '[') return parseList(ofList, text, from);
  if (text.length > MAX_VALUE_LENGTH) throw tooLong('body');
  return validateJson(schema, parseJson(text));
}

async function parseList(
  { list, item: ofItem }: NonNullable<ReturnType<typeof listSchemas>>,
  text: string,
  from: number,
): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const piece of listPieces(text, from)) {
    await turns.next();
    items.push(...(parseJson(`[${piece}]`) as unknown[]));
    if (items.length > 0) validateJson(list, items);
  }
  validateJson(list, items);
  for (const [i, item] of items.entries()) {
    await turns.next();
    items[i] = validateJson(ofItem, item, i);
  }
  return items;
}

/** The texts of a few items each of the list that begins at `from`. They need not be valid themselves. */
function* listPieces(text: string, from: number): Generator<string, void, undefined> {
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth++;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
    if (at - start > MAX_VALUE_LENGTH) throw tooLong('an item of the body');
    const ends = depth === 0;
    if (ends && char !== CLOSE_LIST) throw notJson();
    if (!ends && !(depth === 1 && char === COMMA && at - start > MIN_PIECE_LENGTH)) continue;
    const piece = text.slice(start, at);
    const isFirst = start === from + 1;
    if (piece.trim() !== '') yield piece;
    else if (!ends || !isFirst) throw notJson();
    start = at + 1;
    if (ends) break;
  }
  if (depth !== 0 || text.slice(start).trim() !== '') throw notJson();
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The position of the quote that ends a string; of the end of the text when none does. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function notJson(cause?: unknown): ArgumentError {
  return badArgument('body', 'not valid JSON', { cause });
}

function tooLong(what: string): CropframeError {
  const message = `${what} is longer than ${MAX_VALUE_LENGTH} characters; split it into several`;
  return new CropframeError('too_large', message);
}

type Query = ParsedRequest['query'];

/** The redirects of the old ids in a request, as a 301 answer lists them. */
export async function findIdRedirects(
  { path, query, body }: Pick<ParsedRequest, 'path' | 'query' | 'body'>,
  redirects: readonly IdRedirect[],
): Promise<Record<string, number | null>[]> {
  if (redirects.length === 0) return [];
  const queries = Array.isArray(body) ? (body as Query[]) : [query];
  const byKey = redirectsByKey(redirects, (path as { type?: EntityType }).type);
  const requested = new Set<IdRedirect>();
  for (const one of queries) {
    await turns.next();
    for (const redirect of requestedBy(one, byKey)) requested.add(redirect);
  }
  return redirects
    .filter((redirect) => requested.has(redirect))
    .map(({ field, oldId, newId, sourceId }) => ({
      [`old_${field}`]: oldId,
      [`new_${field}`]: newId,
      source_id: sourceId,
    }));
}

type RedirectsByKey = ReadonlyMap<string, ReadonlyMap<number, readonly IdRedirect[]>>;

/** By the parameters that may have the old id: `metricId`, `metricIds`, and the `ids` of metrics. */
function redirectsByKey(redirects: readonly IdRedirect[], type: EntityType | undefined): RedirectsByKey {
  const byKey = new Map<string, Map<number, IdRedirect[]>>();
  const idField = SERIES_KEY_FIELDS.find((field) => SERIES_KEY_TYPES[field] === type);
  for (const redirect of redirects) {
    const { field, oldId, sourceId } = redirect;
    const key = QUERY_KEYS[field];
    const keys = field === idField && sourceId === null ? [key, `${key}s`, 'ids'] : [key, `${key}s`];
    for (const one of keys) {
      const byId = byKey.get(one) ?? new Map<number, IdRedirect[]>();
      byKey.set(one, byId);
      byId.set(oldId, [...(byId.get(oldId) ?? []), redirect]);
    }
  }
  return byKey;
}

function* requestedBy(query: Query, byKey: RedirectsByKey): Generator<IdRedirect, void, undefined> {
  const sources = query.sourceId ?? query.sourceIds;
  for (const [key, byId] of byKey) {
    const ids = query[key];
    if (!Array.isArray(ids)) continue;
    for (const id of ids)
      for (const redirect of byId.get(id) ?? [])
        if (redirect.sourceId === null || !Array.isArray(sources) || sources.includes(redirect.sourceId))
          yield redirect;
  }
}
