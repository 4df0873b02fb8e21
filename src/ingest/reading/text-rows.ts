import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NewRows, ReadRows, RowAnswer, RowKey } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import { type DelimitedFormat, readDelimited, type TextRecord } from './delimited.js';
import { detectFileKind, type InputText, openInput } from './input-files.js';

/** How the rows of a text become points. */
export interface RowPlan extends Pick<NewRows, 'keys' | 'values' | 'constants'> {
  /** The names of the columns of values that are not read, where the importer counts values. */
  readonly notRead?: readonly string[] | undefined;
}

interface RowForm extends DelimitedFormat {
  /** Lines before the first row. */
  readonly skip: number;
  readonly columns: number;
}

interface TextJob extends Pick<ImporterInput, 'signal'> {
  readonly dataset: string;
  readonly batch: BatchBuilder;
  readonly progress: { rows: number };
}

/** A key whose texts cannot be used where `resolve` throws a RowError, or the value is not finite. */
export function rowKey(key: RowKey): RowKey {
  return {
    ...key,
    resolve(texts, details): RowAnswer {
      try {
        const answer = key.resolve(texts, details);
        if (Math.abs(answer.value ?? 0) === Number.POSITIVE_INFINITY)
          throw new RowError('the value is too large');
        return answer;
      } catch (error) {
        if (error instanceof RowError) return { rejected: error.message };
        throw error;
      }
    },
  };
}

/** Rows that are no delimited text, from their beginning. */
interface OtherRows {
  readonly name: string;
  readonly records: () => AsyncIterable<TextRecord> | Iterable<TextRecord>;
}

/** Has the store read the rows of a text, and accounts for them in the batch. */
export async function* readTextRows(
  text: InputText | OtherRows,
  { form, plan }: { form: RowForm; plan: RowPlan },
  job: TextJob,
): AsyncGenerator<ImportBatch> {
  const { batch } = job;
  const file = batch.textNumber;
  const records =
    'records' in text ? text.records : () => reopened(text, (chunks) => delimitedRecords(chunks, form), job);
  batch.findLines(async () => (await RowLines.read(records(), form)).lineOf);
  const table = { ...form, file, ...plan };
  const folder = await mkdtemp(join(tmpdir(), 'cropframe-text-'));
  try {
    const clean = async (): Promise<NewRows> => {
      const path = join(folder, 'clean');
      await pipeline(Readable.from(cleanText(records())), createWriteStream(path));
      return { ...table, path, delimiter: ',', quotes: true, hasLongRows: true, skip: 0 };
    };
    let read = yield* given(
      'records' in text ? await clean() : { ...table, path: await textPath(text, folder) },
    );
    // The text is in another encoding, or has quotes where none should be: it is written again as it is read here.
    if (read.broken.some(({ kind }) => kind === 'damage')) read = yield* given(await clean());
    job.progress.rows += read.rows;
    await account(read, { plan, form, records, name: text.name, batch });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* given(table: NewRows): AsyncGenerator<ImportBatch, ReadRows> {
  let read: ReadRows | undefined;
  yield {
    rows: {
      table,
      onRead(rows) {
        read = rows;
      },
    },
  };
  if (read === undefined) throw new Error('a batch of rows was not read');
  return read;
}

/** Where a text is by itself: one that is compressed is written into the folder. */
async function textPath({ path, chunks }: InputText, folder: string): Promise<string> {
  if ((await detectFileKind(path)) === 'plain') return path;
  const written = join(folder, 'text');
  await pipeline(Readable.from(chunks), createWriteStream(written));
  return written;
}

/** The rows of a text, from its beginning. */
export async function* reopened(
  { path, name }: InputText,
  recordsOf: (chunks: InputText['chunks']) => AsyncIterable<TextRecord>,
  { dataset, signal }: Pick<TextJob, 'dataset' | 'signal'>,
): AsyncGenerator<TextRecord> {
  for await (const text of openInput(path, { dataset, signal })) {
    if (text.name !== name) continue;
    yield* recordsOf(text.chunks);
    return;
  }
}

async function* delimitedRecords(chunks: InputText['chunks'], form: RowForm): AsyncGenerator<TextRecord> {
  for await (const records of readDelimited(chunks, form))
    for (const record of records) if (record.line > form.skip) yield record;
}

/** Whether the store counts no row: it does where a field is empty after one more than there should be. */
function isBroken(fields: readonly string[], columns: number): boolean {
  return fields.length > columns + 2 || (fields.length === columns + 2 && fields.at(-1) !== '');
}

/** The lines of rows, of which those with another number of fields are none. */
class RowLines {
  /** The first row from which on lines are that much ahead of rows. */
  readonly #steps: { readonly row: number; readonly ahead: number }[] = [];

  static async read(
    records: AsyncIterable<TextRecord> | Iterable<TextRecord>,
    { columns }: RowForm,
  ): Promise<RowLines> {
    const lines = new RowLines();
    let row = 0;
    for await (const { fields, line } of records) {
      if (isBroken(fields, columns)) continue;
      if (lines.#steps.at(-1)?.ahead !== line - row) lines.#steps.push({ row, ahead: line - row });
      row++;
    }
    return lines;
  }

  readonly lineOf = (row: number): number =>
    row + (this.#steps.findLast((step) => step.row <= row)?.ahead ?? 0);
}

const quotedField = (field: string): string => `"${field.replaceAll('"', '""')}"`;

async function* cleanText(records: AsyncIterable<TextRecord> | Iterable<TextRecord>): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const { fields } of records) {
    lines.push(`${fields.map(quotedField).join(',')}\n`);
    if (lines.length < 1000) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

interface Account extends OtherRows {
  readonly plan: RowPlan;
  readonly form: RowForm;
  readonly batch: BatchBuilder;
}

async function account(read: ReadRows, { plan, form, records, name, batch }: Account): Promise<void> {
  const { notRead = [] } = plan;
  const values = plan.values.length + notRead.length;
  batch.countRows(read.rows * values);
  for (const [kind, count] of read.notRead) batch.countNotRead(kind, count);
  const rejected = read.rejected.length + read.broken.length;
  for (const column of notRead) batch.countNotRead(column, read.rows - rejected);
  if (read.rows === 0) batch.addNote(`${name} has a header and no rows`);
  if (rejected === 0) return;
  const reasons = new Map(read.rejected.map(({ row, reason }) => [row, reason]));
  let row = 0;
  for await (const { fields, line } of records()) {
    const reason =
      fields.length !== form.columns
        ? `the row has ${fields.length} fields, but ${form.skip === 0 ? 'rows have' : 'the header has'} ${form.columns}`
        : reasons.get(row);
    if (!isBroken(fields, form.columns)) row++;
    if (reason === undefined) continue;
    const text = formatFields(fields, form.delimiter);
    batch.reject({ file: name, line, reason, text, values: values === 1 ? undefined : values });
  }
}

/** A row as its file may have it: fields with a delimiter, a quote or a line end in quotes. */
export function formatFields(fields: readonly string[], delimiter: string): string {
  const needsQuotes = (field: string) => field.includes(delimiter) || /["\r\n]/.test(field);
  return fields.map((field) => (needsQuotes(field) ? quotedField(field) : field)).join(delimiter);
}
