import type { Endpoint } from '../../contract/addresses.js';
import { listSchemas, validateJson } from '../../contract/parameters.js';
import { ArgumentError, CropframeError } from '../../model/errors.js';
import { turns } from '../../store/turns.js';

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
  return new ArgumentError('body', 'body: not valid JSON', { cause });
}

function tooLong(what: string): CropframeError {
  const message = `${what} is longer than ${MAX_VALUE_LENGTH} characters; split it into several`;
  return new CropframeError('too_large', message);
}
