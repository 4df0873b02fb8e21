import { basename } from 'node:path';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ImportBatch, ImporterInput } from '../../importer.js';
import { RowSink, type ValueColumns } from '../../reading/row-sink.js';
import type { RowReader } from '../../reading/tables.js';

/** Some rows of a file whose cells have types, as the text of a delimited table. */
export interface TypedRows {
  /** The names of the wanted columns, in the order of the file. */
  readonly header: readonly string[];
  /** The names of all columns. */
  readonly names: readonly string[];
  /** Cells in the order of the header; empty ones are empty strings. */
  readonly rows: readonly (readonly string[])[];
  /** The number of each row in messages; without them, rows are counted from 1. */
  readonly lines?: readonly number[] | undefined;
  /** Number of rows in the file. */
  readonly total: number;
}

interface TypedTable extends Pick<ImporterInput, 'signal'> {
  readonly file: string;
  readonly blocks: AsyncIterable<TypedRows>;
  readonly batch: BatchBuilder;
  readonly createRowReader: (header: readonly string[], file: string) => RowReader;
  readonly valueColumns: (header: readonly string[]) => ValueColumns;
}

/**
 * Reads the rows of a file whose cells have types. In rejected rows "line" is the number of the row.
 * @throws IngestError that names the file when it is damaged or does not have a column
 */
export async function* readTypedTable(table: TypedTable): AsyncGenerator<ImportBatch> {
  const { file, blocks, batch, signal } = table;
  const name = basename(file);
  let [done, all] = [0, 0];
  const progress = (): NonNullable<ImportBatch['progress']> => ({
    label: `reading ${name}`,
    done,
    total: all,
    unit: 'rows',
  });
  let sink: RowSink<readonly string[]> | undefined;
  batch.beginText({ name });
  for await (const { header, names, rows, lines, total } of blocks) {
    signal?.throwIfAborted();
    all = total;
    sink ??= new RowSink({
      batch,
      file: name,
      addRow: table.createRowReader(header, name),
      formatRow: String,
      columns: table.valueColumns(names),
    });
    for (const [i, fields] of rows.entries()) {
      done++;
      sink.write(fields, lines?.[i] ?? done);
      if (batch.isFull) yield batch.take(progress());
    }
  }
  sink?.close();
  yield batch.take(progress());
}
