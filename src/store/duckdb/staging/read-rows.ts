import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { chunksOf } from '../../../model/grouping.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../model/series.js';
import { DAY_MS } from '../../../model/time.js';
import {
  MARK_NEIGHBOURHOOD,
  type NewRows,
  OTHER_FIELDS,
  PLAIN_NUMBER,
  type PutRowsOptions,
  type ReadPoint,
  type ReadRows,
  type RowAnswer,
  type RowKey,
  type RowLimit,
  type RowText,
} from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { BIGINT, DOUBLE, INTEGER, VARCHAR } from '../engine/library.js';
import { quoted, quotedPath } from '../engine/sql-values.js';
import { dateFromMs, END_MS, LAYOUT, STAGING, START_MS, summarizeStaged } from '../point-tables.js';
import { readNumbers, rowsInTurns, runAll } from '../writing/ranges.js';
import { CHUNK_ROWS, stageRows } from './stage-rows.js';

/** Whether a `problem` rejects a row: those that are not read on purpose have negative numbers. */
const NO_PROBLEM = 'problem IS NULL';

interface StagedRows extends ReadRows {
  /** The query of the points, which are in a table. */
  readonly points: (table: string) => string;
}

/**
 * Joins the fields of a key: one column takes half of the time of five. A key with a field that has these control characters
 * next to each other is rejected.
 */
const SEPARATOR = '\x1f\x1d';

/**
 * Reads the rows of a text into a table of points, sorted by series and start: the engine parses the text, its distinct keys
 * are resolved here, and one statement joins the answers. Series have numbers that ascend in layout order.
 * @param table of `STAGING`, which is created unless the text is damaged, or too many of its rows are rejected; it lacks the
 *   columns that are the same in all rows, which `points` adds. `<table>_summary` summarizes it
 */
export async function readRows(
  connection: DuckDBConnection,
  rows: NewRows,
  { table, mayReject }: { table: string } & Pick<PutRowsOptions, 'mayReject'>,
): Promise<StagedRows> {
  const { count, others, broken } = await parseText(connection, rows);
  const nothing = { units: [], series: [], points: () => '', sample: async () => [] };
  if (broken.some(({ kind }) => kind === 'damage'))
    return { rows: 0, broken, rejected: [], notRead: new Map(), ...nothing };
  const all = { rows: count + broken.length, broken };
  const problems = new Problems();
  const fields = rows.keys.length;
  const most = mayReject?.(all.rows) ?? Number.POSITIVE_INFINITY;
  const texts = [...(others < count ? [['false']] : []), ...(others > 0 ? [['true']] : [])];
  const answered = [
    await answer(connection, FIELD_COUNT_KEY, { at: fields, problems, earlier: [], texts, most }),
  ];
  const valueTexts = new ValueTexts(connection, rows.keys);
  let isEnded = false;
  const faulty = new KeysOfValues(rows.values, answered.filter(isFaulty));
  for (const [at, key] of rows.keys.entries()) {
    const earlier = faulty.before(at);
    const texts = await valueTexts.ofKey(at, earlier);
    const answers = await answer(connection, key, { at, problems, earlier, texts, most });
    answered.push(answers);
    if (isFaulty(answers)) faulty.add(answers);
    isEnded = answers.isEnded;
    if (isEnded) break;
  }
  const codes = await SeriesCodes.of(rows.constants, answered);
  const joined = answered.filter((key) => !key.isConstant);
  for (const key of joined) await stageAnswers(connection, key, codes);
  const { rejected, notRead } = await readProblems(connection, rows, answered, problems);
  if (isEnded) return { ...all, rejected, notRead, ...nothing, isEnded };
  const marks = await countMarks(connection, rows, answered);
  const { create, points } = pointsSql(rows, answered, { table, codes, hasRejected: rejected.length > 0 });
  const counted = await runAll(connection, [
    ...create,
    'DROP TABLE temp.raw',
    ...joined.map(({ at }) => `DROP TABLE IF EXISTS temp.key_${at}`),
    summarizeStaged(`${table}_summary`, `(${points(`${STAGING}.${table}`)})`),
    `SELECT unit_id, sum(points)::DOUBLE, min(first_start)::DOUBLE, max(last_end)::DOUBLE
     FROM ${STAGING}.${table}_summary GROUP BY unit_id ORDER BY min(first_line)`,
  ]);
  const units = ((await counted.getRows()) as [number, number, number, number][]).map(
    ([unit_id, points, startMs, endMs]) => ({ unit_id, points, startMs, endMs }),
  );
  const series: SeriesKey[] = [];
  const sql = `SELECT DISTINCT series::DOUBLE FROM ${STAGING}.${table}_summary ORDER BY ALL`;
  for await (const found of rowsInTurns<[number]>(connection, sql))
    for (const [code] of found) series.push(codes.keyOf(code));
  const sample = async (limit: number): Promise<ReadPoint[]> => {
    if (series.length === 0) return [];
    const read =
      await connection.runAndReadAll(`SELECT series::DOUBLE AS code, ${START_MS}::DOUBLE AS "startMs",
      ${END_MS}::DOUBLE AS "endMs", value, unit_id, epoch_ms(reporting_date)::DOUBLE AS "reportingMs",
      epoch_ms(available_date)::DOUBLE AS "availableMs", metadata
      FROM (${points(`${STAGING}.${table}`)}) ORDER BY line, series, value LIMIT ${limit}`);
    const found = read.getRowObjects() as unknown as (Omit<ReadPoint, keyof SeriesKey> & { code: number })[];
    return found.map(({ code, ...point }) => ({ ...codes.keyOf(code), ...point }));
  };
  return { ...all, rejected, notRead, marks, units, series, points, sample };
}

