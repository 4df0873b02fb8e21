import { basename } from 'node:path';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import { RowSink, type ValueColumns } from '../reading/row-sink.js';
import type { RowReader } from '../reading/tables.js';
import { readParquetRows } from './parquet-file.js';

interface ParquetInput extends Pick<ImporterInput, 'signal'> {
  readonly dataset: string;
  readonly file: string;
  readonly batch: BatchBuilder;
  readonly wantsColumn: (name: string) => boolean;
  readonly decimal: '.' | ',';
  readonly createRowReader: (header: readonly string[], file: string) => RowReader;
  readonly valueColumns: (header: readonly string[]) => ValueColumns;
}

/**
 * Reads the rows of a Parquet file. In rejected rows "line" is the number of the row, counted from 1.
 * @throws IngestError that names the file when it is damaged or does not have a column
 */
export async function* readParquet(input: ParquetInput): AsyncGenerator<ImportBatch> {
  const { file, batch, signal } = input;
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
  for await (const { header, names, rows, total } of readParquetRows(file, input)) {
    signal?.throwIfAborted();
    all = total;
    sink ??= new RowSink({
      batch,
      file: name,
      addRow: input.createRowReader(header, name),
      formatRow: String,
      columns: input.valueColumns(names),
    });
    for (const fields of rows) {
      done++;
      sink.write(fields, done);
      if (batch.isFull) yield batch.take(progress());
    }
  }
  sink?.close();
  yield batch.take(progress());
}
