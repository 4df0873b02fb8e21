import { type BatchBuilder, RowError } from '../batch/batch-builder.js';

interface RowSinkOptions<Row> {
  readonly batch: BatchBuilder;
  /** The text's name in rejects. */
  readonly file: string;
  /** Adds what a row says to the batch; throws `RowError` when it cannot be used. */
  readonly addRow: (row: Row) => void;
  /** A row as rejects show it. */
  readonly formatRow: (row: Row) => string;
}

/** Takes the rows of one text: each is used whole, or rejected whole with its line and the reason. */
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