const column = (at: number): string => `c${at}`;

/** In place of a column: whether the row has another number of fields. */
const FIELD_COUNT = -1;
const FIELD_COUNT_KEY: RowKey = {
  texts: [FIELD_COUNT],
  resolve: ([hasOther]) => (hasOther === 'false' ? {} : { rejected: OTHER_FIELDS }),
};

/** The column of `raw` with a text. */
const rawText = (text: RowText): string => {
  if (text === FIELD_COUNT) return 'fields';
  if (typeof text === 'number') return column(text);
  if ('ofValue' in text) return [`o${text.ofValue}`, ...(text.others ?? []).map(column)].join('_');
  return 'part' in text ? `p${text.column}_${text.part}` : `u${text.column}`;
};

/** The column of `raw` with the texts of a key, joined by the separator. */
const rawTexts = (texts: readonly RowText[]): string => texts.map(rawText).join('_');

const countTexts = (texts: readonly RowText[]): number =>
  texts.reduce<number>(
    (sum, text) => sum + 1 + (typeof text === 'object' && 'ofValue' in text ? (text.others?.length ?? 0) : 0),
    0,
  );

/** The fields of a joined text; more than there should be where one of them has the separator. */
const fieldsIn = (text: string, count: number): string[] =>
  count < 2 ? [text].slice(0, count) : text.split(SEPARATOR);

/** The columns of `raw` with texts, and with the details of keys. */
const textsOf = (keys: readonly RowKey[]): (readonly RowText[])[] =>
  keys.flatMap(({ texts, details = [] }) => [texts, details]).filter((texts) => texts.length > 0);

/** A text that no field is: empty fields are empty texts. */
const NO_NULL = '\\x01\\x02';

/**
 * A longer line means that the file is of another kind, or damaged. Only a text that was written again may have lines of more
 * than the engine's 2 MB: a thread reads a text in parts of at least four lines of the greatest length, so that one of less
 * than 64 MB had a single thread.
 */
const LONG_LINES = `new_line = '\\n', max_line_size = 16000000, buffer_size = 32000000, parallel = false`;

interface ParsedText extends Pick<ReadRows, 'broken'> {
  /** Rows in `raw`. */
  readonly count: number;
  /** Those among them with another number of fields. */
  readonly others: number;
}

const DAMAGED: ParsedText = { count: 0, others: 0, broken: [{ kind: 'damage' }] };

/**
 * Creates the table `raw` with the texts of keys, and with plain numbers in `v` and `PLAIN_NUMBER` as their text. Its
 * rows keep the order of the file, because rejected rows are found by position. A join would not keep that order, and
 * the engine plans `IN` with many strings as a join; `list_contains` avoids this.
 */
