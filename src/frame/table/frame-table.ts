import { type RecordBatch, type Schema, Table, type TypeMap } from 'apache-arrow';

/**
 * The class of every frame: an Arrow table with a prototype of our own, to which `display/show-frames.ts` adds the
 * methods that show a frame, so that Arrow's `Table` is not changed.
 */
export class FrameTable<T extends TypeMap = TypeMap> extends Table<T> {}

/** A frame of these batches, sharing their memory. */
export function createFrame<T extends TypeMap>(
  schema: Schema<T>,
  batches: readonly RecordBatch<T>[],
): Table<T> {
  return new FrameTable(schema, [...batches]);
}
