import type { Schema, TypeMap } from 'apache-arrow';
import * as v from 'valibot';
import { check, checkOptions } from '../../model/schema/check.js';
import { type Frame, frameOf } from '../frame.js';
import { buildTable } from '../table/build-table.js';
import { columnOfCells, type RowValue } from '../table/cell-column.js';
import { ARROW_SCHEMA } from '../table/check-table.js';
import type { AnyColumn } from '../table/columns.js';
import { LONG_COLUMN_TYPES, namedTypes } from '../table/names.js';
import type { ColumnsOfRows } from '../table/row-types.js';

const ROWS = v.array(v.looseObject({}));

/**
 * Creates a frame from rows. Its columns are those of `schema` or, by default, all fields that occur in any row. Fields
 * missing from a row become null. The column types are Float64 for numbers, Bool for booleans, Int64 for bigints,
 * timestamp for `Date` objects, Binary for bytes, list for arrays, struct for objects, and string for all other values.
 * If the rows have all the columns of a long frame, these columns have the same types as in a long frame.
 * @throws ArgumentError if a value does not fit the type of its column
 */
export function fromRows<Values extends { readonly [Column in string]: RowValue }>(
  rows: readonly Values[],
): Frame<ColumnsOfRows<Values>>;
/** Creates a frame from rows, with the column names and types of a schema. */
export function fromRows<Columns extends TypeMap>(
  rows: readonly { readonly [Column in string]: RowValue }[],
  options: {
    /** The column names and types. By default, they are inferred from the rows. */
    schema?: Schema<Columns> | undefined;
  },
): Frame<Columns>;
export function fromRows(
  rows: readonly { readonly [Column in string]: RowValue }[],
  options: { schema?: Schema | undefined } = {},
): Frame {
  check(ROWS, rows, 'rows');
  checkOptions(options, { schema: ARROW_SCHEMA }, 'fromRows');
  return buildRows(rows, options);
}

function buildRows(
  rows: readonly { readonly [Column in string]: RowValue }[],
  options: { schema?: Schema | undefined },
  typesOf = namedTypes,
): Frame {
  const fields = new Map(options.schema?.fields.map((field) => [field.name, field]));
  const names = options.schema?.fields.map((field) => field.name) ?? [...new Set(rows.flatMap(Object.keys))];
  const types = options.schema === undefined ? typesOf(names) : undefined;
  const columns = names.map((name) => {
    const field = fields.get(name);
    const cells = rows.map((row) => row[name] ?? null);
    return {
      name,
      column: columnOfCells(cells, { name, arrowType: field?.type, namedType: types?.get(name) }),
      metadata: field?.metadata,
    };
  });
  return frameOf(buildTable(columns, options.schema?.metadata));
}

/**
 * Creates a frame from rows that have the same properties as an example row. Columns with the names of long-frame
 * columns have the same types as in a long frame. The example determines the types of all other columns, so they are
 * known even if there are no rows.
 */
export function rowsLike<Row extends { readonly [Column in string]: RowValue }>(
  rows: readonly { readonly [Column in keyof Row]: RowValue }[],
  example: Row,
): Frame<ColumnsOfRows<{ readonly [Column in keyof Row]: Row[Column] | null }>> {
  return buildRows(
    rows,
    buildRows([example], {}, () => LONG_COLUMN_TYPES),
  ) as never;
}

/**
 * Creates a frame that shares the memory of the given arrays where possible.
 * @throws ArgumentError if the columns differ in length
 */
export function fromColumns(
  columns: Record<string, AnyColumn>,
  options: {
    /** The metadata of the Arrow schema. */
    metadata?: ReadonlyMap<string, string> | undefined;
  } = {},
): Frame {
  checkOptions(options, { metadata: v.instance(Map) }, 'fromColumns');
  const named = Object.entries(columns).map(([name, column]) => ({ name, column }));
  return frameOf(buildTable(named, options.metadata));
}
