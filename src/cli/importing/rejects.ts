import { type FileHandle, open } from 'node:fs/promises';
import type { Importer, RejectedRow } from '../../ingest/importer.js';
import { fileFailure } from '../../model/arguments/file-failure.js';

/** A CSV file of rejected rows, created when the first row is added. */
export class RejectsFile {
  count = 0;
  #handle: FileHandle | null = null;
  /** The last rows, which later ones follow. */
  #adding: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Adds rows after all that were added before, whether or not the caller has waited for those. */
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
      await this.#handle.write('file,line,reason,text\r\n');
    }
    this.count += rows.length;
    await this.#handle.write(rows.map(csvLine).join(''));
  }

  async close(): Promise<void> {
    await this.#adding.catch(() => {});
    await this.#handle?.close();
    this.#handle = null;
  }
}

/** The importer, with its rejected rows written to a file. */
export function recordRejects(importer: Importer, rejects: RejectsFile): Importer {
  return {
    ...importer,
    async *read(input) {
      for await (const batch of importer.read(input)) {
        await rejects.add(batch.rejected ?? []);
        yield batch;
      }
    },
  };
}

function csvLine({ file, line, reason, text }: RejectedRow): string {
  return `${[file, String(line), reason, text].map(quoted).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
