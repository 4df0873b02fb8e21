import { type FileHandle, open } from 'node:fs/promises';
import type { Importer, RejectedRow } from '../../ingest/importer.js';
import { IngestError } from '../../model/errors.js';

/** Writes rejected rows to a CSV file that is made with the first of them. */
export class RejectsFile {
  count = 0;
  #handle: FileHandle | null = null;

  constructor(readonly path: string) {}

  async add(rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return;
    if (this.#handle === null) {
      this.#handle = await open(this.path, 'w');
      await this.#handle.write('file,line,reason,text\r\n');
    }
    this.count += rows.length;
    await this.#handle.write(rows.map(csvLine).join(''));
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }
}

/**
 * The same importer, whose rejected rows go to a file as they come.
 * @throws IngestError while reading, once there are more than `max`, so that the import is rolled back
 */
export function watchingRejects(
  importer: Importer,
  { rejects, max }: { rejects: RejectsFile; max: number },
): Importer {
  return {
    ...importer,
    async *read(input) {
      for await (const batch of importer.read(input)) {
        await rejects.add(batch.rejected ?? []);
        if (rejects.count > max) {
          throw new IngestError(
            importer.dataset,
            `more than ${max} rows were rejected, so that nothing was imported; ` +
              `look into ${rejects.path}, or allow more with --max-rejects`,
          );
        }
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
