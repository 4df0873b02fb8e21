import { getOrCompute } from '../../model/grouping.js';
import { DamagedTextError, type TextRecord } from '../reading/delimited.js';
import type { TableKind } from '../reading/tables.js';
import type { FormKeys } from './form.js';

/** The maximum length of a JSON file in characters. The limit is needed because the file is parsed as a whole. */
const MAX_JSON_LENGTH = 256_000_000;
const MAX_DEPTH = 20;

type JsonObject = Readonly<Record<string, unknown>>;
type Cells = Readonly<Record<string, string>>;

interface JsonPlace extends Partial<NonNullable<FormKeys['json']>> {
  /** Whether only the beginning of the file is known. If so, the columns may differ in length. */
  readonly isCut?: boolean | undefined;
}

/**
 * Reads a table from a JSON list of records or a JSON object with one list per column. Without a path, the table is
 * the top-level list or the first list in the top-level object. Line numbers count rows; the header is line 1.
 */
export function jsonTable(place: JsonPlace = {}): Pick<TableKind, 'header' | 'readColumns' | 'records'> {
  return {
    header: (beginning) => columnsOfBeginning(beginning, place),
    readColumns: async (chunks) => columnsOf(await parseJson(chunks), place),
    async *records(chunks, columns): AsyncGenerator<TextRecord> {
      let line = 1;
      for (const row of rowsOf(await parseJson(chunks), place))
        yield { fields: columns.map((name) => (Object.hasOwn(row, name) ? row[name]! : '')), line: ++line };
    },
  };
}

async function parseJson(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_JSON_LENGTH)
      throw new DamagedTextError(
        1,
        'it has more than 256 million characters of JSON; split it, or obtain it as CSV',
      );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedTextError(1, `it is not well-formed JSON: ${(cause as Error).message}`);
  }
}

/**
 * The most recently parsed beginning of a file, and the table's columns, keyed by path in the JSON. Both are cached
 * because every data set checks whether it recognises the file.
 */
let last = { text: '', json: null as unknown, columns: new Map<string, string[]>() };

function columnsOfBeginning(text: string, place: JsonPlace): string[] {
  if (text !== last.text) last = { text, json: parseBeginning(text), columns: new Map() };
  return getOrCompute(last.columns, `${place.at} ${place.units}`, () => {
    try {
      return columnsOf(last.json, { ...place, isCut: true });
    } catch {
      return [];
    }
  });
}

/** Parses JSON. Incomplete JSON is cut at the last comma, and open brackets are closed. Returns null on failure. */
function parseBeginning(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  let [end, closing] = [text.length, ''];
  const open: string[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},]/g)) {
    if (token === ',') [end, closing] = [index, open.join('')];
    else if (token === '[' || token === '{') open.unshift(token === '[' ? ']' : '}');
    else if (token === ']' || token === '}') open.shift();
  }
  try {
    return JSON.parse(open.length === 0 ? text : text.slice(0, end) + closing);
  } catch {
    return null;
  }
}

function columnsOf(json: unknown, place: JsonPlace): string[] {
  const names = new Set<string>();
  for (const row of rowsOf(json, place)) for (const name in row) names.add(name);
  return [...names];
}

/** Yields the rows at a path of keys. If the path passes through a list, it continues in each element. */
function* rowsOf(json: unknown, { at, units, isCut }: JsonPlace, constants: Cells = {}): Generator<Cells> {
  if (at === undefined) {
    const list = Array.isArray(json) ? json : Object.values(json ?? {}).find(Array.isArray);
    if (list === undefined) throw new DamagedTextError(1, 'it is not a list of records in JSON');
    return yield* rowsOf(list, { at: '' });
  }
  if (Array.isArray(json) && !/^\d/.test(at) && at !== '') {
    for (const one of json) yield* rowsOf(one, { at, units, isCut }, constants);
    return;
  }
  if (typeof json !== 'object' || json === null) return;
  const [key, ...rest] = at === '' ? [] : at.split('.');
  if (key !== undefined) {
    const { [key]: inner, ...beside } = json as JsonObject;
    const written = units === undefined ? undefined : (json as JsonObject)[units];
    const known = Array.isArray(json) ? constants : addCells(rowFrom(constants), beside, 1);
    yield* rowsOf(withUnits(inner, written), { at: rest.join('.'), units, isCut }, known);
  } else if (Array.isArray(json)) {
    for (const [i, record] of json.entries()) {
      if (typeof record !== 'object' || record === null || Array.isArray(record))
        throw new DamagedTextError(i + 2, 'it is not an object such as {"year": 2012}');
      yield addCells(rowFrom(constants), record, MAX_DEPTH);
    }
  } else yield* rowsOfColumns(json as JsonObject, constants, isCut);
}

/** Appends each column's unit, if it has one, to its name, as in `temperature_2m_max (°C)`. */
function withUnits(columns: unknown, units: unknown): unknown {
  if (typeof columns !== 'object' || columns === null || typeof units !== 'object' || units === null)
    return columns;
  const unitOf = new Map(Object.entries(units));
  return Object.fromEntries(
    Object.entries(columns).map(([name, list]) => [
      unitOf.has(name) ? `${name} (${unitOf.get(name)})` : name,
      list,
    ]),
  );
}

/** Yields the rows of a table that has one list per column. @throws DamagedTextError if the lists differ in length */
function* rowsOfColumns(table: JsonObject, constants: Cells, isCut = false): Generator<Cells> {
  const lists = Object.entries(table).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  const lengths = new Set(lists.map(([, list]) => list.length));
  if (lengths.size > 1 && !isCut) {
    const found = lists.map(([name, list]) => `${name} ${list.length}`).join(', ');
    throw new DamagedTextError(1, `its columns have different numbers of values: ${found}`);
  }
  const [length = 0] = lengths;
  for (let i = 0; i < length; i++)
    yield { ...constants, ...Object.fromEntries(lists.map(([name, list]) => [name, cellText(list[i])])) };
}

/** Adds the values in an object and its nested objects to a row, keyed by path, down to `depth` levels. Omits lists. */
function addCells(row: Record<string, string>, value: object, depth: number, prefix = ''): Cells {
  for (const [name, one] of Object.entries(value))
    if (typeof one !== 'object' || one === null) row[prefix + name] = cellText(one);
    else if (!Array.isArray(one) && depth > 1) addCells(row, one, depth - 1, `${prefix}${name}.`);
  return row;
}

/** Copies a row into an object without a prototype, so that a column can have any name. */
const rowFrom = (cells: Cells): Record<string, string> => Object.assign(Object.create(null), cells);

const cellText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
