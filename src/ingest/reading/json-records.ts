import { DamagedTextError, type TextRecord } from './delimited.js';

/** A longer record means that the file is of another kind, or damaged. */
const MAX_RECORD_LENGTH = 1_000_000;

/** The beginning before the first record: a list, or an object whose first key holds it. */
const OPENING = /^\s*(?:\{\s*"[^"]{0,100}"\s*:\s*)?\[/;
const BETWEEN = /[\s,]*/y;

type JsonRecord = Readonly<Record<string, unknown>>;

/** The keys of the first record of a JSON text; none when its beginning does not hold a whole one. */
export function firstRecordKeys(beginning: string): string[] {
  const splitter = new RecordSplitter();
  try {
    const [first = {}] = splitter.split(beginning);
    return Object.keys(first);
  } catch {
    return [];
  }
}

/**
 * The records of a JSON text as the rows of a table: a list of flat objects, or an object whose first key holds the list.
 * Fields are in the order of the keys of the first record. Lines count records, the keys being line 1, as many such texts
 * have a single line. Memory is bounded by the chunks of the stream.
 * @throws DamagedTextError when the text is not such a list, or ends within it
 */
export async function* readJsonRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextRecord> {
  const decoder = new TextDecoder();
  const splitter = new RecordSplitter();
  let keys: readonly string[] | null = null;
  let line = 1;
  for await (const chunk of chunks)
    for (const record of splitter.split(decoder.decode(chunk, { stream: true }))) {
      keys ??= Object.keys(record);
      yield { fields: keys.map((key) => cellText(record[key])), line: ++line };
    }
  splitter.close();
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Cuts a text, given in pieces, into the records of its list. */
class RecordSplitter {
  #rest = '';
  #state: 'before' | 'within' | 'after' = 'before';
  /** How many are read. */
  #records = 0;

  *split(piece: string): Generator<JsonRecord> {
    if (this.#state === 'after') return;
    this.#rest += piece;
    if (this.#state === 'before') this.#open();
    let at = 0;
    while (this.#state === 'within') {
      BETWEEN.lastIndex = at;
      at += BETWEEN.exec(this.#rest)![0].length;
      if (at >= this.#rest.length) break;
      if (this.#rest[at] === ']') {
        this.#state = 'after';
        return;
      }
      if (this.#rest[at] !== '{') throw this.#damagedRecord('it is not an object, such as {"year": 2012}');
      const end = recordEnd(this.#rest, at);
      if (end === null) break;
      yield this.#parse(this.#rest.slice(at, end));
      at = end;
    }
    this.#rest = this.#rest.slice(at);
    if (this.#rest.length > MAX_RECORD_LENGTH)
      throw this.#damagedRecord('a record has more than a million characters');
  }

  /** @throws DamagedTextError when the list has not ended */
  close(): void {
    const last = this.#records + 1;
    if (this.#state === 'before') throw new DamagedTextError(last, 'it is not a list of records in JSON');
    if (this.#state === 'within')
      throw new DamagedTextError(last, 'the list of records is cut short; get the file again');
  }

  #open(): void {
    const opening = OPENING.exec(this.#rest);
    if (opening === null) return;
    this.#rest = this.#rest.slice(opening[0].length);
    this.#state = 'within';
  }

  #parse(text: string): JsonRecord {
    try {
      const record = JSON.parse(text) as JsonRecord;
      this.#records++;
      return record;
    } catch (cause) {
      throw this.#damagedRecord(`not well-formed JSON: ${cause instanceof Error ? cause.message : cause}`);
    }
  }

  /** The error of the record after the ones that were read. */
  #damagedRecord(what: string): DamagedTextError {
    return new DamagedTextError(this.#records + 2, what);
  }
}

/** A string, which may not end, or a brace. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}]/gs;

/** Where the object ends that begins at `start`; null when it does not end. */
function recordEnd(text: string, start: number): number | null {
  let depth = 0;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    if (token[0] === '{') depth++;
    else if (token[0] === '}' && --depth === 0) return TOKEN.lastIndex;
  }
  return null;
}
