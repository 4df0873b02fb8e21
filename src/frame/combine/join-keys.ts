import { DataType, type Table, Vector } from 'apache-arrow';
import * as v from 'valibot';
import { rowsWhere } from '../../columns/row-runs.js';
import { badArgument } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { checkOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { oneOf, type Schema, TEXT } from '../../model/schema/schemas.js';
import { toLocalDays } from '../../model/time-zone.js';
import { type Codes, type ColumnCodes, encodeColumn, numberCodes } from '../groups/encode-column.js';
import { type Arrangement, arrangeRows } from '../groups/group-rows.js';
import { dateColumn } from '../series/build-frame.js';
import { buildTable, columnData, tableColumns, takeColumns, takeTable } from '../table/build-table.js';
import {
  type AnyColumn,
  type FrameColumn,
  findColumn,
  numberAt,
  valueType,
  wholeAsDoubles,
  zoneOf,
} from '../table/columns.js';
import { type OrderedColumn, type OrderedValue, orderedColumn } from '../table/ordered.js';
import { encodeDictionary } from '../table/parse-column.js';
import { mergedMetadata, stepText } from '../table/provenance.js';
import { cellOf } from '../table/row-reader.js';
import { takeColumn } from '../table/take-rows.js';
import { concatColumns } from './concat.js';
import { renameClashes, withoutSeries } from './join-dates.js';

const NOTHING = 'it contains no columns; specify at least one';
const KEYS: Schema<readonly string[] | Readonly<Record<string, string>>> = v.union([
  v.pipe(v.array(TEXT), v.nonEmpty(NOTHING)),
  v.pipe(
    v.record(TEXT, TEXT),
    v.check((names) => Object.keys(names).length > 0, NOTHING),
  ),
]);

const KEY_JOIN = {
  /**
   * The columns whose values must be equal, such as `['farm', 'year']`, or an object that maps columns of the first
   * table to columns of the second.
   */
  on: required(KEYS),
  /**
   * The rows to keep: only matching pairs (`inner`, default); also unmatched rows of the first table (`left`) or of
   * both tables (`outer`); or only rows of the first table that have a match (`semi`) or no match (`anti`).
   */
  how: oneOf(['inner', 'left', 'outer', 'semi', 'anti']),
  /** A suffix added to the names of second-table columns that also occur in the first table. */
  suffix: TEXT,
};

/** Options for joining two tables on the values of key columns. */
export interface KeyJoinOptions extends OptionsOf<typeof KEY_JOIN> {}

/** Which rows a join keeps. See `KeyJoinOptions.how`. */
export type JoinHow = NonNullable<KeyJoinOptions['how']>;

export function joinByKeys(left: Table, right: Table, options: KeyJoinOptions): Table {
  checkOptions(options, KEY_JOIN, 'join');
  const { on, how = 'inner', suffix } = options;
  const keys: [string, string][] = Array.isArray(on) ? on.map((name) => [name, name]) : Object.entries(on);
  const pairs = keys.map(([inLeft, inRight]): KeyPair => {
    const found = [findColumn(left, inLeft, 'on'), findColumn(right, inRight, 'on')] as const;
    const columns = localDays(found, [left.getChild(inLeft)!.type, right.getChild(inRight)!.type]) ?? found;
    const values = comparable([inLeft, inRight], columns);
    const encoded = columns.map((column, side) =>
      encodeColumn(
        column === found[side]
          ? [left, right][side]!.getChild([inLeft, inRight][side]!)!
          : new Vector([columnData(column)]),
      ),
    ) as [ColumnCodes, ColumnCodes];
    return { names: [inLeft, inRight], columns, values, encoded };
  });
  const codes = keyCodes(pairs, left.numRows);
  if (how === 'semi' || how === 'anti') {
    const { starts } = codes.right;
    const fits = (row: number) => starts[codes.left[row]!]! < starts[codes.left[row]! + 1]!;
    const rows = rowsWhere(left.numRows, (row) => fits(row) === (how === 'semi'));
    return takeTable(left, rows, 'join', options);
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
  return buildTable([...first, ...second], mergedMetadata([left, right], stepText('join', options)));
}

interface KeyPair {
  readonly names: readonly [string, string];
  readonly columns: readonly [AnyColumn, AnyColumn];
  readonly values: readonly [ValueAt, ValueAt];
  readonly encoded: readonly [ColumnCodes, ColumnCodes];
}

type ValueAt = (row: number) => OrderedValue;

function comparable(names: KeyPair['names'], columns: KeyPair['columns']): readonly [ValueAt, ValueAt] {
  const isFine = columns.some(isFineTime);
  const read = (column: AnyColumn) => (isFine && exactTimes(column)) || orderedColumn(column);
  const [left, right] = [read(columns[0]), read(columns[1])];
  if (left.kind !== 'none' && left.kind === right.kind) return [left.at, right.at];
  // A column that contains only nulls can be compared with a column of any type.
  if (isEmpty(left, columns[0]) || isEmpty(right, columns[1])) return [left.at, right.at];
  const [a, b] = [
    `"${names[0]}" in the left table contains ${KINDS[left.kind]}`,
    `"${names[1]}" in the right table contains ${KINDS[right.kind]}`,
  ];
  throw badArgument(
    'on',
    `${a}, but ${b}; use columns of numbers, dates or strings, of the same kind in both tables`,
  );
}

/** Converts midnights in a time zone to days, so that they match UTC midnights and dates without a time zone. */
function localDays(
  columns: KeyPair['columns'],
  types: readonly [DataType, DataType],
): KeyPair['columns'] | undefined {
  if (!types.some(zoneOf) || columns.some(({ type }) => type !== 'timestamp')) return undefined;
  const days = columns.map((column, side): AnyColumn | null => {
    const ofTable = column as FrameColumn;
    const times = Float64Array.from({ length: column.values.length }, (_, row) => numberAt(ofTable, row));
    const begun = toLocalDays(times, zoneOf(types[side]!) ?? 'UTC');
    return begun && dateColumn(begun);
  });
  return days[0] && days[1] ? [days[0], days[1]] : undefined;
}

/** Checks whether a column has durations, or timestamps that 64-bit milliseconds cannot represent exactly. */
function isFineTime({ type, values }: AnyColumn): boolean {
  return type === 'other' && (DataType.isTimestamp(values.type) || DataType.isDuration(values.type));
}

/** Reads dates, timestamps and durations as strings independent of the time unit; `undefined` for other types. */
function exactTimes(column: AnyColumn): KeyColumn | undefined {
  const isDay = column.type === 'other' && DataType.isDate(valueType(column.values.type));
  if (column.type !== 'timestamp' && !isFineTime(column) && !isDay) return undefined;
  const cell = cellOf(column);
  const at = (row: number) => (cell(row) as string | null)?.replace(/(T00:00:00)?\.?0*Z$/, '') ?? null;
  return { kind: DataType.isDuration((column.values as Vector).type) ? 'duration' : 'date', at };
}

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
  text: 'strings',
  duration: 'durations',
  none: 'values that cannot be compared',
} as const;

interface KeyCodes {
  readonly left: Int32Array;
  readonly right: Arrangement;
}

/** Encodes the keys of both tables. A row with a null key gets a code that does not occur in the other table. */
function keyCodes(pairs: readonly KeyPair[], leftRows: number): KeyCodes {
  const { codes, size } = pairs.map(sharedCodes).reduce((outer, inner) => numberCodes(outer, inner));
  const [noLeft, noRight] = [size, size + 1];
  for (const { encoded } of pairs)
    for (const [side, { codes: own, nullCode }] of encoded.entries())
      for (let row = 0; nullCode >= 0 && row < own.length; row++)
        if (own[row] === nullCode) codes[side * leftRows + row] = side === 0 ? noLeft : noRight;
  const right = { groups: codes.subarray(leftRows), firsts: { length: size + 2 } };
  return { left: codes.subarray(0, leftRows), right: arrangeRows(right) };
}

/** Encodes one key column of both tables, left table first. Each distinct value is looked up only once per table. */
function sharedCodes({ encoded, values }: KeyPair): Codes {
  const codeOf = new Map<OrderedValue, number>();
  const codes = new Int32Array(encoded[0].codes.length + encoded[1].codes.length);
  let at = 0;
  for (const [side, own] of encoded.entries()) {
    const shared = new Int32Array(own.size).fill(-1);
    for (let row = 0; row < own.codes.length; row++) {
      const code = own.codes[row]!;
      if (shared[code]! < 0) {
        const value = values[side]!(row);
        const key = value === null ? null : exact(value);
        shared[code] = getOrCompute(codeOf, key, () => codeOf.size);
      }
      codes[at++] = shared[code]!;
    }
  }
  return { codes, size: codeOf.size };
}

function exact(value: number | bigint | string): number | bigint | string {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value;
}

interface PairedRows {
  /** The row of the left table for each row of the result, or -1 if no row matches. */
  readonly left: Int32Array;
  readonly right: Int32Array;
}

function pairedRows({ left, right: { rows, starts } }: KeyCodes, how: JoinHow): PairedRows {
  const isKept = how !== 'inner';
  let length = 0;
  for (const code of left) length += starts[code + 1]! - starts[code]! || Number(isKept);
  const seen = new Uint8Array(how === 'outer' ? rows.length : 0);
  for (const code of how === 'outer' ? left : [])
    for (let at = starts[code]!; at < starts[code + 1]!; at++) seen[rows[at]!] = 1;
  const alone = how === 'outer' ? rowsWhere(rows.length, (row) => seen[row] === 0) : new Int32Array();
  if (length + alone.length > MAX_ROWS)
    throw badArgument(
      'on',
      `the result has more than ${MAX_ROWS} rows; specify key columns that distinguish the rows`,
    );
  const pairs = {
    left: new Int32Array(length + alone.length).fill(-1, length),
    right: new Int32Array(length + alone.length),
  };
  let pair = 0;
  for (let row = 0; row < left.length; row++) {
    const [from, to] = [starts[left[row]!]!, starts[left[row]! + 1]!];
    if (from === to && isKept) {
      pairs.left[pair] = row;
      pairs.right[pair++] = -1;
    }
    for (let at = from; at < to; at++) {
      pairs.left[pair] = row;
      pairs.right[pair++] = rows[at]!;
    }
  }
  pairs.right.set(alone, length);
  return pairs;
}

// A larger result would not fit in the memory of most machines.
const MAX_ROWS = 100_000_000;

function keysOfBoth({ names, columns: [left, right] }: KeyPair, rows: PairedRows): AnyColumn {
  const all = concatColumns(names[0], alike(left, right), 'on');
  return takeColumn(
    all,
    rows.left.map((row, at) => (row >= 0 ? row : left.values.length + rows.right[at]!)),
  );
}

function alike(left: AnyColumn, right: AnyColumn): AnyColumn[] {
  const types = new Set([left.type, right.type]);
  if (types.size > 1 && types.has('dictionary'))
    return [left, right].map((column) => (column.type === 'utf8' ? encodeDictionary(column.values) : column));
  return types.size > 1 ? [left, right].map(wholeAsDoubles) : [left, right];
}
