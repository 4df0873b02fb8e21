import {
  Binary,
  Bool,
  DataType,
  Field,
  Float64,
  type Int,
  Int64,
  List,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { type ArgumentError, badArgument, shownValue } from '../../model/errors.js';
import type { Cell } from './cells.js';
import { type AnyColumn, columnKind, type FrameColumn, otherColumn } from './columns.js';
import { UTC } from './frame-table.js';
import { columnOf, exactNumberText, type ReadType, readTexts, readTypeOf } from './parse-column.js';

/** A value that a row may contain: a cell or a `Date`, possibly nested in arrays or objects. Undefined means null. */
export type RowValue =
  | Cell
  | Date
  | undefined
  | readonly RowValue[]
  | { readonly [Field in string]: RowValue };

interface ColumnToBuild {
  readonly name: string;
  readonly arrowType?: DataType | undefined;
  /** The type of the long-frame column with the same name. If omitted, the type is inferred from the values. */
  readonly namedType?: ReadType | undefined;
  readonly argument?: string | undefined;
}

export function columnOfCells(
  cells: readonly RowValue[],
  { name, arrowType, namedType, argument = 'rows' }: ColumnToBuild,
): AnyColumn {
  const arrow = arrowType ?? (namedType === undefined ? commonType(cells) : undefined);
  if (arrow !== undefined && columnKind(arrow) === 'other') return built(cells, arrow, { name, argument });
  const type = arrow === undefined ? (namedType ?? 'utf8') : readTypeOf(arrow);
  const own = columnOfValues(cells, type, { name, argument });
  if (own !== null) return own;
  const texts = cells.map((cell) => textOf(cell, { name, argument, isDate: type === 'timestamp' }));
  return readTexts(texts, { name, type });
}

function columnOfValues(
  cells: readonly RowValue[],
  type: ReadType,
  { name, argument }: { name: string; argument: string },
): FrameColumn | null {
  const are = (test: (cell: RowValue) => boolean) =>
    cells.every((cell) => cell === null || cell === undefined || test(cell));
  if (type === 'float64' && are((cell) => typeof cell === 'number'))
    return columnOf(type, cells, (cell) => (cell as number | undefined) ?? null);
  if (type === 'utf8' && are((cell) => typeof cell === 'string'))
    return columnOf(type, cells, (cell) => (cell as string | undefined) ?? null);
  if (type !== 'timestamp' || !are((cell) => cell instanceof Date)) return null;
  return columnOf(type, cells, (cell) => {
    const time = (cell as Date | undefined)?.getTime() ?? null;
    if (Number.isNaN(time)) throw invalidDate(name, argument);
    return time;
  });
}

/** Infers the common type of cells. It is string for mixed types, and `undefined` if a struct would have no fields. */
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

function built(
  cells: readonly RowValue[],
  type: DataType,
  { name, argument }: { name: string; argument: string },
): AnyColumn {
  try {
    const values = cells.map((cell) => checkIntegers(cell, type));
    return otherColumn(vectorFromArray(values, type).data[0]!);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badArgument(argument, `column "${name}" does not contain ${type} values: ${reason}`, {
      cause,
    });
  }
}

/** Checks that integers fit the type, because Arrow would truncate them. @throws RangeError if they do not fit */
function checkIntegers(cell: RowValue, type: DataType): RowValue {
  if (cell === null || cell === undefined) return null;
  if (DataType.isInt(type)) return integerOf(cell, type);
  if (Array.isArray(cell) && (DataType.isList(type) || DataType.isFixedSizeList(type)))
    return cell.map((item) => checkIntegers(item, type.children[0]!.type));
  if (typeof cell !== 'object' || !DataType.isStruct(type)) return cell;
  const fields = cell as { readonly [Name in string]: RowValue };
  return Object.fromEntries(
    type.children.map((field) => [field.name, checkIntegers(fields[field.name], field.type)]),
  );
}

function integerOf(cell: RowValue, { bitWidth, isSigned }: Int): number | bigint {
  const isText = typeof cell === 'string' && /^-?\d+$/.test(cell);
  if (typeof cell === 'bigint' || Number.isInteger(cell) || isText) {
    const integer = BigInt(cell as bigint);
    if ((isSigned ? BigInt.asIntN : BigInt.asUintN)(bitWidth, integer) === integer)
      return bitWidth === 64 ? integer : Number(integer);
  }
  throw new RangeError(
    `${shownValue(cell)} is not an ${isSigned ? '' : 'unsigned '}integer of ${bitWidth} bits`,
  );
}

function invalidDate(name: string, argument: string): ArgumentError {
  return badArgument(
    argument,
    `column "${name}" contains an invalid Date; use a valid date, or null if there is none`,
  );
}

function textOf(
  cell: RowValue,
  { name, argument, isDate }: { name: string; argument: string; isDate: boolean },
): string | null {
  if (typeof cell === 'number') return exactNumberText(cell);
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Date && Number.isNaN(cell.getTime())) throw invalidDate(name, argument);
  if (cell instanceof Date && isDate) return cell.toISOString();
  throw badArgument(
    argument,
    `${shownValue(cell)} in column "${name}" has a different type from the values before it`,
  );
}
