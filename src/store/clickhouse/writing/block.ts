import type { DuckDBDataChunk } from '@duckdb/node-api';
import {
  type Data,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Uint32,
} from 'apache-arrow';
import { type ColumnKind, growingColumn } from './arrow-columns.js';

/** The columns of a table that an import writes, without `import` and `gone`. */
export type BlockColumns = readonly (readonly [name: string, kind: ColumnKind])[];

/** The columns of points, in the order of `POINT_COLUMNS`. */
export const POINT_BLOCK: BlockColumns = [
  ['series', 'integer'],
  ['start_date', 'date'],
  ['end_date', 'date'],
  ['value', 'value'],
  ['unit_id', 'integer'],
  ['reporting_date', 'date or none'],
  ['available_date', 'date'],
  ['metadata', 'remark'],
];

/** Rows on their way into a table of the cluster, by which import they come and go. */
export class Block {
  length = 0;

  readonly #names: readonly string[];
  readonly #columns: readonly ReturnType<typeof growingColumn>[];

  constructor(columns: BlockColumns) {
    this.#names = columns.map(([name]) => name);
    this.#columns = columns.map(([, kind]) => growingColumn(kind));
  }

  /** Appends rows of a chunk with the same columns. */
  append(chunk: DuckDBDataChunk, rows: Uint32Array): void {
    for (const [at, column] of this.#columns.entries()) column.append(chunk, at, rows);
    this.length += rows.length;
  }

  /** The rows as an Arrow stream, with the columns `import` and `gone`. */
  encode(numbers: { readonly import: number; readonly gone: number }): Uint8Array {
    const { length } = this;
    const counter = (number: number): Data =>
      makeData({ type: new Uint32(), length, data: new Uint32Array(length).fill(number) });
    const children = [
      ...this.#columns.map((column) => column.build()),
      counter(numbers.import),
      counter(numbers.gone),
    ];
    const fields = [...this.#names, 'import', 'gone'].map(
      (name, i) => new Field(name, children[i]!.type, children[i]!.nullCount > 0),
    );
    const schema = new Schema(fields);
    const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
    return tableToIPC(new Table([new RecordBatch(schema, data)]), 'stream');
  }
}
