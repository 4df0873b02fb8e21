import { DOUBLE, DuckDBDataChunk, DuckDBInstance, type DuckDBType, INTEGER } from '@duckdb/node-api';

/** A column of a chunk as raw memory, which the library's own accessors would box value by value. */
interface RawColumn {
  readonly items: Float64Array | Int32Array;
  readonly validity: { setItemValid(row: number, valid: boolean): void };
  flush(): void;
}

const CHUNK_ROWS = 2_048;

/** An engine in memory that holds one table. */
export interface DuckDBRival {
  /** The columns of a query's answer, as numbers. */
  query(sql: string): Promise<number[][]>;
  close(): void;
}

/** Loads columns into the table `t`; NaN becomes NULL. */
export async function loadDuckDB(
  columns: Readonly<Record<string, Float64Array | Uint32Array>>,
): Promise<DuckDBRival> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const entries = Object.entries(columns);
  const types = entries.map(([, values]): DuckDBType => (values instanceof Float64Array ? DOUBLE : INTEGER));
  await connection.run(`CREATE TABLE t (${entries.map(([name], i) => `${name} ${types[i]}`).join(', ')})`);
  const appender = await connection.createAppender('t');
  const rows = entries[0]![1].length;
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const chunk = DuckDBDataChunk.create(types);
    chunk.rowCount = Math.min(CHUNK_ROWS, rows - from);
    entries.forEach(([, values], i) => {
      fillColumn(chunk, i, values.subarray(from, from + chunk.rowCount));
    });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return {
    async query(sql) {
      const reader = await connection.runAndReadAll(sql);
      return reader.getColumns().map((column) => column.map(Number));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function fillColumn(chunk: DuckDBDataChunk, column: number, values: Float64Array | Uint32Array): void {
  const raw = chunk.getColumnVector(column) as unknown as RawColumn;
  raw.items.set(values);
  values.forEach((value, row) => {
    if (Number.isNaN(value)) raw.validity.setItemValid(row, false);
  });
  raw.flush();
}
