import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import type { NewRows, ReadRows } from '../../store/store.js';
import { makeTemporaryFolder } from '../../store/temporary-files.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, ImportedRow, ImporterInput } from '../importer.js';
import type { DelimitedFormat, TextRecord } from './delimited.js';

/** Describes how a table's rows become points. The default partner region is the world. */
export interface RowPlan
  extends Pick<NewRows, 'dimensions' | 'numbers'>,
    Partial<Pick<NewRows, 'check' | 'constants' | 'header' | 'marks'>> {
  readonly notRead?: readonly string[] | undefined;
  /** Checks whether a column is read, by its position (default: all are). */
  readonly reads?: ((column: number) => boolean) | undefined;
  readonly noteOnMarks?: ((marks: NonNullable<ReadRows['marks']>) => readonly string[]) | undefined;
}

interface RowForm extends DelimitedFormat {
  readonly skip: number;
  readonly columns: number;
}

export interface TextRows {
  readonly name: string;
  readonly form: RowForm;
  readonly records: () => AsyncIterable<TextRecord>;
  /** Returns the path of a delimited file for the engine. The file may be written to `folder` first. */
  readonly path?: ((folder: string) => Promise<string>) | undefined;
  /** Matches the header of a second table. If set, even a repeated header is refused. */
  readonly nextHeader?: RegExp | undefined;
}

/** The destination of a table's rows. */
export interface RowTarget extends Pick<ImporterInput, 'putRows'> {
  readonly batch: BatchBuilder;
}

/** Passes the rows of a table to the store, which reads them in the engine. Returns the number of rows. */
export async function* readTextRows(rows: TextRows, plan: RowPlan, { batch, putRows }: RowTarget) {
  const file = batch.beginText({ name: rows.name, rows: () => wholeRows(rows) });
  // Rows may override this default: the world has the lowest id, so it adds 0 to a series' number in the store.
  const constants = { partner_region_id: WORLD_REGION_ID, ...plan.constants };
  const table = { ...rows.form, file, ...plan, constants };
  const folder = await makeTemporaryFolder();
  try {
    const clean = async (): Promise<NewRows> => {
      const path = join(folder, 'clean');
      await pipeline(cleanText(rows.records()), createWriteStream(path));
      return { ...table, path, delimiter: ',', quotes: true, hasLongRows: true, skip: 0 };
    };
    let read = await putRows(
      rows.path === undefined ? await clean() : { ...table, path: await rows.path(folder) },
    );
    // The engine cannot read a file in another encoding or with misplaced quotes, so a clean copy is written for it.
    if (read.rows === 0) read = await putRows(await clean());
    yield* account(read, { rows, plan, batch });
    return read.rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks whether a row has two or more extra fields, not counting an empty last field. The store skips such rows. */
function isBroken(fields: readonly string[], columns: number): boolean {
  return fields.length > columns + 2 || (fields.length === columns + 2 && fields.at(-1) !== '');
}

async function* wholeRows({ records, form }: TextRows): AsyncGenerator<ImportedRow> {
  for await (const record of records())
    if (!isBroken(record.fields, form.columns))
      yield { line: record.line, text: rowText(record, form), file: record.file };
}

const quotedField = (field: string): string =>
  `"${field.includes('"') ? field.replaceAll('"', '""') : field}"`;

/** Returns a row's original text or, if that is not stored, its fields, joined and quoted where necessary. */
export function rowText({ fields, text }: TextRecord, { delimiter }: Pick<RowForm, 'delimiter'>): string {
  const needsQuotes = (field: string) => field.includes(delimiter) || /["\r\n]/.test(field);
  return text ?? fields.map((field) => (needsQuotes(field) ? quotedField(field) : field)).join(delimiter);
}

async function* cleanText(records: AsyncIterable<TextRecord>): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const { fields } of records) {
    lines.push(`${fields.map(quotedField).join(',')}\n`);
    if (lines.length < 1000) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** Counts rows, and yields the rejected rows. @throws IngestError if a rejected row is the header of a second table */
async function* account(
  read: ReadRows,
  { plan, rows, batch }: { plan: RowPlan; rows: TextRows; batch: BatchBuilder },
): AsyncGenerator<ImportBatch> {
  const { name, records, form, nextHeader } = rows;
  const { notRead = [], header = [] } = plan;
  const values = plan.numbers.length + notRead.length;
  batch.countRows(read.rows * values);
  for (const [kind, count] of read.notRead) batch.countNotRead(kind, count);
  const rejected = read.rejected.length + read.broken;
  for (const column of notRead) batch.countNotRead(column, read.rows - rejected);
  for (const note of plan.noteOnMarks?.(read.marks ?? []) ?? []) batch.addNote(note);
  if (read.rows === 0) batch.addNote(`${name} has a header but no rows`);
  if (rejected === 0) return;
  let row = 0;
  let found = 0;
  let passed = 0;
  const take = (): ImportBatch => ({
    ...batch.take({ label: `rejecting rows of ${name}`, done: passed, total: rejected, unit: 'rows' }),
    stillRejected: (rejected - passed) * values,
    isEnded: read.isEnded,
  });
  for await (const record of records()) {
    const { fields, line, fault, file = name } = record;
    const isCounted = !isBroken(fields, form.columns);
    const stated = isCounted && read.rejected[found]?.row === row ? read.rejected[found++] : undefined;
    if (isCounted) row++;
    const reason =
      fields.length === form.columns
        ? stated?.reason
        : (fault ??
          `the row has ${fields.length} fields, but ${form.skip === 0 ? 'rows have' : 'the header has'} ${form.columns}`);
    if (reason === undefined) continue;
    const text = rowText(record, form);
    const named = header.filter((name, at) => name !== '' && name === fields[at]).length;
    const isOther = fields.some((text, at) => text !== header[at]);
    if (nextHeader?.test(text) || (2 * named >= header.length && named > 0 && (nextHeader ?? isOther))) {
      const why =
        nextHeader === undefined ? 'its columns differ' : 'the lines before each header describe its table';
      const message = `line ${line} of ${file} is the header of another table; split the file, because ${why}`;
      throw new IngestError('table', message, { file, row: line });
    }
    batch.reject({ file, line, reason, text, ...(values > 1 && { values }) });
    passed++;
    if (batch.isFull) yield take();
  }
  if (read.isEnded) yield take();
}
