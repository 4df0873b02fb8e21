import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { IngestError, shownList } from '../../model/errors.js';
import { MAX_COLUMNS } from '../../model/growth.js';
import { turns } from '../../store/turns.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { HookTable } from '../document/hook.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import {
  DamagedTextError,
  type DelimitedFormat,
  readDelimited,
  splitRecords,
  type TextRecord,
  WHOLE_LINES,
} from './delimited.js';
import { getOrCompute } from './get-or-compute.js';
import {
  describeFirstLine,
  detectFileKind,
  type EntryFilter,
  firstLine,
  type InputText,
  openInput,
  readBeginning,
  totalBytes,
} from './input-files.js';
import { type RowPlan, readTextRows, type TextJob } from './text-rows.js';

export interface TableKind extends DelimitedFormat {
  readonly name: string;
  /** Splits a line into one or more rows of fields, if the table has no delimiter. */
  readonly split?: ((line: string) => readonly (readonly string[])[]) | undefined;
  /** Patterns that a line must match, all of them, to be split. Other lines are rejected. */
  readonly lines?: readonly RegExp[] | undefined;
  readonly comment?: string | undefined;
  readonly end?: RegExp | undefined;
  readonly headerRows?: number | undefined;
  /** Returns the line number of the header; by default, the header is the first record. */
  readonly headerLine?: ((beginning: string) => number) | undefined;
  /** Matches the header of a second table. A file with a second table is rejected. */
  readonly nextHeader?: RegExp | undefined;
  readonly header?: ((beginning: string) => readonly string[]) | undefined;
  /** Reads the names of all columns, if the beginning of a file may lack some. */
  readonly readColumns?: ((chunks: AsyncIterable<Uint8Array>) => Promise<readonly string[]>) | undefined;
  readonly records?:
    | ((chunks: AsyncIterable<Uint8Array>, columns: readonly string[]) => AsyncIterable<TextRecord>)
    | undefined;
  readonly reshape?: ((header: readonly string[], file: string) => ReshapedTable) | undefined;
  /** Whether many small files are read as one table. */
  readonly joins?: boolean | undefined;
  matches(fields: readonly string[], beginning: string): boolean;
}

export interface ReshapedTable {
  readonly header: readonly string[];
  readonly records: (rows: AsyncIterable<TextRecord>) => AsyncIterable<TextRecord>;
}

export interface TableFormat extends TableKind {
  plan(table: HookTable): RowPlan;
}

interface TextsInput extends Pick<ImporterInput, 'files' | 'signal'> {
  readonly dataset: string;
  /** Decides which files of an archive are read; by default, all except documents such as PDF files. */
  readonly wantsEntry?: EntryFilter | undefined;
}

const isNoDocument = (name: string): boolean =>
  !/(^|\/)((readme|licen[cs]e)[^/]*$|__MACOSX\/)|\.(pdf|docx?|html?|md|rtf)$/i.test(name);

/** Reads each file in the first format that its beginning matches. @throws IngestError that names a faulty file */
export async function* readTables(
  input: TextsInput,
  formats: readonly TableFormat[],
  batch: BatchBuilder,
): AsyncGenerator<ImportBatch> {
  const { dataset, files, signal, wantsEntry = isNoDocument } = input;
  if (files.length === 0) throw new IngestError(dataset, `specify the files of "${dataset}" to import`);
  const total = await totalBytes(files, dataset);
  const progress = { bytes: 0, rows: 0 };
  const job: TableJob = { input, formats, batch, progress, joined: null };
  const taken = () =>
    batch.take({ label: `reading ${dataset}`, done: progress.bytes, total, unit: 'bytes', ...progress });
  for (const file of files) {
    const unread: string[] = [];
    const isWanted: EntryFilter = (name, all) => {
      const isRead = wantsEntry(name, all);
      if (!isRead) unread.push(name);
      return isRead;
    };
    for await (const text of openInput(file, { dataset, signal, wantsEntry: isWanted })) {
      for await (const part of readTable(text, job)) {
        await turns.next();
        yield part;
      }
    }
    if (unread.length > 0)
      batch.addNote(`these files in ${basename(file)} are not read: ${shownList(unread, MAX_LISTED_NAMES)}`);
    progress.bytes += await totalBytes([file], dataset);
    if (job.joined === null) yield taken();
  }
  if (job.joined !== null) {
    yield* readJoined(job);
    yield taken();
  }
}

const MAX_LISTED_NAMES = 20;

interface TableJob {
  readonly input: TextsInput;
  readonly formats: readonly TableFormat[];
  readonly batch: BatchBuilder;
  readonly progress: { rows: number };
  /** Files that are read as one table. */
  joined: JoinedTexts | null;
}

interface JoinedTexts extends TextJob {
  readonly format: TableFormat;
  readonly texts: InputText[];
  bytes: number;
}