async function parseText(connection: DuckDBConnection, rows: NewRows): Promise<ParsedText> {
  const { path, delimiter, hasLongRows = false, skip, columns, keys, values } = rows;
  const onlyUsed = columns - usedColumns(rows).size >= MIN_UNUSED && (await isPlainText(rows));
  const quote = rows.quotes && !onlyUsed ? `'"'` : `''`;
  // Fewer fields are filled up, and a further one that is empty is no error to the engine.
  const types = Array.from({ length: columns + 1 }, (_, at) => `'${column(at)}': 'VARCHAR'`);
  const join = (sql: readonly string[]) =>
    sql.length === 1 ? sql[0]! : `concat_ws(${quoted(SEPARATOR)}, ${sql.join(', ')})`;
  const sqlOf = (text: RowText): string => {
    if (typeof text === 'number') return column(text);
    if ('ofValue' in text) {
      const { ofValue, others = [] } = text;
      const written = join([values[ofValue]!.column, ...others].map(column));
      return `CASE WHEN v${ofValue} IS NULL THEN ${written} ELSE ${quoted(PLAIN_NUMBER)} END`;
    }
    if ('part' in text) return `split_part(${column(text.column)}, ',', ${text.part + 1})`;
    const texts = text.unless.is.map(quoted).join(', ');
    return `CASE WHEN list_contains([${texts}], ${column(text.unless.column)}) THEN '' ELSE ${column(text.column)} END`;
  };
  const joined = textsOf(keys).map((texts) => `${join(texts.map(sqlOf))} AS ${rawTexts(texts)}`);
  const numbers = values.map((value, i) => {
    const text = column(value.column);
    const bare = value.thousands ? `replace(${text}, ${quoted(value.thousands)}, '')` : text;
    const number = `try_cast(${value.decimal === ',' ? `replace(${bare}, ',', '.')` : bare} AS DOUBLE)`;
    const { except = [], whereEmpty = [], limits = [] } = value;
    const plain = [
      `regexp_full_match(${text}, ${quoted(value.plain)})`,
      ...(except.length > 0 ? [`${number} NOT IN (${doubles(except)})`] : []),
      ...whereEmpty.map((other) => `${column(other)} = ''`),
      ...limits.map((limit) => `NOT (${beyondSql(number, limit)})`),
    ].join(' AND ');
    return `CASE WHEN ${plain} THEN ${number} END AS v${i}`;
  });
  const fields = `${column(columns - 1)} IS NULL OR ${column(columns)} IS NOT NULL AS fields`;
  const all = Array.from({ length: columns + 1 }, (_, at) => `${column(at)} IS NOT NULL`).join(' OR ');
  const parsing = readNumbers(
    connection,
    ...['reject_errors', 'reject_scans'].map((name) => `DROP TABLE IF EXISTS temp.${name}`),
    // In a subquery, as the name of a number stands for its expression, which each text would compute again.
    `CREATE OR REPLACE TEMP TABLE raw AS
    SELECT ${[...numbers.map((_, i) => `v${i}`), ...new Set(joined), fields].join(', ')}
    FROM (SELECT *, ${numbers.join(', ')} FROM read_csv(${quotedPath(path)}, auto_detect = false, header = false, skip = ${skip},
      columns = {${types.join(', ')}}, delim = ${quoted(delimiter)}, quote = ${quote}, escape = ${quote},
      nullstr = '${NO_NULL}', strict_mode = true, null_padding = true, store_rejects = true, rejects_limit = 0,
      compression = 'none', ${hasLongRows ? LONG_LINES : 'parallel = true'})
    ${onlyUsed ? '' : `WHERE ${all}`})`,
    `SELECT count(*)::DOUBLE, count(*) FILTER (fields)::DOUBLE, (SELECT count(*) FROM reject_errors)::DOUBLE FROM temp.raw`,
  );
  let counted: number[];
  try {
    counted = await parsing;
  } catch (error) {
    // Quotes that the engine refuses, or a line end in them, which several threads cannot read.
    if (hasLongRows || !/CSV Error|Invalid Input Error/.test(String(error))) throw error;
    return DAMAGED;
  }
  const [count, others, faults] = counted as [number, number, number];
  return { count, others, broken: faults === 0 ? [] : await readBroken(connection) };
}

const doubles = (numbers: readonly number[]): string =>
  numbers.map((number) => `${number}::DOUBLE`).join(', ');

/** Builds the SQL that checks whether a number is beyond a limit, in the rows to which the limit applies. */
function beyondSql(number: string, { min, max, where }: RowLimit): string {
  const beyond = [
    ...(Number.isFinite(min) ? [`${number} < ${min}`] : []),
    ...(Number.isFinite(max) ? [`${number} > ${max}`] : []),
  ].join(' OR ');
  if (beyond === '') return 'false';
  // The engine evaluates a branch of CASE only for its rows, but all operands of AND.
  return where === undefined
    ? beyond
    : `CASE WHEN ${beyond} THEN trim(${column(where.column)}) IN (${where.is.map(quoted).join(', ')}) ELSE false END`;
}

/** To read 25 columns of 40 takes two thirds of the time of reading them all. */
const MIN_UNUSED = 10;

/** The positions of the columns of keys and values, and of those that tell the number of fields. */
function usedColumns({ columns, keys, values }: NewRows): Set<number> {
  const ofText = (text: RowText): readonly number[] => {
    if (typeof text === 'number') return [text];
    if ('ofValue' in text) return [values[text.ofValue]!.column, ...(text.others ?? [])];
    return 'part' in text ? [text.column] : [text.column, text.unless.column];
  };
  const ofValues = values.flatMap(({ column, whereEmpty = [], limits = [] }) => [
    column,
    ...whereEmpty,
    ...limits.flatMap(({ where }) => where?.column ?? []),
  ]);
  return new Set([columns - 1, columns, ...ofValues, ...textsOf(keys).flat().flatMap(ofText)]);
}

/**
 * Whether a text is UTF-8, and has no field in quotes. In another one, a damaged row ends the engine, and the store with it,
 * unless all columns are read.
 */
async function isPlainText({ path, quotes, hasLongRows = false }: NewRows): Promise<boolean> {
  if (hasLongRows) return false;
  const file = await open(path);
  const bytes = Buffer.allocUnsafe(CHECKED_BYTES);
  try {
    for (let unfinished = 0; ; ) {
      const { bytesRead } = await file.read(bytes, unfinished, bytes.length - unfinished);
      const end = unfinished + bytesRead;
      const begun = bytesRead === 0 ? 0 : [1, 2, 3].find((back) => bytes[end - back]! >= FIRST_OF_SEVERAL);
      unfinished = begun ?? 0;
      const whole = bytes.subarray(0, end - unfinished);
      if (!isUtf8(whole) || (quotes && whole.includes('"'))) return false;
      if (bytesRead === 0) return true;
      bytes.copyWithin(0, end - unfinished, end);
    }
  } finally {
    await file.close();
  }
}

