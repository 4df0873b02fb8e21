import {
  type Data,
  DataType,
  Dictionary,
  type Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  type Table,
} from 'apache-arrow';
import { createFrame } from './frame-table.js';

/**
 * A record batch over columns of equal length. Arrow's constructor compares every column's name with every other's,
 * which takes longer than all else from some thousand columns on; here the parts are put in place.
 */
export function createRecordBatch(schema: Schema, children: Data[], length: number): RecordBatch {
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return Object.assign(new RecordBatch({}), { schema, data });
}

/** The same batches under another schema, whose fields have the types of the columns; nothing is copied. */
export function withSchema(table: Table, schema: Schema): Table {
  const batches = table.batches.map(({ data }) => createRecordBatch(schema, data.children, data.length));
  return createFrame(schema, batches);
}

/**
 * The same table with its dictionaries numbered by their columns. Arrow draws a number for each new dictionary, so
 * that columns of different tables can stand in one; in a file the numbers would make equal frames differ.
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
