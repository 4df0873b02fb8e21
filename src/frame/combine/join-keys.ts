import { DataType, type Duration, type Table, type Timestamp, type Vector } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import { daysBegun } from '../../model/time-zone.js';
import { dateColumn } from '../series/build-frame.js';
import { buildTable, tableColumns, takeColumns } from '../table/build-table.js';
import { SECOND_DIGITS } from '../table/cells.js';
import {
  type AnyColumn,
  type FrameColumn,
  findColumn,
  joinValues,
  numberAt,
  wholeAsDoubles,
  zoneOf,
} from '../table/columns.js';
import { type OrderedColumn, type OrderedValue, orderedColumn } from '../table/ordered.js';
import { encodeDictionary } from '../table/parse-column.js';
import { derivedMetadata, mergedMetadata } from '../table/provenance.js';
import { takeColumn } from '../table/take-rows.js';
import { concatColumns } from './concat.js';
import { renameClashes, withoutSeries } from './join-sides.js';

/** Which rows are kept: pairs, with those of the first or of both that fit none, or the rows of the first alone. */
export type JoinHow = 'inner' | 'left' | 'outer' | 'semi' | 'anti';

interface KeyJoin {
  /** Names of the columns in the first and in the second table. */
  readonly keys: readonly (readonly [left: string, right: string])[];
  readonly how: JoinHow;
  readonly suffix: string | undefined;
  readonly step: string;
}

/**
 * Two tables side by side where the values of columns are equal; null equals nothing. Every pair of rows that fit is a row,
 * in the order of the first, then of the second.
 * @throws ArgumentError when a column does not exist or cannot be compared, both tables have another column of one name
 * and there is no suffix, or the result has too many rows
 */
export function joinByKeys(left: Table, right: Table, { keys, how, suffix, step }: KeyJoin): Table {
  const pairs = keys.map(([inLeft, inRight]): KeyPair => {
    const found = [findColumn(left, inLeft, 'on'), findColumn(right, inRight, 'on')] as const;
    const columns = localDays(found, [left.getChild(inLeft)!.type, right.getChild(inRight)!.type]) ?? found;
    return { names: [inLeft, inRight], columns, values: comparable([inLeft, inRight], columns) };
  });
  const codes = keyCodes(pairs, left.numRows, right.numRows);
  if (how === 'semi' || how === 'anti') {
    const inRight = new Set(codes.right);
    const rows = Int32Array.from(codes.left.keys()).filter(
      (row) => (codes.left[row]! >= 0 && inRight.has(codes.left[row]!)) === (how === 'semi'),
    );
    return buildTable(takeColumns(tableColumns(left), rows), derivedMetadata(left, step));
  }
  const rows = pairedRows(codes, how);
  const keyOf = new Map(pairs.map((pair) => [pair.names[0], pair]));
  const first = takeColumns(tableColumns(left), rows.left).map((each) => {
    const pair = how === 'outer' ? keyOf.get(each.name) : undefined;
    return pair === undefined ? each : { ...each, column: keysOfBoth(pair, rows) };
  });
  const isKey = new Set(keys.map(([, name]) => name));
  const isOnDates = keys.some((names) => names.every((name) => name === 'end_date'));
  const others = tableColumns(right)
    .filter(({ name }) => !isKey.has(name))
    .map((each) => (isOnDates ? each : withoutSeries(each)));
  const second = renameClashes(
    takeColumns(others, rows.right),
    new Set(first.map(({ name }) => name)),
    suffix,
  );
  return buildTable([...first, ...second], mergedMetadata([left, right], step));
}

interface KeyPair {
  readonly names: readonly [string, string];
  readonly columns: readonly [AnyColumn, AnyColumn];
  readonly values: readonly [ValueAt, ValueAt];
}

type ValueAt = (row: number) => OrderedValue;

function comparable(names: KeyPair['names'], columns: KeyPair['columns']): readonly [ValueAt, ValueAt] {
  const isFine = columns.some(isFineTime);
  const read = (column: AnyColumn) => (isFine && inNanoseconds(column)) || orderedColumn(column);
  const [left, right] = [read(columns[0]), read(columns[1])];
  if (left.kind !== 'none' && left.kind === right.kind) return [left.at, right.at];
  // A column without values has the type of any other.
  if (isEmpty(left, columns[0]) || isEmpty(right, columns[1])) return [left.at, right.at];
  const [a, b] = [
    `"${names[0]}" of the left has ${KINDS[left.kind]}`,
    `"${names[1]}" of the right ${KINDS[right.kind]}`,
  ];
  throw badArgument('on', `${a}, ${b}; give columns of numbers, dates or texts, alike in both`);
}

/**
 * Converts the times of both columns to days, if every time is midnight in the zone of its column. Midnight in a zone is
 * another time than midnight in UTC, and than a day without a zone.
 */
function localDays(
  columns: KeyPair['columns'],
  types: readonly [DataType, DataType],
): KeyPair['columns'] | undefined {
  if (!types.some(zoneOf) || columns.some(({ type }) => type !== 'timestamp')) return undefined;
  const days = columns.map((column, side): AnyColumn | null => {
    const ofTable = column as FrameColumn;
    const times = Float64Array.from({ length: column.values.length }, (_, row) => numberAt(ofTable, row));
    const begun = daysBegun(times, zoneOf(types[side]!) ?? 'UTC');
    return begun && dateColumn(begun);
  });
  return days[0] && days[1] ? [days[0], days[1]] : undefined;
}