/** The maximum size of files to combine into one. Combining makes rows about five times as long. */
const MAX_JOINED_BYTES = 64_000_000;

async function* readTable(text: InputText, job: TableJob): AsyncGenerator<ImportBatch> {
  const { dataset } = job.input;
  const { name } = text;
  const where = { dataset, file: name };
  const sample = await readBeginning(text.chunks);
  const format = job.formats.find((kind) => matchesBeginning(kind, sample));
  const found = format && readHeader(sample, format);
  if (!found) {
    const names = [...new Set(job.formats.map((kind) => kind.name))].join(', or ');
    throw tableError(where, `is not ${names}: ${describeFirstLine(firstLine(sample))}`);
  }
  const columns =
    (await format.readColumns?.(text.chunks).catch((error: unknown) => {
      throw damagedTextError(error, where);
    })) ?? found.header;
  if (job.joined !== null && job.joined.format !== format) yield* readJoined(job);
  job.joined ??= joinTexts(text, { job, format, columns, sample, found });
  job.joined.texts.push(text);
  job.joined.bytes += text.bytes;
  if (!format.joins || job.joined.bytes > MAX_JOINED_BYTES) yield* readJoined(job);
}

/** Plans how to read a file, and the files that are later read with it as one table. */
function joinTexts(
  first: InputText,
  { job, format, columns, sample, found: { skip, isBroken } }: OpenedText,
): JoinedTexts {
  const { name } = first;
  const where = { dataset: job.input.dataset, file: name };
  const reshaped = format.reshape?.(columns, name);
  const header = reshaped?.header ?? columns;
  checkColumnCount(header.length, where);
  const plan = format.plan({ file: name, header, sample, skip });
  if (plan.numbers.length === 0) throw tableError(where, 'has no column of figures to read', skip);
  const { delimiter, quotes, nextHeader, records = (chunks) => readRecords(chunks, format, skip) } = format;
  const reshape = reshaped?.records ?? ((rows: AsyncIterable<TextRecord>) => rows);
  const isRewritten = [format.records, format.split, format.comment, format.end, reshaped].some(
    (one) => one !== undefined,
  );
  const texts: InputText[] = [];
  const rows = {
    name,
    records: () =>
      reshape(joinedRecords(texts, (chunks) => records(chunks, columns), { dataset: where.dataset, skip })),
    path: !isRewritten && !isBroken ? (folder: string) => pathOf(first, folder) : undefined,
  };
  const form = { delimiter, quotes, skip, columns: header.length };
  return { format, texts, bytes: 0, rows, form, plan, batch: job.batch, nextHeader };
}

interface OpenedText {
  readonly job: TableJob;
  readonly format: TableFormat;
  readonly columns: readonly string[];
  readonly sample: string;
  readonly found: FoundHeader;
}

async function* readJoined(job: TableJob): AsyncGenerator<ImportBatch> {
  const joined = job.joined!;
  job.joined = null;
  job.progress.rows += yield* readTextRows(joined);
}

/** Returns the path of a file's text, unpacked into `folder`. */
async function pathOf({ path, chunks }: InputText, folder: string): Promise<string> {
  if ((await detectFileKind(path)) === 'plain') return path;
  const written = join(folder, 'text');
  await pipeline(chunks, createWriteStream(written));
  return written;
}

/** Yields the rows of all files. @throws IngestError that names a damaged file */
async function* joinedRecords(
  texts: readonly InputText[],
  records: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<TextRecord>,
  { dataset, skip }: { readonly dataset: string; readonly skip: number },
): AsyncGenerator<TextRecord> {
  for (const { name: file, chunks } of texts)
    try {
      for await (const { fields, line, text, fault } of records(chunks))
        if (line > skip) yield { fields, line, text, fault, file };
    } catch (error) {
      throw damagedTextError(error, { dataset, file });
    }
}

function damagedTextError(error: unknown, where: TableLocation): unknown {
  if (!(error instanceof DamagedTextError)) return error;
  return lineError(where, error.line, error.message);
}

interface FoundHeader {
  readonly header: readonly string[];
  /** The number of lines up to the end of the header. */
  readonly skip: number;
  /** Whether quoted fields in these lines contain line breaks, which the engine counts differently. */
  readonly isBroken: boolean;
}

function readHeader(beginning: string, kind: TableKind): FoundHeader | null {
  const headerLine = kind.headerLine?.(beginning) ?? 0;
  if (kind.header !== undefined) return { header: kind.header(beginning), skip: headerLine, isBroken: false };
  let breaks = 0;
  const rows: (readonly string[])[] = [];
  for (const record of splitText(beginning, kind)) {
    if (isComment(record, kind)) continue;
    const { fields, line } = record;
    const ofRecord = fields.join('').split('\n').length - 1;
    breaks += ofRecord;
    if (line < headerLine) continue;
    rows.push(fields);
    if (rows.length < (kind.headerRows ?? 1)) continue;
    return { header: joinHeaders(rows), skip: line + ofRecord, isBroken: breaks > 0 };
  }
  return null;
}

