// biome-ignore-all lint/suspicious/noTsIgnore: the error is expected only if the package is not installed
import { DataType, type Table } from 'apache-arrow';
import { checkRequiredOptions, fieldsOf, required } from '../../model/schema/check.js';
import { FUNCTION } from '../../model/schema/schemas.js';
import { cellText } from '../table/cells.js';
import { type AnyColumn, readColumns, valueType, wholeAsDoubles } from '../table/columns.js';
import { readAs } from '../table/row-reader.js';

/** The properties that every Danfo `DataFrame` has. This type is used if `danfojs-node` is not installed. */
export interface DanfoFrameFields {
  /** The names of the columns. */
  readonly columns: string[];
  /** The Danfo type of each column. */
  readonly dtypes: string[];
  /** The number of rows and the number of columns. */
  readonly shape: [number, number];
  /** The values, row by row. */
  readonly values: unknown[][];
}

// biome-ignore format: @ts-ignore applies to one line only
/**
 * Danfo's own `DataFrame` if `danfojs-node` is installed; otherwise, `DanfoFrameFields`.
 * Without the package, the imported type is `any`, the only type that has every symbol as a key.
 * @ts-ignore The package may be missing. Unlike a line comment, a doc comment stays in the published types. */
export type DanfoFrame = symbol extends keyof import('danfojs-node').DataFrame ? DanfoFrameFields : import('danfojs-node').DataFrame;

/** The part of `danfojs-node` (or, in a browser, `danfojs`) that `toDanfo` uses. `Frame` is its data frame type. */
export interface DanfoModule<Frame = DanfoFrame> {
  /** The data frame class. */
  DataFrame: new (
    rows: unknown[][],
    options: object,
  ) => Frame;
}

export async function danfoFrame<Frame>(
  table: Table,
  options: {
    danfo: DanfoModule<Frame>;
  },
): Promise<Frame> {
  checkRequiredOptions(options, { danfo: required(fieldsOf({ DataFrame: required(FUNCTION) })) }, 'toDanfo');
  const { DataFrame } = options.danfo;
  const columns = readColumns(table);
  const cells = columns.map(({ column }) => danfoCells(column));
  const rows = Array.from({ length: table.numRows }, (_, row) => cells.map((cell) => cell(row)));
  return new DataFrame(rows, {
    columns: columns.map(({ field }) => field.name),
    dtypes: columns.map(({ column }) => danfoType(column)),
    config: { lowMemoryMode: true },
  });
}

function danfoType(column: AnyColumn): string {
  switch (column.type) {
    case 'timestamp':
      return 'datetime';
    case 'float64':
      return 'float32';
    case 'int32':
      return column.valid === null ? 'int32' : 'float32';
    case 'other': {
      const type = valueType(column.values.type);
      const isNumber = [DataType.isFloat, DataType.isBool, DataType.isDecimal].some((is) => is(type));
      return isNumber || (DataType.isInt(type) && type.bitWidth < 64) || isSafe(column)
        ? 'float32'
        : 'string';
    }
    default:
      return 'string';
  }
}

function danfoCells(column: AnyColumn): (row: number) => unknown {
  const isNumber = /32$/.test(danfoType(column));
  return readAs<unknown>(column, {
    none: isNumber ? Number.NaN : null,
    time: (ms) => new Date(Number(ms)),
    number: (value) => value,
    text: (text) => text,
    other: (cell) => (isNumber ? Number(cell) : cellText(cell)),
  });
}

function isSafe(column: AnyColumn): boolean {
  return wholeAsDoubles(column).type === 'float64';
}