/** Checks whether a column has durations, or times finer than a millisecond. */
function isFineTime({ type, values }: AnyColumn): boolean {
  return type === 'other' && (DataType.isTimestamp(values.type) || DataType.isDuration(values.type));
}

/** Converts times or durations of any unit to nanoseconds; undefined for other columns. */
function inNanoseconds(column: AnyColumn): KeyColumn | undefined {
  const { type, values, valid } = column;
  if (type === 'timestamp')
    return { kind: 'date', at: (row) => (isValid(valid, row) ? values[row]! * 1_000_000n : null) };
  if (!isFineTime(column)) return undefined;
  const { unit } = (values as Vector).type as Timestamp | Duration;
  const raw = joinValues(values as Vector, BigInt64Array);
  const nanoseconds = 10n ** BigInt(9 - SECOND_DIGITS[unit]);
  const kind = DataType.isDuration((values as Vector).type) ? 'duration' : 'date';
  return { kind, at: (row) => (isValid(valid, row) ? raw[row]! * nanoseconds : null) };
}

/** A column of join keys: as `orderedColumn` returns it, or durations. */
interface KeyColumn {
  readonly kind: OrderedColumn['kind'] | 'duration';
  readonly at: ValueAt;
}

function isEmpty({ at }: KeyColumn, { values }: AnyColumn): boolean {
  for (let row = 0; row < values.length; row++) if (at(row) !== null) return false;
  return true;
}

const KINDS = {
  number: 'numbers',
  date: 'dates',
  text: 'texts',
  duration: 'durations',
  none: 'values that cannot be compared',
} as const;

interface Codes {
  /** A number for each row, equal for rows with equal keys; -1 where a key is null. */
  readonly left: Float64Array;
  readonly right: Float64Array;
}

function keyCodes(pairs: readonly KeyPair[], leftRows: number, rightRows: number): Codes {
  const codes = { left: new Float64Array(leftRows), right: new Float64Array(rightRows) };
  for (const { values } of pairs) {
    const known = new Map<unknown, number>();
    const combined = new Map<number, number>();
    const renumber = (numbers: Float64Array, at: ValueAt): void => {
      for (let row = 0; row < numbers.length; row++) {
        const value = at(row);
        if (numbers[row]! < 0 || value === null) {
          numbers[row] = -1;
          continue;
        }
        const pair = numbers[row]! * MAX_CODES + codeOf(known, exact(value));
        numbers[row] = codeOf(combined, pair);
      }
    };
    renumber(codes.left, values[0]);
    renumber(codes.right, values[1]);
  }
  return codes;
}

/** A Map holds no more. */
const MAX_CODES = 2 ** 24;

function codeOf<Key>(codes: Map<Key, number>, key: Key): number {
  const code = codes.get(key) ?? codes.size;
  codes.set(key, code);
  return code;
}

/** Equal numbers of different types as one value. */
function exact(value: number | bigint | string): number | bigint | string {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value;
}

interface PairedRows {
  /** For each row of the result that of each table; -1 for none. */
  readonly left: Int32Array;
  readonly right: Int32Array;
}

function pairedRows(codes: Codes, how: JoinHow): PairedRows {
  const rowsOf = groupedBy(codes.right.keys(), (row) => codes.right[row]!);
  // Rows without a key fit none.
  rowsOf.delete(-1);
  const seen = new Uint8Array(codes.right.length);
  const pairs: { left: number[]; right: number[] } = { left: [], right: [] };
  codes.left.forEach((code, row) => {
    const fitting = rowsOf.get(code) ?? (how === 'inner' ? [] : [-1]);
    if (pairs.left.length + fitting.length > MAX_ROWS) throw tooManyRows();
    for (const other of fitting) {
      pairs.left.push(row);
      pairs.right.push(other);
      if (other >= 0) seen[other] = 1;
    }
  });
  if (how === 'outer')
    seen.forEach((isSeen, row) => {
      if (isSeen === 1) return;
      pairs.left.push(-1);
      pairs.right.push(row);
    });
  return { left: Int32Array.from(pairs.left), right: Int32Array.from(pairs.right) };
}

/** A list of numbers holds no more. */
const MAX_ROWS = 100_000_000;

function tooManyRows(): ArgumentError {
  return badArgument(
    'on',
    `the result has more than ${MAX_ROWS} rows; name the columns that tell the rows apart`,
  );
}

/** The values of a key that either table has. */
function keysOfBoth({ names, columns: [left, right] }: KeyPair, rows: PairedRows): AnyColumn {
  const all = concatColumns(names[0], alike(left, right));
  return takeColumn(
    all,
    rows.left.map((row, at) => (row >= 0 ? row : left.values.length + rows.right[at]!)),
  );
}

/** Columns of texts, or of integers and floats, in one type. */
function alike(left: AnyColumn, right: AnyColumn): AnyColumn[] {
  const types = new Set([left.type, right.type]);
  if (types.size > 1 && types.has('dictionary'))
    return [left, right].map((column) => (column.type === 'utf8' ? encodeDictionary(column.values) : column));
  return types.size > 1 ? [left, right].map(wholeAsDoubles) : [left, right];
}