const CHECKED_BYTES = 4_000_000;

/** From this byte on begins a character of several bytes. */
const FIRST_OF_SEVERAL = 0xc0;

async function readBroken(connection: DuckDBConnection): Promise<ReadRows['broken']> {
  const read = await connection.runAndReadAll(`SELECT any_value(error_type)::VARCHAR FROM reject_errors
    GROUP BY line ORDER BY line`);
  return read.getRows().map(([type]) => ({
    kind: type === 'MISSING COLUMNS' || type === 'TOO MANY COLUMNS' ? 'fields' : 'damage',
  }));
}

/** The faults of rows: reasons have positive numbers, kinds that are not read negative ones. */
class Problems {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** @returns null for none */
  numberOf({ rejected, notRead }: RowAnswer): number | null {
    if (rejected !== undefined) return this.#number(`r${rejected}`, rejected);
    return notRead === undefined ? null : -this.#number(`n${notRead}`, notRead);
  }

  #number(key: string, text: string): number {
    const numbered = this.#numbers.get(key);
    if (numbered !== undefined) return numbered;
    this.#numbers.set(key, this.texts.push(text));
    return this.texts.length;
  }
}

interface AnsweredKey {
  readonly at: number;
  readonly key: RowKey;
  /** Joined by the separator. */
  readonly texts: readonly string[];
  readonly answers: readonly RowAnswer[];
  /** The ones that the answers have. */
  readonly fields: readonly AnswerField[];
  readonly problems: readonly (number | null)[];
  /** Whether all texts mean the same. */
  readonly isConstant: boolean;
  /** Whether so many texts are rejected that the others were not resolved. */
  readonly isEnded: boolean;
}

/** The answered keys of each value: shared ones, and its own. */
class KeysOfValues {
  /** For each key position, the values that have this key as their own. */
  readonly #values = new Map<number, number[]>();
  readonly #order = new Map<AnsweredKey, number>();
  readonly #shared: AnsweredKey[] = [];
  readonly #own: readonly AnsweredKey[][];

  constructor(values: NewRows['values'], answered: readonly AnsweredKey[] = []) {
    this.#own = values.map(() => []);
    for (const [value, { keys }] of values.entries())
      for (const at of keys) this.#values.set(at, [...(this.#values.get(at) ?? []), value]);
    for (const key of answered) this.add(key);
  }

  add(key: AnsweredKey): void {
    this.#order.set(key, this.#order.size);
    const values = this.#values.get(key.at);
    if (values === undefined) this.#shared.push(key);
    else for (const value of values) this.#own[value]!.push(key);
  }

  isShared({ at }: AnsweredKey): boolean {
    return !this.#values.has(at);
  }

  /** Returns the keys of a value in the order in which they were answered. */
  of(value: number): AnsweredKey[] {
    const order = (key: AnsweredKey) => this.#order.get(key)!;
    return [...this.#shared, ...this.#own[value]!].sort((a, b) => order(a) - order(b));
  }

  /** Returns the shared keys, and those of the value whose own key has the given position. */
  before(at: number): AnsweredKey[] {
    const [value] = this.#values.get(at) ?? [];
    return value === undefined ? this.#shared : this.of(value);
  }
}

const isFaulty = ({ problems }: AnsweredKey): boolean => problems.some((problem) => problem !== null);

/** Each combination of texts of a key, with the details of its first row, in order of appearance, some at a time. */
async function* readTexts(
  connection: DuckDBConnection,
  key: RowKey,
  earlier: readonly AnsweredKey[],
): AsyncGenerator<string[][]> {
  const { texts, details = [] } = key;
  const text = `raw.${rawTexts(texts)}`;
  const detail = details.length === 0 ? `''` : `arg_min(raw.${rawTexts(details)}, raw.rowid)`;
  const read = await connection.stream(
    `SELECT ${withPrefixSql(text)}, ${detail} FROM temp.raw ${fineOf(earlier)} GROUP BY ${text} ORDER BY min(raw.rowid)`,
  );
  for await (const chunk of read.yieldRows())
    yield (chunk as string[][]).map(([text, ...others]) => [withoutPrefix(text!), ...others]);
}

/**
 * Prefixes a string with a character. Otherwise the driver drops a byte order mark at its start, which occurs in rows of
 * concatenated files, and the string no longer equals that of its rows.
 */
const withPrefixSql = (text: string): string => `'.' || ${text}`;
const withoutPrefix = (text: string): string => text.slice(1);

/** Leaves out the rows that these keys reject, or do not read. */
const fineOf = (earlier: readonly AnsweredKey[]): string =>
  earlier.map((one) => joinOf(one, 'SEMI', '').replace(`key_${one.at}`, `fine_${one.at}`)).join(' ');

/** The texts of keys of one value's text each, read by one query where the same keys are before them. */
class ValueTexts {
  readonly #connection: DuckDBConnection;
  readonly #columns: ReadonlyMap<number, string>;
  #earlier: string | undefined;
  #texts = new Map<string, string[][]>();

