import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { IngestError, shownList } from '../../model/errors.js';
import { turns } from '../../store/turns.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { FormKeys } from '../document/form.js';
import type { HookTable } from '../document/hook.js';
import { cellAddress, checkResults } from '../document/typed/sheet-rows.js';
import { beginningOf, openTypedFile, type TypedFile } from '../document/typed/typed-file.js';
import {
  ALL_COLUMNS,
  type TypedTable,
  type TypedTableOptions,
  typedFileError,
} from '../document/typed/typed-table.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import { checkColumnCount, joinHeaders, lineError, type TableLocation, tableError } from './columns.js';
import {
  DamagedTextError,
  type DelimitedFormat,
  readDelimited,
  splitRecords,
  type TextRecord,
  WHOLE_LINES,
} from './delimited.js';
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
import { type RowPlan, type RowTarget, readTextRows, type TextRows } from './text-rows.js';

export interface TableKind extends DelimitedFormat {
  readonly name: string;
  /** Splits a line into one or more rows of fields, if the table has no delimiter. */
  readonly split?: ((line: string) => readonly (readonly string[])[]) | undefined;
  /** Patterns, all of which a line must match in order to be split. Other lines are rejected. */
  readonly lines?: readonly RegExp[] | undefined;
  readonly comment?: string | undefined;
  readonly end?: RegExp | undefined;
  readonly headerRows?: number | undefined;
  /** Returns the line number of the header; by default, the header is the first record. */
  readonly headerLine?: ((beginning: string) => number) | undefined;
  /** Matches the header of a second table. If set, even a table with the same columns is refused. */
  readonly nextHeader?: RegExp | undefined;
  readonly header?: ((beginning: string) => readonly string[]) | undefined;
  /** Reads the names of all columns, if the beginning of a file may lack some of them. */
  readonly readColumns?: ((chunks: AsyncIterable<Uint8Array>) => Promise<readonly string[]>) | undefined;
  readonly records?:
    | ((chunks: AsyncIterable<Uint8Array>, columns: readonly string[]) => AsyncIterable<TextRecord>)
    | undefined;
  readonly reshape?: ((header: readonly string[], file: string) => ReshapedTable) | undefined;
  /** Whether small files are combined and read as one table. */
  readonly joins?: boolean | undefined;
  matches(fields: readonly string[], beginning: string): boolean;
}

export interface ReshapedTable {
  readonly header: readonly string[];
  readonly records: (rows: AsyncIterable<TextRecord>) => AsyncIterable<TextRecord>;
}

export interface TableFormat extends TableKind {
  /** Options for opening Parquet files and workbooks. */
  readonly typed?: Partial<Pick<TypedTableOptions, 'decimal'> & Pick<FormKeys, 'sheet'>> | undefined;
  plan(table: HookTable): RowPlan;
}

interface TextsInput extends Pick<ImporterInput, 'files' | 'signal' | 'putRows'> {
  readonly dataset: string;
  /** Decides which files in an archive are read; by default, all except documents such as PDF files. */
  readonly wantsEntry?: EntryFilter | undefined;
}

/** Checks that a file in an archive is not a document such as a licence or a PDF file. */
export const isNoDocument = (name: string): boolean =>
  !/(^|\/)((readme|licen[cs]e)[^/]*$|__MACOSX\/)|\.(pdf|docx?|html?|md|rtf)$/i.test(name);

