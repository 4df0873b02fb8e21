import { basename } from 'node:path';
import { IngestError } from '../../model/errors.js';
import { turns } from '../../store/turns.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import { type DelimitedFormat, splitRecords } from './delimited.js';
import { type InputText, openInput, totalBytes } from './input-files.js';
import { firstRecordKeys, readJsonRecords } from './json-records.js';
import { DamagedTextError } from './line-blocks.js';
import { describeFirstLine, peekText } from './peek.js';
import { type RowPlan, readTextRows, reopened } from './text-rows.js';

/** A kind of table of a data set, detected by its header. */
export interface TableKind extends DelimitedFormat {
  /** The name in messages. */
  readonly name: string;
  /** Whether it is a list of records in JSON, whose keys are the header, instead of delimited text. */
  readonly json?: boolean | undefined;
  /** The line of the header, counted from 1 (default: the first record); what stands before it is not read. */
  readonly headerLine?: number | ((sample: string) => number) | undefined;
  /** Whether a header with these fields is of this kind. */
  matches(fields: readonly string[]): boolean;
}

/** A kind of table, and what its rows mean. */
export interface TableFormat extends TableKind {
  /** How the store reads the rows, by the header and the beginning of the text. */
  planRows(header: readonly string[], text: { name: string; sample: string }): RowPlan;
}

/** How much of all files has been read. */
export class ReadingProgress {
  bytes = 0;
  rows = 0;

  readonly #label: string;
  readonly #totalBytes: number;

  constructor(label: string, totalBytes: number) {
    this.#label = label;
    this.#totalBytes = totalBytes;
  }

