import {
  type Data,
  DataType,
  Dictionary,
  type Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  type TypeMap,
} from 'apache-arrow';

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

/**
 * A record batch of columns of equal length. Sets its parts directly: Arrow's constructor compares all pairs of column
 * names, which dominates the time from some thousand columns on.
 */
export function createRecordBatch(schema: Schema, children: Data[], length: number): RecordBatch {
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return Object.assign(new RecordBatch({}), { schema, data });
}

/** A batch without rows. */
export function emptyRecordBatch(schema: Schema): RecordBatch {
  const children = schema.fields.map(({ type }) => makeData({ type, length: 0, nullCount: 0 } as never));
  return createRecordBatch(schema, children, 0);
}

/** The same frame with another schema, whose fields have the types of the columns; the columns are not copied. */
export function withSchema(table: Table, schema: Schema): Table {
  const batches = table.batches.map(({ data }) => createRecordBatch(schema, data.children, data.length));
  return createFrame(schema, batches);
}

/**
 * The same frame with each dictionary numbered by its column. Arrow gives every new dictionary the next free number, which
 * would make the files of equal frames differ.
 */
export function numberDictionaries(table: Table): Table {
  const fields = table.schema.fields.map(numberedField);
  const schema = new Schema(fields, table.schema.metadata);
  const batches = table.batches.map(({ data }) => {
    const children = data.children.map((child, at) =>
      DataType.isDictionary(child.type) ? child.clone(fields[at]!.type) : child,
    );
    return createRecordBatch(schema, children, data.length);
  });
  return createFrame(schema, batches);
}

function numberedField(field: Field, at: number): Field {
  if (!DataType.isDictionary(field.type)) return field;
  const { dictionary, indices, isOrdered } = field.type;
  return field.clone({ type: new Dictionary(dictionary, indices, at, isOrdered) });
}