/** Reads each file using the first format that matches its beginning. @throws IngestError that names a faulty file */
export async function* readTables(
  { dataset, files, signal, wantsEntry = isNoDocument, putRows }: TextsInput,
  formats: readonly TableFormat[],
  batch: BatchBuilder,
): AsyncGenerator<ImportBatch> {
  if (files.length === 0) throw new IngestError(dataset, `specify the files of "${dataset}" to import`);
  const total = await totalBytes(files, dataset);
  const progress = { bytes: 0, rows: 0 };
  const taken = () =>
    batch.take({ label: `reading ${dataset}`, done: progress.bytes, total, unit: 'bytes', ...progress });
  const open: JoinedTable[] = [];
  async function* readJoined(): AsyncGenerator<ImportBatch> {
    for (const { rows, plan } of open.splice(0))
      progress.rows += yield* readTextRows(rows, plan, { batch, putRows });
  }
  for (const file of files) {
    const typed = await openTypedFile(file);
    if (typed !== null)
      progress.rows += yield* readTypedTable(typed, basename(file), {
        dataset,
        formats,
        signal,
        batch,
        putRows,
      });
    const unread: string[] = [];
    const isWanted: EntryFilter = (name, all) => {
      const isRead = wantsEntry(name, all);
      if (!isRead) unread.push(name);
      return isRead;
    };
    for await (const text of typed === null
      ? openInput(file, { dataset, signal, wantsEntry: isWanted })
      : []) {
      await turns.next();
      const found = await findTable(text, dataset, formats);
      if (open[0]?.format !== found.format) yield* readJoined();
      const joined = open[0] ?? planTable(text, found);
      open[0] = joined;
      joined.texts.push(text);
      joined.bytes += text.bytes;
      if (!found.format.joins || joined.bytes > MAX_JOINED_BYTES) yield* readJoined();
    }
    if (unread.length > 0)
      batch.addNote(`these files in ${basename(file)} are not read: ${shownList(unread, MAX_LISTED_NAMES)}`);
    progress.bytes += await totalBytes([file], dataset);
    if (open.length === 0) yield taken();
  }
  if (open.length === 0) return;
  yield* readJoined();
  yield taken();
}

const MAX_LISTED_NAMES = 20;

/** Reads a Parquet file or workbook using the first format that matches its beginning, or else the last format. */
async function* readTypedTable(
  file: TypedFile,
  name: string,
  {
    dataset,
    formats,
    signal,
    ...target
  }: Omit<TextsInput, 'files'> & RowTarget & { formats: readonly TableFormat[] },
): AsyncGenerator<ImportBatch, number> {
  const begun: BegunTable[] = [];
  for (const table of await file.tables()) begun.push({ table, sample: await beginningOf(table) });
  const isMatched = (kind: TableFormat) =>
    begun.some(({ sample }) => matchesBeginning(asTyped(kind, file.kind), sample));
  const format = formats.find(isMatched) ?? formats.at(-1)!;
  const { decimal = '.', sheet } = format.typed ?? {};
  const { table, sample } = chooseTable(name, begun, sheet);
  const found = headerOf(sample, asTyped(format, file.kind), { dataset, file: name }, formats);
  const { header, skip } = found;
  const plan = format.plan({ file: name, header, sample, skip, isTyped: true });
  const options = { decimal, wantsColumn: plan.reads ?? ALL_COLUMNS.wantsColumn, signal };
  const rows = {
    name,
    form: { delimiter: ',', quotes: true, skip: 0, columns: header.length },
    records: () => rowsAfter(found, table, { file: name, options, batch: target.batch }),
    path: table.write && ((folder: string) => table.write!(folder, options)),
    nextHeader: format.nextHeader,
  };
  return yield* readTextRows(rows, plan, target);
}

interface BegunTable {
  readonly table: TypedTable;
  readonly sample: string;
}

/** Chooses the sheet named `wanted` or, by default, the only sheet with cells. @throws IngestError that lists sheets */
function chooseTable(file: string, tables: readonly BegunTable[], wanted: string | undefined): BegunTable {
  const chosen = tables.filter(({ table, sample }) =>
    wanted === undefined || table.columns !== undefined ? sample !== '' : table.name === wanted,
  );
  const [only, ...others] = chosen;
  if (only !== undefined && others.length === 0) return only;
  const names = tables.map(({ table }) => `"${table.name}"`).join(', ');
  if (wanted !== undefined) throw typedFileError(file, `has no sheet "${wanted}"; its sheets are ${names}`);
  if (only === undefined) throw typedFileError(file, 'has no sheet with cells');
  const remedy = `specify the one to read in the document ("sheet": ${names.split(', ')[0]})`;
  throw typedFileError(file, `has several sheets: ${names}; ${remedy}`);
}

/** Yields the rows after the header, each as long as the header. @throws IngestError for a formula without a result */
async function* rowsAfter(
  { header, skip }: ReturnType<typeof headerOf>,
  table: TypedTable,
  { file, options, batch }: { file: string; options: TypedTableOptions; batch: BatchBuilder },
): AsyncGenerator<TextRecord> {
  let isNoted = false;
  checkResults(file, table.name, { fields: header, line: skip }, () => true);
  for await (const record of table.rows(options)) {
    const { fields, line } = record;
    if (line <= skip) continue;
    checkResults(file, table.name, record, options.wantsColumn);
    if (fields.length > header.length && !isNoted) {
      const cell = cellAddress(line, fields.length - 1);
      batch.addNote(`${file}: cells to the right of the header, such as ${cell}, are not read`);
      isNoted = true;
    }
    const cells = header.map((_, at) => fields[at] ?? '');
    if (table.columns !== undefined || cells.some((text) => text !== '')) yield { fields: cells, line };
  }
}

