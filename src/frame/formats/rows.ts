import {
  Binary,
  Bool,
  DataType,
  Field,
  Float64,
  Int64,
  List,
  type Schema,
  Struct,
  type Table,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { checkMap, checkObject, listOf, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError, shownValue } from '../../model/errors.js';
import { buildTable } from '../table/build-table.js';
import type { Cell } from '../table/cells.js';
import { checkSchema } from '../table/check-table.js';
import { type AnyColumn, isOther, otherColumn, readColumns } from '../table/columns.js';
import { UTC } from '../table/frame-table.js';
import { exactNumberText, inferColumnType, longColumnType, parseColumn } from '../table/parse-column.js';
import { type FrameRow, rowReader } from '../table/row-reader.js';

const checkRows = needed(listOf(checkObject));

/** The rows of a table as objects; meant for small tables. */
export function toRows(table: Table): FrameRow[] {
  const read = rowReader(table);
  return Array.from({ length: table.numRows }, (_, row) => read(row));
}

/** A value of a row to read: a cell, or a date; undefined is null. */
export type RowValue =
  | Cell
  | Date
  | undefined
  | readonly RowValue[]
  | { readonly [Field in string]: RowValue };

/**
 * A frame of rows. The columns are those of `schema`, or else all that any row has; a field that a row lacks is null. The
 * columns of a long frame get their types by name. Any other column is Float64 for numbers, Bool, Int64 for bigint, a
 * timestamp for `Date`, Binary for bytes, a list or a struct for arrays and objects, and else text.
 * @throws ArgumentError when a value does not fit the type of its column
 */
export function fromRows(
  rows: readonly { readonly [Column in string]: RowValue }[],
  options: {
    /** The names and types of the columns. */
    schema?: Schema | undefined;
  } = {},
): Table {
  checkRows(rows, 'rows');
  checkOptions(options, { schema: checkSchema }, 'fromRows');
  const fields = new Map(options.schema?.fields.map((field) => [field.name, field]));
  const names = options.schema?.fields.map((field) => field.name) ?? [...new Set(rows.flatMap(Object.keys))];
  const columns = names.map((name) => {
    const field = fields.get(name);
    const cells = rows.map((row) => row[name] ?? null);
    return {
      name,
      column: columnOfCells(cells, { name, arrowType: field?.type }),
      metadata: field?.metadata,
    };
  });
  return buildTable(columns, options.schema?.metadata);
}

function columnOfCells(
  cells: readonly RowValue[],
  { name, arrowType }: { name: string; arrowType: DataType | undefined },
): AnyColumn {
  const long = arrowType === undefined ? longColumnType(name) : undefined;
  const arrow = arrowType ?? (long === undefined ? commonType(cells) : undefined);
  if (arrow !== undefined && isOther(arrow)) return built(cells, arrow, name);
  const type = long ?? inferColumnType(name, ['a text'], arrow);
  const texts = cells.map((cell) => textOf(cell, { name, isDate: type === 'timestamp' }));
  return parseColumn(texts, { name, type });
}

/** The type of values that JavaScript holds; texts where there is another beside numbers. Undefined for values of no common type. */
function commonType(cells: readonly RowValue[]): DataType | undefined {
  const present = cells.filter((cell) => cell !== null && cell !== undefined);
  const are = (test: (cell: RowValue) => boolean) => present.every(test);
  if (are((cell) => typeof cell === 'number')) return new Float64();
  if (are((cell) => typeof cell === 'boolean')) return new Bool();
  if (are((cell) => typeof cell === 'bigint' || Number.isSafeInteger(cell))) return new Int64();
  if (are((cell) => cell instanceof Date)) return UTC;
  if (are((cell) => cell instanceof Uint8Array)) return new Binary();
  if (are(Array.isArray)) {
    const item = commonType((present as RowValue[][]).flat());
    return item && new List(new Field('item', item, true));
  }
  if (!are((cell) => typeof cell === 'object' && Object.getPrototypeOf(cell) === Object.prototype))
    return new Utf8();
  const objects = present as { readonly [Name in string]: RowValue }[];
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const types = names.map((name) => commonType(objects.map((object) => object[name])));
  if (types.length === 0 || types.includes(undefined)) return undefined;
  return new Struct(names.map((name, at) => new Field(name, types[at]!, true)));
}

/** Arrow's own column of these values. @throws ArgumentError when they do not fit the type */
function built(cells: readonly RowValue[], type: DataType, name: string): AnyColumn {
  const isLong = DataType.isInt(type) && type.bitWidth === 64;
  const values = cells.map((cell) => (isLong && typeof cell === 'number' ? BigInt(cell) : (cell ?? null)));
  try {
    return otherColumn(vectorFromArray(values, type).data[0]!);
  } catch (cause) {
    throw new ArgumentError('rows', `rows: column "${name}" does not have ${type}: ${String(cause)}`, {
      cause,
    });
  }
}

function textOf(cell: RowValue, { name, isDate }: { name: string; isDate: boolean }): string | null {
  if (typeof cell === 'number') return exactNumberText(cell);
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Date && isDate) return cell.toISOString();
  throw new ArgumentError(
    'rows',
    `rows: ${shownValue(cell)} in column "${name}" is of another type than the values before it`,
  );
}

/** The columns of a frame by name, as typed arrays; a table of one batch is not copied. */
export function toColumns(table: Table): Record<string, AnyColumn> {
  return Object.fromEntries(readColumns(table).map(({ field, column }) => [field.name, column]));
}

/**
 * A frame that shares the memory of typed arrays.
 * @throws ArgumentError when the columns differ in length
 */
export function fromColumns(
  columns: Record<string, AnyColumn>,
  options: {
    /** Metadata of the Arrow schema. */
    metadata?: ReadonlyMap<string, string> | undefined;
  } = {},
): Table {
  checkOptions(options, { metadata: checkMap }, 'fromColumns');
  const named = Object.entries(columns).map(([name, column]) => ({ name, column }));
  return buildTable(named, options.metadata);
}
