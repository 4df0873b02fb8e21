import type { Table } from 'apache-arrow';
import { floatColumn } from '../series/map-series.js';
import { buildTable } from '../table/build-table.js';
import { cellText } from '../table/cells.js';
import { type AnyColumn, readColumns } from '../table/columns.js';
import { compareValues, type OrderedValue, orderedColumn } from '../table/ordered.js';
import { columnOf } from '../table/parse-column.js';
import { derivedMetadata } from '../table/provenance.js';
import { rowReader } from '../table/row-reader.js';
import { quantile } from './quantile.js';

/** The statistics of a column. */
interface Description {
  readonly count: number;
  readonly nulls: number;
  readonly distinct: number;
  /** Mean, minimum, quartiles and maximum; NaN of other columns than numbers. */
  readonly numbers: readonly number[];
  /** The first and the last value in order, as texts; null of columns that have no order. */
  readonly first: string | null;
  readonly last: string | null;
}

const STATISTICS = ['mean', 'min', 'q25', 'median', 'q75', 'max'];

/**
 * A row for each column of a table: its type; how many rows have a value, have none, and how many values are distinct; the
 * mean, the minimum, the quartiles (interpolated linearly) and the maximum of numbers; the first and the last of dates and
 * texts in order.
 */
export function describe(table: Table): Table {
  const read = rowReader(table);
  const columns = readColumns(table);
  const all = columns.map(({ field: { name, type }, column }) => ({
    ...{ name, type },
    ...describeColumn(column, (row) => cellText(read(row)[name]!)),
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
  return buildTable(
    Object.entries(described).map(([name, column]) => ({ name, column })),
    derivedMetadata(table, 'describe()'),
  );
}

function describeColumn(column: AnyColumn, textAt: (row: number) => string): Description {
  const { kind, at } = orderedColumn(column);
  const { length } = column.values;
  const numbers = new Float64Array(kind === 'number' ? length : 0);
  const distinct = new Set<OrderedValue>();
  let count = 0;
  let [first, last] = [-1, -1];
  for (let row = 0; row < length; row++) {
    const value = at(row);
    if (value === null) continue;
    if (kind === 'number') numbers[count] = Number(value);
    else if (!distinct.has(value)) {
      if (first < 0 || compareValues(value, at(first)) < 0) first = row;
      if (last < 0 || compareValues(value, at(last)) > 0) last = row;
    }
    distinct.add(value);
    count++;
  }
  const isShown = kind !== 'none' && first >= 0;
  return {
    count,
    nulls: length - count,
    distinct: distinct.size,
    numbers: statistics(numbers.subarray(0, count)),
    first: isShown ? textAt(first) : null,
    last: isShown ? textAt(last) : null,
  };
}

/** NaN where there are no numbers. */
function statistics(values: Float64Array): number[] {
  const sorted = values.sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return sorted.length === 0
    ? STATISTICS.map(() => Number.NaN)
    : [mean, ...[0, 0.25, 0.5, 0.75, 1].map((share) => quantile(sorted, share))];
}
