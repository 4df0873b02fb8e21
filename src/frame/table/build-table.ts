import {
  type Data,
  DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  Schema,
  type Table,
  Utf8,
} from 'apache-arrow';
import { nanAtNulls } from '../../columns/bitmap.js';
import { badArgument } from '../../model/errors.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { type AnyColumn, anyColumn, asOther } from './columns.js';
import { createRecordBatch, createTable, fixedData, textVector, UTC, utf8Data } from './frame-table.js';
import { NAME_COLUMNS } from './names.js';
import { derivedMetadata, stepText } from './provenance.js';
import { oneChunk, type Rows, takeColumn } from './take-rows.js';

export interface TableColumn {
  name: string;
  column: AnyColumn;
  metadata?: ReadonlyMap<string, string> | undefined;
}

/** Returns a table's columns as input for `buildTable`. Types are kept, but string dictionaries get Int32 codes. */
export function tableColumns(table: Table): (TableColumn & { metadata: ReadonlyMap<string, string> })[] {
  return table.schema.fields.map(({ name, type, metadata }, at) => {
    const vector = table.getChildAt(at)!;
    // Columns of other types, such as plain strings and days, stay Arrow vectors, so that they need not be decoded.
    const isBuilt = DataType.isDictionary(type) || BUILT.has(String(type));
    return { name, column: isBuilt ? anyColumn(vector) : asOther(vector), metadata };
  });
}

const BUILT = new Set([UTC, new Int32(), new Float64()].map(String));

export function takeColumns<Column extends TableColumn>(columns: readonly Column[], rows: Rows): Column[] {
  return columns.map((each) => ({ ...each, column: takeColumn(each.column, rows) }));
}

/** Selects rows of a table, and records the operation `verb` in the metadata. */
export function takeTable(table: Table, rows: Rows, verb: string, ...given: readonly unknown[]): Table {
  return deriveTable(table, takeColumns(tableColumns(table), rows), verb, ...given);
}

/** Builds the result of an operation on a table, and records the operation `verb` in the metadata. */
export function deriveTable(
  table: Table,
  columns: readonly TableColumn[],
  verb: string,
  ...given: readonly unknown[]
): Table {
  return buildTable(columns, derivedMetadata(table, stepText(verb, ...given)));
}

const NEVER_NULL = new Set<string>([
  'start_date',
  'end_date',
  ...SERIES_KEY_FIELDS,
  ...NAME_COLUMNS.map(({ column }) => column),
]);

/** Builds a table. @throws ArgumentError if the columns differ in length */
export function buildTable(columns: readonly TableColumn[], metadata?: ReadonlyMap<string, string>): Table {
  const length = columns[0]?.column.values.length ?? 0;
  const fields: Field[] = [];
  const children: Data[] = [];
  for (const { name, column, metadata: fieldMetadata } of columns) {
    if (column.values.length !== length) {
      throw badArgument(
        'columns',
        `"${name}" has ${column.values.length} rows, but the first column has ${length}; all columns must have the same length`,
      );
    }
    const data = columnData(column);
    const nullable = data.nullCount > 0 || !NEVER_NULL.has(name);
    fields.push(new Field(name, data.type, nullable, new Map(fieldMetadata)));
    children.push(data);
  }
  const schema = new Schema(fields, new Map(metadata));
  return createTable(schema, [createRecordBatch(schema, children, length)]);
}

export function columnData(column: AnyColumn): Data {
  switch (column.type) {
    case 'timestamp':
      return fixedData(UTC, column.values, column.valid);
    case 'int32':
      return fixedData(new Int32(), column.values, column.valid);
    case 'float64':
      return fixedData(new Float64(), nanAtNulls(column.values, column.valid), column.valid);
    case 'utf8':
      return utf8Data(column.values);
    case 'dictionary':
      return makeData({
        type: new Dictionary(new Utf8(), new Int32()),
        length: column.values.length,
        data: column.values,
        dictionary: textVector(column.categories),
        nullBitmap: column.valid,
      });
    case 'other':
      return oneChunk(column.values);
  }
}
