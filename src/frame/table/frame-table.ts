import { type RecordBatch, type Schema, Table, type TypeMap } from 'apache-arrow';

/**
 * The class of every frame: an Arrow table with a prototype of our own, to which `display/show-frames.ts` adds the
 * methods that show a frame, so that Arrow's `Table` is not changed.
 */
export class FrameTable<T extends TypeMap = TypeMap> extends Table<T> {
  /** Some rows, shown as a frame is. */
  override slice(begin?: number, end?: number): Table<T> {
    const { schema, batches } = super.slice(begin, end);
    return new FrameTable(schema, batches);
  }

  /** Some columns, shown as a frame is. `select` goes through it. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature is Arrow's
  override selectAt<K extends T[keyof T] = any>(columnIndices: number[]): Table<{ [key: string]: K }> {
    const { schema, batches } = super.selectAt<K>(columnIndices);
    return new FrameTable(schema, batches);
  }
}

/** A frame of these batches, sharing their memory. */
export function createFrame<T extends TypeMap>(
  schema: Schema<T>,
  batches: readonly RecordBatch<T>[],
): Table<T> {
  return new FrameTable(schema, [...batches]);
}
