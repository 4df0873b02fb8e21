import { DamagedTextError, type TextRecord } from './delimited.js';

/** The maximum length of a record, in characters. A file with a longer record is damaged or of a different kind. */
const MAX_RECORD_LENGTH = 1_000_000;

/** Matches the text before the first record: the start of an array, which may be the value of an object's first key. */
const OPENING = /^\s*(?:\{\s*"[^"]{0,100}"\s*:\s*)?\[/;
/** Matches an object without nested objects, and the separator before it. */
const RECORD = /[\s,]*(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/y;

type JsonRecord = Readonly<Record<string, unknown>>;

function firstRecordKeys(beginning: string): string[] {
  const [opening = ''] = OPENING.exec(beginning) ?? [];
  RECORD.lastIndex = opening.length;
  const first = opening === '' ? null : RECORD.exec(beginning);
  try {
    return Object.keys(JSON.parse(first?.[1] ?? '{}'));
  } catch {
    return [];
  }
}

/** Collects the keys of all records, because services omit keys with null values. Damage is reported later. */
async function readJsonKeys(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const keys = new Set<string>();
  try {
    for await (const { record } of parseRecords(chunks)) for (const key in record) keys.add(key);
  } catch (error) {
    if (!(error instanceof DamagedTextError)) throw error;
  }
  return [...keys];
}

/** Reads records as rows. Line numbers count records, because a file is often one line. @throws DamagedTextError */
async function* readJsonRecords(
  chunks: AsyncIterable<Uint8Array>,
  columns: readonly string[],
): AsyncGenerator<TextRecord> {
  for await (const { record, line } of parseRecords(chunks))
    yield { fields: columns.map((key) => cellText(record[key])), line };
}

/** Parses a list of flat objects, which may be the value of an object's first key, in bounded memory. */
async function* parseRecords(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly record: JsonRecord; readonly line: number }> {
  const decoder = new TextDecoder();
  let line = 1;
  let isOpen = false;
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (!isOpen) {
      const [opening] = OPENING.exec(rest) ?? [];
      if (opening === undefined) continue;
      isOpen = true;
      rest = rest.slice(opening.length);
    }
    let end = 0;
    RECORD.lastIndex = 0;
    for (let found = RECORD.exec(rest); found !== null; found = RECORD.exec(rest)) {
      end = RECORD.lastIndex;
      line++;
      yield { record: parseRecord(found[1]!, line), line };
      RECORD.lastIndex = end;
    }
    rest = rest.slice(end);
    if (/^\s*\]/.test(rest)) return;
    if (rest.length > MAX_RECORD_LENGTH) break;
  }
  const what = 'it is not a flat object such as {"year": 2012}, or it is truncated';
  throw new DamagedTextError(line + 1, isOpen ? what : 'it is not a list of records in JSON');
}

function parseRecord(text: string, line: number): JsonRecord {
  try {
    return JSON.parse(text) as JsonRecord;
  } catch (cause) {
    throw new DamagedTextError(line, `it is not well-formed JSON: ${(cause as Error).message}`);
  }
}

export const cellText = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value);

export const JSON_RECORDS = {
  header: firstRecordKeys,
  readColumns: readJsonKeys,
  records: readJsonRecords,
} as const;
