import { type BatchBuilder, RowError } from '../batch/batch-builder.js';

interface RowSinkOptions<Row> {
  readonly batch: BatchBuilder;
  /** The name of the text in rejected rows. */
  readonly file: string;
  /** Adds a row to the batch. @throws RowError when the row cannot be used */
  readonly addRow: (row: Row) => void;
  /** The text of a rejected row. */
  readonly formatRow: (row: Row) => string;
  /** The values of every row, where the importer counts values (default: one, which is read). */
  readonly columns?: ValueColumns | undefined;
}

/** The columns of values in a table with several. */
export interface ValueColumns {
  /** How many are read. */
  readonly read: number;
  /** The names of the others. */
  readonly notRead: readonly string[];
}

const ONE_COLUMN: ValueColumns = { read: 1, notRead: [] };

/** Adds the rows of one text to a batch, each as a whole, or rejects them with line and reason. */
export class RowSink<Row> {
  readonly #options: RowSinkOptions<Row>;
  readonly #columns: ValueColumns;
  readonly #values: number;
  #rejected = 0;
  #rows = 0;

  constructor(options: RowSinkOptions<Row>) {
    this.#options = options;
    this.#columns = options.columns ?? ONE_COLUMN;
    this.#values = this.#columns.read + this.#columns.notRead.length;
  }

  write(row: Row, line: number): void {
    const { batch, addRow: read } = this.#options;
    this.#rows++;
    batch.beginRow(line, this.#values);
    try {
      read(row);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      batch.revert();
      this.#rejected++;
      const { file, formatRow: show } = this.#options;
      const values = this.#values === 1 ? undefined : this.#values;
      batch.reject({ file, line, reason: error.message, text: show(row), values });
    }
  }

  /** Counts a row that was added without `write`. */
  countAdded(): void {
    this.#rows++;
    this.#options.batch.countRows(this.#values);
  }

  /** Counts the columns that are not read, after the last row, and notes that there was none. */
  close(): void {
    const { batch, file } = this.#options;
    for (const name of this.#columns.notRead) batch.countNotRead(name, this.#rows - this.#rejected);
    if (this.#rows === 0) batch.addNote(`${file} has a header and no rows`);
  }
}
