import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { RecordBatchReader, type Vector } from 'apache-arrow';
import { bitmapBytes, setBit } from '../../../columns/bitmap.js';
import { DuckDBDataChunk, DuckDBTypeId } from '../../duckdb/engine/library.js';
import { copyItems, type Items, rawVector, setValidity } from '../../duckdb/engine/vectors.js';
import { CHUNK_ROWS } from '../../duckdb/staging/stage-rows.js';
import { turns } from '../../turns.js';

/** Types whose values lie in memory as both engines have them. */
const RAW: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.TIMESTAMP_MS,
]);

/**
 * Appends the rows of an Arrow stream of ClickHouse to a table of the workspace, which has the same columns. NaN is loaded as
 * NULL. @returns how many there are
 */
export async function loadRows(
  connection: DuckDBConnection,
  table: string,
  stream: AsyncIterable<Uint8Array>,
): Promise<number> {
  const [name, schema] = table.split('.').reverse();
  const appender = await connection.createAppender(name!, schema ?? 'main', 'store');
  const types = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i));
  const chunk = DuckDBDataChunk.create(types);
  let rows = 0;
  for await (const batch of await RecordBatchReader.from(stream)) {
    const columns = types.map((_, i) => batch.getChildAt(i)!);
    for (let first = 0; first < batch.numRows; first += CHUNK_ROWS) {
      await turns.next();
      const count = Math.min(CHUNK_ROWS, batch.numRows - first);
      chunk.reset();
      chunk.rowCount = count;
      for (const [i, column] of columns.entries())
        fillColumn(chunk, { at: i, type: types[i]! }, { column, first, rows: count });
      appender.appendDataChunk(chunk);
    }
    rows += batch.numRows;
  }
  appender.closeSync();
  return rows;
}

interface Slice {
  readonly column: Vector;
  readonly first: number;
  readonly rows: number;
}

function fillColumn(
  chunk: DuckDBDataChunk,
  { at, type }: { at: number; type: DuckDBType },
  { column, first, rows }: Slice,
): void {
  const data = column.data[0]!;
  if (!RAW.has(type.typeId)) {
    if (data.nullCount === data.length && rows > 0) fillWithNull(chunk, at, rows);
    else
      chunk.setColumnValues(
        at,
        Array.from({ length: rows }, (_, i) => column.get(first + i)),
      );
    return;
  }
  const vector = rawVector<Items>(chunk, at);
  const items = (data.values as Items).subarray(first, first + rows) as Items;
  copyItems(vector.items, items);
  const bitmap = data.nullCount > 0 ? data.nullBitmap : null;
  setValidity(vector, bitmap, { first, rows });
  if (items instanceof Float64Array && bitmap === null && items.some(Number.isNaN))
    setValidity(vector, validOf(items), { first: 0, rows });
  vector.flush();
}

function fillWithNull(chunk: DuckDBDataChunk, at: number, rows: number): void {
  const vector = rawVector<Items>(chunk, at);
  setValidity(vector, new Uint8Array(Math.ceil(rows / 8)), { first: 0, rows });
  vector.flush();
}

/** The validity bitmap of numbers among which NaN is invalid. */
function validOf(numbers: Float64Array): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(numbers.length));
  for (let row = 0; row < numbers.length; row++) if (!Number.isNaN(numbers[row]!)) setBit(bitmap, row);
  return bitmap;
}
