import { type BatchBuilder, RowError } from '../batch/batch-builder.js';

interface RowSinkOptions<Row> {
  readonly batch: BatchBuilder;
  /** The name of the text in rejected rows. */
  readonly file: string;
  /** Adds a row to the batch. @throws RowError when the row cannot be used */
  readonly addRow: (row: Row) => void;
  /** The text of a rejected row. */
  readonly formatRow: (row: Row) => string;
}

/** Adds the rows of one text to a batch, each as a whole, or rejects them with line and reason. */
export class RowSink<Row> {
  readonly #options: RowSinkOptions<Row>;

  constructor(options: RowSinkOptions<Row>) {
    this.#options = options;
  }

  write(row: Row, line: number): void {
    const { batch, addRow: read } = this.#options;
    batch.mark();
    try {
      read(row);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      batch.revert();
      const { file, formatRow: show } = this.#options;
      batch.reject({ file, line, reason: error.message, text: show(row) });
    }
  }
}