/**
 * Returns the table kind for reading a Parquet file or workbook after its conversion to comma-separated text. For a
 * Parquet file, the first line is the header.
 */
function asTyped(table: TableKind, kind: TypedFile['kind']): TableKind {
  const { header, headerLine: lineIn } = kind === 'parquet' ? ({} as Partial<TableKind>) : table;
  const headerLine = lineIn && ((beginning: string) => lineIn(withoutQuotes(beginning)));
  return { ...table, delimiter: ',', quotes: true, split: undefined, header, headerLine };
}

/** Removes the quotes around a sheet's cells, so that patterns for plain comma-separated text match its rows. */
export function withoutQuotes(text: string): string {
  const cellsOf = (line: string) =>
    [...splitRecords(line, 1, { delimiter: ',', quotes: true })].flatMap(({ fields }) => fields);
  return text
    .split('\n')
    .map((line) => cellsOf(line).join())
    .join('\n');
}

interface JoinedTable {
  readonly format: TableFormat;
  readonly rows: TextRows;
  readonly plan: RowPlan;
  readonly texts: InputText[];
  bytes: number;
}

/** The maximum total size of files to combine, in bytes. Combined rows take about five times as much space. */
const MAX_JOINED_BYTES = 64_000_000;

async function findTable(text: InputText, dataset: string, formats: readonly TableFormat[]) {
  const where = { dataset, file: text.name };
  const sample = await readBeginning(text.chunks);
  const format = formats.find((kind) => matchesBeginning(kind, sample));
  const found = headerOf(sample, format, where, formats);
  const columns =
    (await format!.readColumns?.(text.chunks).catch((error: unknown) => {
      throw damagedTextError(error, where);
    })) ?? found.header;
  return { ...found, where, format: format!, columns, sample };
}

/** Finds the header of a table. @throws IngestError if there is none */
function headerOf(
  sample: string,
  kind: TableKind | undefined,
  where: TableLocation,
  kinds: readonly TableKind[],
) {
  const found = kind && readHeader(sample, kind);
  if (found) return found;
  const names = [...new Set(kinds.map(({ name }) => name))].join(', or ');
  throw tableError(where, `is not ${names}: ${describeFirstLine(firstLine(sample))}`);
}

/** Plans how to read a file, together with any later files that are combined with it into one table. */
function planTable(
  first: InputText,
  { where, format, columns, sample, skip, isBroken }: Awaited<ReturnType<typeof findTable>>,
): JoinedTable {
  const { name } = first;
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
    records: () => reshape(joinedRecords(texts, (chunks) => records(chunks, columns), { ...where, skip })),
    path: !isRewritten && !isBroken ? (folder: string) => pathOf(first, folder) : undefined,
    form: { delimiter, quotes, skip, columns: header.length },
    nextHeader,
  };
  return { format, texts, bytes: 0, rows, plan };
}

/** Returns the path to a file's uncompressed text. Compressed files are first unpacked into `folder`. */
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

/**
 * Finds a table's header, which ends after `skip` lines. If `isBroken` is true, quoted fields in those lines contain
 * line breaks, which the engine counts differently.
 */
function readHeader(beginning: string, kind: TableKind) {
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

function readRecords(chunks: AsyncIterable<Uint8Array>, kind: TableKind, skip: number) {
  const records = kind.split === undefined ? readDelimited(chunks, kind) : readLines(chunks, kind);
  return kind.comment === undefined && kind.end === undefined ? records : tableRecords(records, kind, skip);
}

async function* tableRecords(records: AsyncIterable<TextRecord>, kind: TableKind, skip: number) {
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

/** Checks, from the beginning of a file's text, whether the file is a table of one of the given kinds. */
export function isTable(
  kinds: readonly TableKind[],
  beginning: string,
  typed: TypedFile['kind'] | undefined,
): boolean {
  return kinds.some((kind) => matchesBeginning(typed === undefined ? kind : asTyped(kind, typed), beginning));
}

const matchesBeginning = (kind: TableKind, beginning: string): boolean =>
  kind.matches(readHeader(beginning, kind)?.header ?? [''], beginning);
