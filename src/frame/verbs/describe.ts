import { DataType, type Table } from 'apache-arrow';
import { quantile } from '../groups/accumulators.js';
import { floatColumn } from '../series/map-series.js';
import { deriveTable } from '../table/build-table.js';
import { cellText } from '../table/cells.js';
import { type AnyColumn, readColumns, refuseRepeatedNames, valueType } from '../table/columns.js';
import { compareValues, type OrderedValue, orderedColumn } from '../table/ordered.js';
import { columnOf } from '../table/parse-column.js';
import { cellOf } from '../table/row-reader.js';

const STATISTICS = ['mean', 'min', 'q25', 'median', 'q75', 'max'];

export function describe(table: Table): Table {
  refuseRepeatedNames(table);
  const columns = readColumns(table);
  const all = columns.map(({ field: { name, type }, column }) => ({
    ...{ name, type },
    ...describeColumn(column),
  }));
  const statistics = STATISTICS.map(
    (name, at) => [name, floatColumn(Float64Array.from(all, ({ numbers }) => numbers[at]!))] as const,
  );
  const described = {
    column: columnOf('utf8', all, ({ name }) => name),
    type: columnOf('utf8', all, ({ type }) => String(type)),
    count: columnOf('int32', all, ({ count }) => count),
    nulls: columnOf('int32', all, ({ nulls }) => nulls),
    distinct: columnOf('int32', all, ({ distinct }) => distinct),
    ...Object.fromEntries(statistics),
    first: columnOf('utf8', all, ({ first }) => first),
    last: columnOf('utf8', all, ({ last }) => last),
  };
  const made = Object.entries(described).map(([name, column]) => ({ name, column }));
  return deriveTable(table, made, 'describe');
}

function describeColumn(column: AnyColumn) {
  const { kind, at } = orderedColumn(column, true);
  const { length } = column.values;
  const doubles = new Float64Array(kind === 'number' ? length : 0);
  const integers: bigint[] = [];
  const distinct = new Set<OrderedValue>();
  let [count, first, last] = [0, -1, -1];
  for (let row = 0; row < length; row++) {
    const value = at(row);
    if (value === null) continue;
    if (typeof value === 'bigint') integers.push(value);
    if (kind === 'number') doubles[count] = Number(value);
    count++;
    const isKnown = distinct.size === distinct.add(value).size;
    if (isKnown || (kind === 'number' && typeof value === 'number')) continue;
    if (first < 0 || compareValues(value, at(first)) < 0) first = row;
    if (last < 0 || compareValues(value, at(last)) > 0) last = row;
  }
  const cell = cellOf(column);
  const isShown = kind !== 'none' && first >= 0;
  return {
    count,
    nulls: length - count,
    distinct: distinct.size,
    numbers: statistics(doubles.subarray(0, count), integers, scaleOf(column)),
    first: isShown ? cellText(cell(first)) : null,
    last: isShown ? cellText(cell(last)) : null,
  };
}

/** Returns the factor by which decimals were multiplied to become integers, or 1 for other columns. */
function scaleOf({ type, values }: AnyColumn): number {
  const of = type === 'other' ? valueType(values.type) : null;
  return DataType.isDecimal(of) ? 10 ** Math.max(0, of.scale) : 1;
}

function exactMean(integers: readonly bigint[]): number {
  const [sum, count] = [integers.reduce((sum, value) => sum + value, 0n), BigInt(integers.length)];
  return Number(sum / count) + Number(sum % count) / integers.length;
}

/** Computes statistics of values that were multiplied by `scale`. Quartiles become NaN if a double cannot hold them. */
function statistics(numbers: Float64Array, integers: readonly bigint[], scale: number): number[] {
  const sorted = numbers.sort();
  if (sorted.length === 0) return STATISTICS.map(() => Number.NaN);
  const isExact = integers.length === 0;
  const mean = isExact ? sorted.reduce((sum, value) => sum + value, 0) / sorted.length : exactMean(integers);
  const quartiles = [0, 0.25, 0.5, 0.75, 1]
    .map((share) => quantile(sorted, share))
    .map((value) => (isExact || Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value / scale : Number.NaN));
  return [mean / scale, ...quartiles];
}