  constructor(connection: DuckDBConnection, keys: readonly RowKey[]) {
    this.#connection = connection;
    this.#columns = new Map(
      keys.flatMap(({ texts: [text, ...more], details = [] }, at) =>
        typeof text === 'object' && 'ofValue' in text && more.length + details.length === 0
          ? [[at, rawText(text)]]
          : [],
      ),
    );
  }

  /** @returns undefined for a key of other texts, and for the only one */
  async ofKey(at: number, earlier: readonly AnsweredKey[]): Promise<string[][] | undefined> {
    const column = this.#columns.get(at);
    if (column === undefined || this.#columns.size === 1) return undefined;
    const before = earlier.map((key) => key.at).join();
    if (this.#earlier !== before) await this.#read(earlier);
    this.#earlier = before;
    return this.#texts.get(column) ?? [];
  }

  async #read(earlier: readonly AnsweredKey[]): Promise<void> {
    const columns = [...new Set(this.#columns.values())];
    const read = await this.#connection.stream(`SELECT name, ${withPrefixSql('text')} FROM (
        SELECT raw.rowid AS row, ${columns.join(', ')} FROM temp.raw ${fineOf(earlier)}
      ) UNPIVOT (text FOR name IN (${columns.join(', ')})) GROUP BY name, text ORDER BY min(row)`);
    this.#texts = new Map(columns.map((column) => [column, []]));
    for await (const chunk of read.yieldRows())
      for (const [column, text] of chunk as [string, string][])
        this.#texts.get(column)!.push([withoutPrefix(text)]);
  }
}

/** Texts of rows that an earlier key rejects, or does not read, are not resolved. */
async function answer(
  connection: DuckDBConnection,
  key: RowKey,
  {
    at,
    problems,
    earlier,
    texts = key.texts.length === 0 ? [['']] : undefined,
    most,
  }: {
    at: number;
    problems: Problems;
    earlier: readonly AnsweredKey[];
    texts?: string[][] | undefined;
    /** Each rejected text is that of a row at least. */
    most: number;
  },
): Promise<AnsweredKey> {
  const [ofTexts, ofDetails] = [countTexts(key.texts), countTexts(key.details ?? [])];
  const resolve = ([text = '', detail = '']: readonly string[]): RowAnswer => {
    const [texts, details] = [fieldsIn(text, ofTexts), fieldsIn(detail, ofDetails)];
    return texts.length > ofTexts || details.length > ofDetails
      ? { rejected: 'the row has the control characters U+001F and U+001D next to each other; remove them' }
      : key.resolve(texts, details);
  };
  const joined: string[] = [];
  const answers: RowAnswer[] = [];
  const numbers: (number | null)[] = [];
  const fields = new Set<AnswerField>();
  let rejected = 0;
  for await (const found of texts === undefined
    ? readTexts(connection, key, earlier)
    : chunksOf(texts, CHUNK_ROWS)) {
    joined.push(...found.map(([text]) => text!));
    answers.push(...(await mapInTurns(found, resolve)));
    for (const one of answers.slice(numbers.length)) {
      numbers.push(problems.numberOf(one));
      if (one.rejected !== undefined) rejected++;
      for (const field of FIELDS) if (!fields.has(field) && field.of(one) !== undefined) fields.add(field);
    }
    if (rejected > most) break;
  }
  if (numbers.some((problem) => problem !== null)) {
    const fine = joined.filter((_, i) => numbers[i] === null).map((text) => [text]);
    await stageRows(connection, `fine_${at}`, { columns: [TEXTS], rows: fine });
  }
  return {
    at,
    key,
    texts: joined,
    answers,
    fields: FIELDS.filter((field) => fields.has(field)),
    problems: numbers,
    isConstant: areAlike(answers, numbers),
    isEnded: rejected > most,
  };
}

/**
 * Numbers series by their ids: each field has as many digits as ids, so that the numbers ascend in layout order, and that of
 * a row is the sum of those of its keys.
 */
class SeriesCodes {
  /** Of the constants of all rows. */
  readonly base: number;
  /** The type that holds all numbers. */
  readonly type: 'INTEGER' | 'BIGINT';
  readonly #ids: ReadonlyMap<keyof SeriesKey, readonly number[]>;
  readonly #weights = new Map<keyof SeriesKey, number>();
  readonly #ranks = new Map<keyof SeriesKey, Map<number, number>>();

  private constructor(constants: RowAnswer, ids: ReadonlyMap<keyof SeriesKey, readonly number[]>) {
    this.#ids = ids;
    let weight = 1;
    for (const field of [...LAYOUT].reverse()) {
      const sorted = ids.get(field)!;
      this.#ranks.set(field, new Map(sorted.map((id, rank) => [id, rank])));
      this.#weights.set(field, weight);
      weight *= Math.max(1, sorted.length);
    }
    if (weight > Number.MAX_SAFE_INTEGER) throw new RangeError('a text has too many series');
    this.type = weight < 2 ** 31 ? 'INTEGER' : 'BIGINT';
    this.base = this.codeOf(constants);
  }

  static async of(constants: RowAnswer, keys: readonly AnsweredKey[]): Promise<SeriesCodes> {
    const ids = new Map(LAYOUT.map((field) => [field, new Set<number>()] as const));
    const note = (answer: RowAnswer) => {
      for (const [field, ofField] of ids) if (answer[field] !== undefined) ofField.add(answer[field]);
    };
    for (const answers of [[constants], ...keys.map((key) => key.answers)]) await mapInTurns(answers, note);
    const sorted = [...ids].map(([field, found]) => [field, [...found].sort((a, b) => a - b)] as const);
    return new SeriesCodes(constants, new Map(sorted));
  }

  codeOf(answer: RowAnswer): number {
    let code = 0;
    for (const field of LAYOUT) {
      const id = answer[field];
      if (id !== undefined) code += this.#ranks.get(field)!.get(id)! * this.#weights.get(field)!;
    }
    return code;
  }

  keyOf(code: number): SeriesKey {
    const idOf = (field: keyof SeriesKey) => {
      const ids = this.#ids.get(field)!;
      return ids[Math.floor(code / this.#weights.get(field)!) % ids.length]!;
    };
    return Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, idOf(field)])) as unknown as SeriesKey;
  }
}

/** A field of points that answers may have, as a column of the tables of answers. */
interface AnswerField {
  readonly name: string;
  readonly type: DuckDBType;
  /** The column in the table of points. */
  readonly sql?: (column: string) => string;
  readonly of: (answer: RowAnswer) => DuckDBValue | undefined;
}

const dayOf = (ms: number | undefined) => (ms === undefined ? undefined : Math.floor(ms / DAY_MS));
const timeOf = (ms: number | undefined) => (ms === undefined ? undefined : ms - dayOf(ms)! * DAY_MS);
const date = (column: string) => dateFromMs(`${column}::BIGINT`);

const FIELDS: readonly AnswerField[] = [
  { name: 'start_day', type: INTEGER, of: ({ startMs }) => dayOf(startMs) },
  { name: 'start_ms', type: INTEGER, of: ({ startMs }) => timeOf(startMs) },
  {
    name: 'days',
    type: INTEGER,
    of: ({ startMs, endMs }) => (endMs === undefined ? undefined : dayOf(endMs)! - dayOf(startMs)!),
  },
  { name: 'end_ms', type: INTEGER, of: ({ endMs }) => timeOf(endMs) },
  { name: 'unit_id', type: INTEGER, of: ({ unit_id }) => unit_id },
  { name: 'reporting_date', type: DOUBLE, sql: date, of: ({ reportingMs }) => reportingMs },
  { name: 'available_date', type: DOUBLE, sql: date, of: ({ availableMs }) => availableMs },
  { name: 'value', type: DOUBLE, of: ({ value }) => value },
  { name: 'divisor', type: DOUBLE, of: ({ divisor }) => divisor },
  { name: 'metadata', type: VARCHAR, of: ({ metadata }) => metadata },
];

/** The texts of a key. */
const TEXTS = ['t', VARCHAR] as const;

/** The table `key_N` has the texts of a key as `t`, and their meaning. */
async function stageAnswers(
  connection: DuckDBConnection,
  { at, texts, answers, fields, problems }: AnsweredKey,
  codes: SeriesCodes,
): Promise<void> {
  const columns = [
    TEXTS,
    ['code', codes.type === 'INTEGER' ? INTEGER : BIGINT] as const,
    ['problem', INTEGER] as const,
    ...fields.map(({ name, type }) => [name, type] as const),
  ];
  const staged = await mapInTurns(texts, (text, i) => [
    text,
    codes.type === 'INTEGER' ? codes.codeOf(answers[i]!) : BigInt(codes.codeOf(answers[i]!)),
    problems[i]!,
    ...fields.map(({ of }) => of(answers[i]!) ?? null),
  ]);
  const converted = fields.filter(({ sql }) => sql !== undefined);
  await stageRows(connection, converted.length > 0 ? 'answered' : `key_${at}`, { columns, rows: staged });
  if (converted.length === 0) return;
  const replaced = converted.map(({ name, sql }) => `${sql!(name)} AS ${name}`).join(', ');
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE key_${at} AS SELECT * REPLACE (${replaced}) FROM temp.answered`,
  );
}

const joinOf = ({ at, key }: AnsweredKey, kind: string, where: string): string =>
  `${kind} JOIN temp.key_${at} AS k${at} ON ${[
    key.texts.length === 0 ? 'true' : `k${at}.t = raw.${rawTexts(key.texts)}`,
    ...(where === '' ? [] : [`k${at}.${where}`]),
  ].join(' AND ')}`;

const REJECTED_ROWS = 'temp.rejected_row';

/** A row is rejected as a whole when one of its values is. */
async function readProblems(
  connection: DuckDBConnection,
  rows: NewRows,
  answered: readonly AnsweredKey[],
  problems: Problems,
): Promise<Pick<ReadRows, 'rejected' | 'notRead'>> {
  const notRead = new Map<string, number>();
  const faulty = answered.filter(isFaulty);
  if (faulty.length === 0) return { rejected: [], notRead };
  const ofValues = new KeysOfValues(rows.values, faulty);
  const firsts = rows.values.map((_, i) => {
    const keys = ofValues.of(i).map(({ at }) => `k${at}.problem`);
    return keys.length === 0 ? 'NULL::INTEGER' : `coalesce(${keys.join(', ')})`;
  });
  const joins = faulty.map((key) => joinOf(key, 'LEFT', '')).join(' ');
  const counted = await runAll(connection, [
    `CREATE OR REPLACE TEMP TABLE faulty_row AS
    SELECT *, coalesce(${firsts.map((_, i) => `CASE WHEN f${i} > 0 THEN f${i} END`).join(', ')}) AS reason
    FROM (SELECT raw.rowid AS row, ${firsts.map((sql, i) => `${sql} AS f${i}`).join(', ')} FROM temp.raw ${joins})
    WHERE ${firsts.map((_, i) => `f${i} IS NOT NULL`).join(' OR ')}`,
    `CREATE OR REPLACE TEMP TABLE rejected_row AS
    SELECT row, reason FROM temp.faulty_row WHERE reason IS NOT NULL ORDER BY row`,
    `SELECT -problem, count(*)::DOUBLE
    FROM (SELECT row, unnest([${firsts.map((_, i) => `f${i}`).join(', ')}]) AS problem FROM temp.faulty_row WHERE reason IS NULL)
    WHERE problem < 0 GROUP BY 1 ORDER BY min(row)`,
  ]);
  for (const [problem, count] of (await counted.getRows()) as [number, number][])
    notRead.set(problems.texts[problem - 1]!, count);
  const rejected: { row: number; reason: string }[] = [];
  const sql = `DROP TABLE temp.faulty_row; SELECT row::DOUBLE, reason FROM ${REJECTED_ROWS} ORDER BY row`;
  for await (const found of rowsInTurns<[number, number]>(connection, sql))
    for (const [row, reason] of found) rejected.push({ row, reason: problems.texts[reason - 1]! });
  return { rejected, notRead };
}

/** Maximum number of markers that are reported for a table. */
const MAX_MARKS = 100;

/** Counts the numbers that may mark missing values among the plain numbers of each column, in rows that are not skipped. */
async function countMarks(
  connection: DuckDBConnection,
  { marks = [], values }: NewRows,
  answered: readonly AnsweredKey[],
): Promise<ReadRows['marks']> {
  if (marks.length === 0 || values.length === 0) return [];
  const own = new Set(values.flatMap(({ keys }) => keys));
  const fine = fineOf(answered.filter((key) => isFaulty(key) && !own.has(key.at)));
  const columns = values.map((_, i) => `v${i}`).join(', ');
  const read = `(SELECT ${columns} FROM temp.raw ${fine})`;
  const found = await connection.runAndReadAll(`SELECT name, number, count(*)::DOUBLE
    FROM ${read} UNPIVOT (number FOR name IN (${columns})) WHERE number IN (${doubles(marks)})
    GROUP BY ALL ORDER BY ALL LIMIT ${MAX_MARKS}`);
  const counted = found.getRows() as [name: string, number: number, count: number][];
  if (counted.length === 0) return [];
  const present = doubles([...new Set(counted.map(([, number]) => number))]);
  const figures = counted.flatMap(([name, number]) => [
    `count(*) FILTER (${name} <> ${number} AND abs(${name} - ${number}) <= ${MARK_NEIGHBOURHOOD * Math.abs(number)})::DOUBLE`,
    ...['min', 'max'].map((aggregate) => `${aggregate}(${name}) FILTER (${name} NOT IN (${present}))`),
  ]);
  const [row] = (await connection.runAndReadAll(`SELECT ${figures.join(', ')} FROM ${read}`)).getRows();
  return counted.map(([name, number, count], i) => {
    const [near, min, max] = row!.slice(3 * i, 3 * i + 3) as [number, number | null, number | null];
    return { value: Number(name.slice(1)), number, count, near, min, max };
  });
}

/** Texts that mean the same in all rows need no join. */
function areAlike([first, ...others]: readonly RowAnswer[], problems: readonly (number | null)[]): boolean {
  const fields = [
    ...LAYOUT.map((field) => (answer: RowAnswer) => answer[field]),
    ...FIELDS.map(({ of }) => of),
  ];
  return (
    first !== undefined &&
    problems.every((problem) => problem === null) &&
    others.every((other) => fields.every((of) => of(other) === of(first)))
  );
}

/** A column of points: a literal where all rows have the same. */
interface PointColumn {
  readonly sql: string;
  readonly isLiteral: boolean;
}

/** A field of the points of a value: of the first key that has it, or of all rows. */
function fieldColumn(
  { name, of, sql = (text) => text }: AnswerField,
  keys: readonly AnsweredKey[],
  constants: RowAnswer,
): PointColumn {
  const literal = (value: DuckDBValue) => sql(typeof value === 'string' ? quoted(value) : String(value));
  const found: PointColumn[] = [];
  for (const { at, answers, fields, problems } of keys) {
    if (!fields.some((field) => field.name === name)) continue;
    const used = new Set(answers.flatMap((one, i) => (problems[i] === null ? [of(one) ?? null] : [])));
    const [only = null] = used;
    if (used.size > 1) found.push({ sql: `k${at}.${name}`, isLiteral: false });
    else if (only !== null) found.push({ sql: literal(only), isLiteral: true });
  }
  const constant = of(constants) ?? null;
  if (constant !== null) found.push({ sql: literal(constant), isLiteral: true });
  if (found.length === 0) return { sql: 'NULL', isLiteral: true };
  if (found[0]!.isLiteral) return found[0]!;
  return { sql: `coalesce(${found.map((one) => one.sql).join(', ')})`, isLiteral: false };
}

const POINT_FIELDS: Readonly<Record<string, string>> = {
  start_day: 'INTEGER',
  start_ms: 'INTEGER',
  days: 'INTEGER',
  end_ms: 'INTEGER',
  unit_id: 'INTEGER',
  reporting_date: 'TIMESTAMP_MS',
  available_date: 'TIMESTAMP_MS',
  metadata: 'VARCHAR',
};

/** Sorts the points of each value. Columns that are the same in all rows are not written: most tables have seven of them. */
function pointsSql(
  rows: NewRows,
  answered: readonly AnsweredKey[],
  { table, codes, hasRejected }: { table: string; codes: SeriesCodes; hasRejected: boolean },
): { readonly create: readonly string[] } & Pick<StagedRows, 'points'> {
  const only =
    hasRejected && rows.values.length > 1 ? `ANTI JOIN ${REJECTED_ROWS} AS r ON r.row = raw.rowid` : '';
  const ofValues = new KeysOfValues(rows.values, answered);
  const values = rows.values.map((_, i) => {
    const keys = ofValues.of(i);
    const columns = new Map(
      FIELDS.map((field) => [field.name, fieldColumn(field, keys, rows.constants)] as const),
    );
    return { i, keys, columns };
  });
  const isOutside = (name: string) => {
    const [first, ...others] = values.map(({ columns }) => columns.get(name)!);
    return first!.isLiteral && others.every(({ sql }) => sql === first!.sql);
  };
  const cast = (name: string, { sql }: PointColumn) => `(${sql})::${POINT_FIELDS[name]} AS ${name}`;
  const inside = Object.keys(POINT_FIELDS).filter((name) => !isOutside(name));
  const outside = Object.keys(POINT_FIELDS).filter(isOutside);
  const shared = answered.filter((key) => ofValues.isShared(key) && !key.isConstant);
  // The common parts of all values are joined once: a plan that repeats the join for each of a hundred takes a second.
  const isWide = values.length > 1 && shared.length > 0;
  const read = isWide ? 'temp.keyed' : 'temp.raw';
  const selects = values.map(({ i, keys, columns }) => {
    const joined = keys.filter((key) => !key.isConstant);
    const fixed = keys
      .filter((key) => key.isConstant)
      .reduce((sum, { answers }) => sum + codes.codeOf(answers[0]!), codes.base);
    const code = [`${fixed}::${codes.type}`, ...joined.map(({ at }) => `k${at}.code`)].join(' + ');
    const [divisor, other] = [columns.get('divisor')!.sql, columns.get('value')!.sql];
    const plain = divisor === 'NULL' ? `v${i}` : `v${i} / coalesce(${divisor}, 1)`;
    const value = other === 'NULL' ? plain : `CASE WHEN v${i} IS NULL THEN ${other} ELSE ${plain} END`;
    const own = isWide ? joined.filter((key) => !ofValues.isShared(key)) : joined;
    return `SELECT ${code} AS series, (${value})::DOUBLE AS value, raw.${isWide ? 'row' : 'rowid'}::INTEGER AS line,
        ${inside.map((name) => cast(name, columns.get(name)!)).join(', ')}
      FROM ${read} AS raw ${own.map((key) => joinOf(key, '', NO_PROBLEM)).join(' ')} ${isWide ? '' : only}`;
  });
  // A table, as a scan of an expression in WITH has all its columns, and each value is one scan.
  const common = `CREATE OR REPLACE TEMP TABLE keyed AS
    SELECT raw.*, raw.rowid AS row, ${shared.map(({ at }) => `k${at}`).join(', ')}
    FROM temp.raw ${shared.map((key) => joinOf(key, '', NO_PROBLEM)).join(' ')} ${only}`;
  const start = inside.includes('start_day') ? ', start_day' : '';
  const added = [
    ...outside.map((name) => cast(name, values[0]!.columns.get(name)!)),
    `${rows.file}::INTEGER AS file`,
    'line::BIGINT AS arrival',
    'rowid AS staged_row',
  ];
  return {
    create: [
      ...(isWide ? [common] : []),
      `CREATE TABLE ${STAGING}.${table} AS FROM (${selects.join(' UNION ALL ')}) ORDER BY series${start}`,
      'DROP TABLE IF EXISTS temp.keyed',
    ],
    points: (from) => `SELECT *, ${added.join(', ')} FROM ${from}`,
  };
}
