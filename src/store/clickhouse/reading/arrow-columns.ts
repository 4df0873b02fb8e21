import { type RecordBatch, RecordBatchReader, type Schema, Type } from 'apache-arrow';
import { StoreError } from '../../../model/errors.js';

/** The kinds of columns of an answer. None of them is nullable. */
interface ColumnArrays {
  readonly int32: Int32Array;
  readonly float64: Float64Array;
  readonly text: readonly string[];
}

export type ColumnKind = keyof ColumnArrays;

/** Some rows of an answer, by columns. */
export type ArrowColumns<Kinds extends readonly ColumnKind[]> = {
  readonly length: number;
  readonly columns: { readonly [At in keyof Kinds]: ColumnArrays[Kinds[At]] };
};

/** Reads an uncompressed Arrow stream to its end, so that whoever sends it can tell whether it was whole. */
export async function* readArrow<const Kinds extends readonly ColumnKind[]>(
  bytes: AsyncIterable<Uint8Array>,
  kinds: Kinds,
): AsyncGenerator<ArrowColumns<Kinds>, void, void> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    // The reader ends at the mark of the end, and would leave the bytes behind it unchecked.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
    const reader = await RecordBatchReader.from(kept as AsyncIterable<Uint8Array>);
    await reader.open();
    checkKinds(reader.schema, kinds);
    for await (const batch of reader as AsyncIterable<RecordBatch>) {
      const columns = kinds.map((kind, at) => columnOf(batch, kind, at));
      yield { length: batch.numRows, columns } as unknown as ArrowColumns<Kinds>;
    }
    while ((await chunks.next()).done !== true);
  } finally {
    await chunks.return?.();
  }
}

function columnOf(batch: RecordBatch, kind: ColumnKind, at: number): unknown {
  const column = batch.getChildAt(at)!;
  return kind === 'text'
    ? column.toArray()
    : (column.data[0]!.values as Int32Array).subarray(0, batch.numRows);
}

function checkKinds({ fields }: Schema, kinds: readonly ColumnKind[]): void {
  const found = fields.map(({ type, nullable }) => (nullable ? null : kindOf(type)));
  if (found.length === kinds.length && found.every((kind, at) => kind === kinds[at])) return;
  const text = fields.map(({ name, type, nullable }) => `${name} ${type}${nullable ? ', nullable' : ''}`);
  throw new StoreError(
    `a server answered with other columns (${text.join('; ')}) than ${kinds.join(', ')}; update cropframe or the server`,
  );
}

function kindOf(type: Schema['fields'][number]['type']): ColumnKind | null {
  if (type.typeId === Type.Int && type.isSigned && type.bitWidth === 32) return 'int32';
  if (type.typeId === Type.Float) return 'float64';
  return type.typeId === Type.Utf8 ? 'text' : null;
}