  snapshot(): NonNullable<ImportBatch['progress']> {
    const { bytes, rows } = this;
    return { label: this.#label, done: bytes, total: this.#totalBytes, unit: 'bytes', rows, bytes };
  }
}

interface TextsInput extends Pick<ImporterInput, 'files' | 'signal'> {
  readonly dataset: string;
  /** Which files of an archive are read (default: all but documents); the others are named in a note. */
  readonly wantsEntry?: ((name: string) => boolean) | undefined;
}

const isNoDocument = (name: string): boolean =>
  !/(^|\/)(readme|licen[cs]e)[^/]*$|\.(pdf|docx?|html?|md|rtf)$/i.test(name);

/** Reads the texts of all files with one reader; yields each full batch, and one at the end of each file. */
export async function* readTexts(
  { dataset, files, signal, wantsEntry = isNoDocument }: TextsInput,
  batch: BatchBuilder,
  readText: (text: InputText, progress: ReadingProgress) => AsyncIterable<ImportBatch | undefined>,
): AsyncGenerator<ImportBatch> {
  if (files.length === 0) throw new IngestError(dataset, `name the files of "${dataset}" to import`);
  const progress = new ReadingProgress(`reading ${dataset}`, await totalBytes(files, dataset));
  const onBytes = (bytes: number): void => {
    progress.bytes += bytes;
  };
  let before = 0;
  for (const file of files) {
    before += await totalBytes([file], dataset);
    const unread: string[] = [];
    const options = {
      dataset,
      signal,
      onBytes,
      wantsEntry: (name: string) => {
        const isWanted = wantsEntry(name);
        if (!isWanted) unread.push(name);
        return isWanted;
      },
    };
    for await (const text of openInput(file, options)) {
      batch.beginText({ name: text.name, path: text.path });
      try {
        for await (const part of readText(text, progress)) {
          await turns.next();
          if (part) yield part;
          else if (batch.isFull) yield batch.take(progress.snapshot());
        }
      } catch (error) {
        throw error instanceof DamagedTextError ? damagedTextError(dataset, text.name, error) : error;
      }
    }
    if (unread.length > 0)
      batch.addNote(`of ${basename(file)} these files are not read: ${unread.join(', ')}`);
    // The store reads texts by itself.
    progress.bytes = Math.max(progress.bytes, before);
    yield batch.take(progress.snapshot());
  }
}

function damagedTextError(dataset: string, file: string, { line, message }: DamagedTextError): IngestError {
  return new IngestError(dataset, `${file}, line ${line}: ${message}`, { file, row: line });
}

/**
 * Reads delimited texts, each in the format that its header matches.
 * @throws IngestError that names the file when its header matches none, or a quoted field is never closed
 */
export function readTables(
  input: TextsInput,
  formats: readonly TableFormat[],
  batch: BatchBuilder,
): AsyncGenerator<ImportBatch> {
  return readTexts(input, batch, (text, progress) => readTable(text, { input, formats, batch, progress }));
}

interface TableJob {
  readonly input: TextsInput;
  readonly formats: readonly TableFormat[];
  readonly batch: BatchBuilder;
  readonly progress: ReadingProgress;
}

async function* readTable(text: InputText, job: TableJob): AsyncGenerator<ImportBatch | undefined> {
  const { input, batch } = job;
  const { head, sample: read, chunks } = await peekText(text.chunks);
  const sample = withLineFeeds(read);
  const format = job.formats.find((kind) => matchesBeginning(kind, sample));
  const found = format && readHeader(sample, format, headerLineOf(format, sample));
  if (!found) throw unknownHeaderError(input.dataset, text.name, head, job.formats);
  const { header, skip } = found;
  const form = { ...format, skip, columns: header.length };
  const plan = format.planRows(header, { name: text.name, sample });
  if (format.json) batch.ignoreLines();
  const rows = format.json
    ? { name: text.name, records: () => reopened(text, readJsonRecords, input) }
    : { ...text, chunks };
  yield* readTextRows(rows, { form, plan }, { ...input, batch, progress: job.progress });
}

/** The header in the beginning of a text, and how many lines there are up to its end; null where it is not there. */
function readHeader(
  beginning: string,
  kind: TableKind,
  headerLine = 1,
): { header: readonly string[]; skip: number } | null {
  if (kind.json) return { header: firstRecordKeys(beginning), skip: 0 };
  for (const { fields, line } of splitRecords(beginning, 1, kind)) {
    if (line < headerLine) continue;
    const breaks = fields.join('').split('\n').length - 1;
    return { header: fields.map((name) => name.trim()), skip: line + breaks };
  }
  return null;
}

const headerLineOf = ({ headerLine = 1 }: TableKind, sample: string): number =>
  typeof headerLine === 'number' ? headerLine : headerLine(sample);

/** Whether a text with this beginning is a table of one of these kinds. */
export function isTable(kinds: readonly TableKind[], beginning: string): boolean {
  const text = withLineFeeds(beginning);
  return kinds.some((kind) => matchesBeginning(kind, text));
}

/** The beginning of a text without a byte order mark, whose lines may end with carriage returns alone. */
function withLineFeeds(beginning: string): string {
  const text = beginning.replace(/^\uFEFF/, '');
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

const matchesBeginning = (kind: TableKind, beginning: string): boolean =>
  kind.matches(readHeader(beginning, kind)?.header ?? ['']);

function unknownHeaderError(
  dataset: string,
  file: string,
  head: string,
  formats: readonly TableFormat[],
): IngestError {
  const names = formats.map(({ name }) => name).join(', or ');
  return new IngestError(dataset, `${file} is not ${names}: ${describeFirstLine(head)}`, { file, row: 1 });
}

/** The table that an error about a missing column names. */
interface TableLocation {
  readonly dataset: string;
  readonly file: string;
}

/**
 * The positions of the columns that `columns` names, by field; -1 where the name is null.
 * @throws IngestError when the header does not have a named column
 */
export function findColumns<Field extends string>(
  header: readonly string[],
  columns: Readonly<Record<Field, string | null>>,
  where: TableLocation,
): Readonly<Record<Field, number>> {
  const named = Object.entries(columns) as [Field, string | null][];
  const indexes = named.map(([field, name]) => [field, name === null ? -1 : findColumn(header, name, where)]);
  return Object.fromEntries(indexes) as Record<Field, number>;
}

/** Whether a header has all of these columns; upper and lower case are equal. */
export function hasColumns(header: readonly string[], names: readonly string[]): boolean {
  const present = new Set(header.map((column) => column.toLowerCase()));
  return names.every((name) => present.has(name.toLowerCase()));
}

/**
 * The position of a column; upper and lower case are equal, unless one column has the name exactly.
 * @throws IngestError when the header does not have it, or has it more than once
 */
export function findColumn(header: readonly string[], name: string, where: TableLocation): number {
  const exact = positionsOf(name, header);
  const found = exact.length > 0 ? exact : positionsOf(name.toLowerCase(), header.map(lowered));
  if (found.length === 1) return found[0]!;
  const { dataset, file } = where;
  if (found.length > 1) {
    const columns = found.map((at) => at + 1).join(' and ');
    throw new IngestError(
      dataset,
      `${file} has the column "${name}" ${found.length} times (columns ${columns}); rename all but one`,
      { file, row: 1 },
    );
  }
  const columns = describeFirstLine(header.join(', '), 'its columns are');
  throw new IngestError(dataset, `${file} has no column "${name}"; ${columns}`, { file, row: 1 });
}

const lowered = (column: string): string => column.toLowerCase();

function positionsOf(name: string, header: readonly string[]): number[] {
  return header.flatMap((column, at) => (column === name ? [at] : []));
}
