import { type FileHandle, open, rm } from 'node:fs/promises';
import type { ImportOptions, RejectedRow } from '../../ingest/importer.js';
import { firstBytes } from '../../ingest/reading/input-files.js';
import { fileFailure } from '../../model/file-failure.js';
import type { DatasetDocument, ImporterSettings } from '../../model/importing/job.js';
import type { StoredFetch } from '../../store/import-records.js';
import type { ImportRequest } from '../commands/importing.js';
import { type CommandIo, clearProgress, writeLine } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';

const HEADER = 'file,line,reason,text\r\n';

/** A CSV file of rejected rows. It is created when the first row is added. */
export class RejectsFile {
  count = 0;
  #handle: FileHandle | null = null;
  /** Settles when all rows added so far have been written. */
  #adding: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Appends rows, in the order of the calls, even if earlier calls are still pending. */
  add(rows: readonly RejectedRow[]): Promise<void> {
    const adding = this.#adding.then(() => this.#write(rows));
    this.#adding = adding;
    adding.catch(() => {});
    return adding;
  }

  async #write(rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return;
    if (this.#handle === null) {
      this.#handle = await open(this.path, 'w').catch((error: unknown) => {
        throw fileFailure(error, { path: this.path, argument: 'rejects', to: 'write' });
      });
      await this.#handle.appendFile(HEADER);
    }
    this.count += rows.length;
    const lines = rows.map(({ file, line, reason, text }) => csvLine([file, String(line), reason, text]));
    await this.#handle.appendFile(lines.join(''));
  }

  /** If this import rejected no rows, removes any file of rejected rows that an earlier import left behind. */
  async removeEarlier(): Promise<void> {
    const beginning = await firstBytes(this.path, HEADER.length).catch(() => null);
    if (this.count === 0 && beginning?.toString() === HEADER) await rm(this.path);
  }

  written(): Promise<void> {
    return this.#adding;
  }

  /** Closes the file. @param failure the error that ended the import, to be written as the last line */
  async close(failure?: unknown): Promise<void> {
    await this.#adding.catch(() => {});
    if (failure instanceof Error) {
      const lastLine = csvLine(['', '', `the import ended here: ${failure.message}`, '']);
      await this.#handle?.appendFile(lastLine).catch(() => {});
    }
    await this.#handle?.close();
    this.#handle = null;
  }
}

/** Runs an import with a file for its rejected rows. If the import fails, the error is appended to the file. */
export async function withRejects<Result>(
  io: Pick<CommandIo, 'stderr'>,
  path: string,
  step: (rejects: RejectsFile) => Promise<Result>,
): Promise<Result> {
  const rejects = new RejectsFile(path);
  try {
    return await step(rejects);
  } catch (error) {
    clearProgress(io);
    await rejects.close(error);
    if (rejects.count > 0) await writeLine(io.stderr, describeRejects(rejects));
    throw error;
  } finally {
    await rejects.close();
  }
}

export function describeRejects({ count, path }: RejectsFile): string {
  if (count === 1) return `1 rejected or contradictory row, with its reason, is in ${path}`;
  return `${count.toLocaleString('en-US')} rejected or contradictory rows, each with its reason, are in ${path}`;
}

function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return `${quoted.join(',')}\r\n`;
}

export interface RecordedImport {
  readonly files: readonly string[];
  readonly settings: RememberedSettings;
  /** The record of the downloads, which `cropframe update` uses later. */
  readonly fetched?: StoredFetch | undefined;
  /** The file for rejected and conflicting rows. */
  readonly rejects: RejectsFile;
}

/** Returns options that make an import write rejected and conflicting rows to a file. */
export function createRecordedOptions(
  io: Pick<CommandIo, 'stderr' | 'signal'>,
  { files, settings: { maxRejects, maxConflicts, settings }, fetched, rejects }: RecordedImport,
): ImportOptions {
  const add = (rows: readonly RejectedRow[]) => rejects.add(rows);
  const watch = { onRejected: add, onConflicts: add, ...progressOptions(io) };
  return { files, settings, maxRejected: maxRejects, maxConflicts, fetched, ...watch };
}

/** Import options that are recorded so that later updates can reuse them. */
export interface RememberedSettings extends Pick<ImportRequest, 'maxRejects' | 'maxConflicts'> {
  readonly settings?: ImporterSettings | undefined;
  /** The document that describes the data set. Not set if the data set is part of the package. */
  readonly document?: DatasetDocument | undefined;
}

type GivenSettings = Pick<ImportRequest, 'set' | 'maxRejects' | 'maxConflicts'>;

export function pickSettings({ set, maxRejects, maxConflicts }: GivenSettings): RememberedSettings {
  return { settings: set && Object.fromEntries(set), maxRejects, maxConflicts };
}
