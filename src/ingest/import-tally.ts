import { IngestError } from '../model/errors.js';
import type { ImportBatch, ImportOptions, ImportReport, RejectedRow } from './importer.js';

const MAX_KEPT_REJECTIONS = 1000;
/** With fewer rows than this, the share of rejected rows says nothing about the whole file. */
const MIN_ROWS_TO_CHECK = 10_000;

/** Counts imported and rejected rows, and ends the import when too many were rejected. */
export class RejectionTally {
  #rows = 0;
  #rejectedRows = 0;
  readonly #rejected: RejectedRow[] = [];
  readonly #notes: string[] = [];

  readonly #dataset: string;
  readonly #options: Pick<ImportOptions, 'maxRejectedShare' | 'onRejected'>;

  constructor(dataset: string, options: Pick<ImportOptions, 'maxRejectedShare' | 'onRejected'>) {
    this.#dataset = dataset;
    this.#options = options;
  }

  /** @throws IngestError as soon as enough rows show that too many are rejected */
  add({ points, rejected = [], notes = [] }: ImportBatch): void {
    this.#notes.push(...notes);
    this.#rows += points?.columns.length ?? 0;
    this.#rejectedRows += rejected.length;
    this.#rejected.push(...rejected.slice(0, MAX_KEPT_REJECTIONS - this.#rejected.length));
    if (rejected.length > 0) this.#options.onRejected?.(rejected);
    if (this.#rows + this.#rejectedRows >= MIN_ROWS_TO_CHECK) this.check();
  }

  /** @throws IngestError when more than the allowed share of the rows was rejected */
  check(): void {
    const { maxRejectedShare = 0.05 } = this.#options;
    const total = this.#rows + this.#rejectedRows;
    if (this.#rejectedRows <= maxRejectedShare * total) return;
    const { file, line, reason } = this.#rejected[0]!;
    const share = `${this.#rejectedRows} of ${total} rows cannot be used, more than ${maxRejectedShare * 100} %`;
    throw new IngestError(this.#dataset, `${share}; the first is line ${line} of ${file}: ${reason}`, {
      file,
      row: line,
    });
  }

  report(): Pick<ImportReport, 'rows' | 'rejectedRows' | 'rejected' | 'notes'> {
    const [rejected, notes] = [this.#rejected, this.#notes];
    return { rows: this.#rows, rejectedRows: this.#rejectedRows, rejected, notes };
  }
}