/** Joins the lines of a header into one name per column, such as `Maize | ($/mt)`. */
export function joinHeaders(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(({ length }) => length));
  const textsOf = (at: number) => rows.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '');
  return Array.from({ length: width }, (_, at) => textsOf(at).join(' | '));
}

export function* splitText(text: string, kind: TableKind): Generator<TextRecord> {
  if (kind.split === undefined) yield* splitRecords(text, 1, kind);
  else for (const line of splitRecords(text, 1, WHOLE_LINES)) yield* rowsOfLine(line, kind);
}

function* rowsOfLine(
  { text = '', line }: TextRecord,
  { split = (whole) => [[whole]], lines = [] }: TableKind,
): Generator<TextRecord> {
  if (text.trim() === '') return;
  const isOther = !lines.every((pattern) => pattern.test(text));
  for (const fields of split(text))
    yield isOther ? { fields: [''], line, text, fault: OTHER_LINE } : { fields, line, text };
}

const OTHER_LINE = 'the line does not have the form that the data set describes';

function readRecords(
  chunks: AsyncIterable<Uint8Array>,
  kind: TableKind,
  skip: number,
): AsyncGenerator<TextRecord> {
  const records = kind.split === undefined ? readDelimited(chunks, kind) : readLines(chunks, kind);
  return kind.comment === undefined && kind.end === undefined ? records : tableRecords(records, kind, skip);
}

async function* tableRecords(
  records: AsyncIterable<TextRecord>,
  kind: TableKind,
  skip: number,
): AsyncGenerator<TextRecord> {
  for await (const record of records) {
    if (isComment(record, kind)) continue;
    if (record.line > skip && isEnd(record, kind)) return;
    yield record;
  }
}

async function* readLines(chunks: AsyncIterable<Uint8Array>, kind: TableKind): AsyncGenerator<TextRecord> {
  // A loop is faster than `yield*`, which wraps each row in additional promises.
  for await (const line of readDelimited(chunks, WHOLE_LINES))
    for (const record of rowsOfLine(line, kind)) yield record;
}

const textOf = ({ text, fields }: TextRecord): string => text ?? fields.join();
const isComment = (record: TextRecord, { comment }: TableKind): boolean =>
  comment !== undefined && textOf(record).startsWith(comment);
const isEnd = (record: TextRecord, { end }: TableKind): boolean => end?.test(textOf(record)) === true;

export function isTable(kinds: readonly TableKind[], beginning: string): boolean {
  return kinds.some((kind) => matchesBeginning(kind, beginning));
}

const matchesBeginning = (kind: TableKind, beginning: string): boolean =>
  kind.matches(readHeader(beginning, kind)?.header ?? [''], beginning);

export interface TableLocation {
  readonly dataset: string;
  readonly file: string;
}

export function tableError({ dataset, file }: TableLocation, what: string, row = 1): IngestError {
  return new IngestError(dataset, `${file} ${what}`, { file, row });
}

export function lineError({ dataset, file }: TableLocation, line: number, what: string): IngestError {
  return new IngestError(dataset, `${file}, line ${line}: ${what}`, { file, row: line });
}

/** @throws IngestError if there are too many columns */
export function checkColumnCount(count: number, where: TableLocation): void {
  if (count <= MAX_COLUMNS) return;
  const [found, most] = [count, MAX_COLUMNS].map((number) => number.toLocaleString('en-US'));
  const what = `has ${found} columns, but at most ${most} can be read; remove columns, or put each value in its own row`;
  throw tableError(where, what);
}

export function hasColumns(header: readonly string[], names: readonly string[]): boolean {
  const present = new Set(header.map((column) => column.toLowerCase()));
  return names.every((name) => present.has(name.toLowerCase()));
}

/** Finds columns by name, ignoring case unless one matches exactly. @throws IngestError if none or several match */
export function columnFinder(header: readonly string[], where: TableLocation): (name: string) => number {
  const positions = (nameOf: (column: string) => string): ReadonlyMap<string, readonly number[]> => {
    const found = new Map<string, number[]>();
    for (const [at, column] of header.entries())
      getOrCompute(found, nameOf(column), (): number[] => []).push(at);
    return found;
  };
  const exact = positions((column) => column);
  const folded = positions((column) => column.toLowerCase());
  return (name) => {
    const found = exact.get(name) ?? folded.get(name.toLowerCase()) ?? [];
    if (found.length === 1) return found[0]!;
    const columns =
      found.length > 1
        ? `has the column "${name}" ${found.length} times (columns ${found.map((at) => at + 1).join(' and ')}); rename all but one`
        : `has no column "${name}"; ${describeFirstLine(header.join(', '), 'its columns are')}`;
    throw tableError(where, columns);
  };
}
