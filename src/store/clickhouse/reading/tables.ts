import { type Field, type RecordBatch, RecordBatchReader, Type } from 'apache-arrow';
import { StoreError } from '../../../model/errors.js';
import { type EngineTables, idCondition, type NumberColumns } from '../../queries/engine-tables.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { currentCondition, type Snapshot } from '../engine/snapshot.js';

export function tablesAt({ first }: Pick<Cluster, 'first'>, snapshot: Snapshot): EngineTables {
  return {
    snapshot,
    from(table, where = 'true') {
      if (table !== 'series_unit') return `${table} WHERE ${currentCondition(table, snapshot)} AND ${where}`;
      const units = `SELECT handle AS series, arrayJoin(units) AS unit_id FROM series WHERE ${currentCondition('series', snapshot)}`;
      return `(${units}) WHERE ${where}`;
    },
    isRevised: 'toFloat64(vintages > point_count)',
    ids: idCondition,
    number: (column) => `ifNull(CAST(${column}, 'Nullable(Float64)'), nan)`,
    hash: (columns) => `toString(sum(sipHash64(${columns})))`,
    rows: (sql, options) => first.rows(sql, options),
    async *numbers(sql, options) {
      for await (const rows of readArrow(first.arrow(sql, options))) {
        await turns.next();
        yield rows;
      }
    },
  };
}

/** Reads an uncompressed Arrow stream without nulls. Reads it to its end, so that `bytes` detects missing data. */
export async function* readArrow<Column = Int32Array | Float64Array>(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<NumberColumns<Column>, void, void> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    // The reader stops at the end marker. The bytes after the marker must also be read so that they are checked.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
    const reader = await RecordBatchReader.from(kept as AsyncIterable<Uint8Array>);
    await reader.open();
    reader.schema.fields.forEach(requireKnown);
    for await (const batch of reader as AsyncIterable<RecordBatch>)
      yield { length: batch.numRows, columns: columnArrays(batch) as Column[] };
    while ((await chunks.next()).done !== true);
  } finally {
    await chunks.return?.();
  }
}

function columnArrays(batch: RecordBatch): unknown[] {
  return batch.schema.fields.map(({ typeId }, at) => {
    const column = batch.getChildAt(at)!;
    return typeId === Type.Utf8 ? column.toArray() : column.data[0]!.values.subarray(0, batch.numRows);
  });
}

/** Throws a StoreError if a column is nullable or contains anything but 32-bit integers, floats or strings. */
function requireKnown({ name, type, nullable }: Field): void {
  const isInt32 = type.typeId === Type.Int && type.isSigned && type.bitWidth === 32;
  if (!nullable && (isInt32 || type.typeId === Type.Float || type.typeId === Type.Utf8)) return;
  const kind = `${type}${nullable ? ', nullable' : ''}`;
  throw new StoreError(
    `a server returned the column ${name} with an unexpected type (${kind}); update cropframe or the server`,
  );
}
