import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { shiftMonthEnd } from '../../model/calendar.js';
import type { PeriodLength } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { type AnyColumn, findColumn } from '../table/columns.js';
import { takeColumn } from '../table/take-rows.js';
import type { Aggregation } from './agg.js';
import { planAggregation } from './aggregate.js';
import { type Arrangement, arrangeRows, type Grouping } from './group-rows.js';
import { orderKeys, orderRows, type SortKeys } from './order-rows.js';
import { collectNumbers } from './results.js';
import { TableValues } from './table-values.js';
import type { OffsetOptions, RankOptions, Window } from './windows.js';

/**
 * Computes a window function of the rows of each group.
 * @throws ArgumentError when a column does not exist, has values of another kind, or cannot be ordered by
 */
export function computeWindow(values: TableValues, grouping: Grouping, given: Window): AnyColumn {
  const arrange = (by: SortKeys | undefined) => arrangeBy(values.table, grouping, by);
  switch (given.window) {
    case 'rank':
      return rankRows(values, grouping, given.columns[0]!, given.options);
    case 'lag':
    case 'lead': {
      const rows = shiftRows(arrange(given.options.by), given.options, given.window);
      return takeColumn(values.column(given.columns[0]!), rows);
    }
    case 'cumulative':
      return slide(values.table, given.aggregate, arrange(given.options.by), {
        from: (_, start) => start,
        to: (at) => at + 1,
      });
    case 'rolling': {
      const { by, window, min_values } = given.options;
      const arrangement = arrange(by);
      const bounds =
        'rows' in window
          ? lastRows(window.rows)
          : calendarBounds(datesOf(values.table, by as string), arrangement, window);
      return slide(values.table, given.aggregate, arrangement, bounds, min_values);
    }
  }
}

function arrangeBy(table: Table, grouping: Grouping, by: SortKeys | undefined): Arrangement {
  if (by === undefined) return arrangeRows(grouping);
  return arrangeRows(grouping, orderRows(table.numRows, orderKeys(table, by)));
}

/** Finds, for each row, the row that is `offset` places before or after it in its group; -1 for none. */
function shiftRows(
  { rows, starts }: Arrangement,
  { offset = 1 }: OffsetOptions,
  window: 'lag' | 'lead',
): Int32Array {
  const shifted = new Int32Array(rows.length).fill(-1);
  const places = window === 'lag' ? offset : -offset;
  for (let group = 0; group < starts.length - 1; group++) {
    const [start, end] = [starts[group]!, starts[group + 1]!];
    for (let at = start; at < end; at++) {
      const from = at - places;
      if (from >= start && from < end) shifted[rows[at]!] = rows[from]!;
    }
  }
  return shifted;
}

function rankRows(
  values: TableValues,
  grouping: Grouping,
  column: string,
  { descending = false, ties = 'min' }: RankOptions,
): AnyColumn {
  const { codes, nullCode } = values.codes(column);
  const { rows, starts } = arrangeBy(values.table, grouping, { column, descending });
  const ranks = collectNumbers(rows.length);
  for (let group = 0; group < starts.length - 1; group++) {
    const start = starts[group]!;
    let distinct = 0;
    for (let from = start, to = from; from < starts[group + 1]!; from = to) {
      const code = codes[rows[from]!];
      while (to < starts[group + 1]! && codes[rows[to]!] === code) to++;
      if (code === nullCode) continue;
      distinct++;
      const place = from - start + 1;
      const rank = { min: place, dense: distinct, first: place, average: (place + to - start) / 2 }[ties];
      for (let at = from; at < to; at++) ranks.set(rows[at]!, ties === 'first' ? rank + at - from : rank);
    }
  }
  return ranks.column();
}

/** The rows of each window, from a start to an exclusive end. Both ascend with the position of the row in its group. */
interface WindowBounds {
  readonly from: (at: number, start: number) => number;
  readonly to: (at: number, end: number) => number;
}

const lastRows = (rows: number): WindowBounds => ({
  from: (at, start) => Math.max(start, at + 1 - rows),
  to: (at) => at + 1,
});

/** Aggregates the rows of each window, adding those that enter it and removing those that leave it. */
function slide(
  table: Table,
  aggregate: Aggregation,
  { rows, starts }: Arrangement,
  bounds: WindowBounds,
  minValues = 0,
): AnyColumn {
  const { isKnown, accumulator, collect } = planAggregation(new TableValues(table, rows), aggregate);
  const results = collect(rows.length);
  let count = 0;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (!isKnown(at)) continue;
      accumulator.add(at);
      count++;
    }
  };
  const clear = () => {
    accumulator.clear();
    count = 0;
  };
  const remove = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (!isKnown(at)) continue;
      accumulator.remove!(at);
      count--;
    }
  };
  for (let group = 0; group < starts.length - 1; group++) {
    const start = starts[group]!;
    const end = starts[group + 1]!;
    let first = start;
    let last = start;
    clear();
    for (let at = start; at < end; at++) {
      const from = bounds.from(at, start);
      const to = bounds.to(at, end);
      if (from > first && accumulator.remove === undefined) {
        clear();
        last = from;
      } else remove(first, from);
      add(last, to);
      first = from;
      last = to;
      if (count > 0 && count >= minValues) results.set(rows[at]!, accumulator.result());
    }
  }
  return results.column();
}

/** @throws ArgumentError when the column has no dates, or a row has none */
function datesOf(table: Table, name: string): Float64Array {
  const column = findColumn(table, name, 'by');
  if (column.type !== 'timestamp')
    throw badArgument(
      'by',
      `"${name}" is ${table.getChild(name)!.type}; a window in the calendar needs dates`,
    );
  for (let row = 0; row < table.numRows; row++)
    if (!isValid(column.valid, row))
      throw badArgument('by', `row ${row + 1} of "${name}" has no date; filter it out`);
  return readEpochs(column.values);
}

/** Finds the bounds of calendar windows: rows after `date − length`, up to the last row of the same date. */
function calendarBounds(dates: Float64Array, { rows }: Arrangement, length: PeriodLength): WindowBounds {
  const begun = new Map<number, number>();
  const beginOf = (date: number): number => {
    const known = begun.get(date) ?? shiftMonthEnd(date, length, -1);
    begun.set(date, known);
    return known;
  };
  const dateAt = (at: number) => dates[rows[at]!]!;
  let [first, next] = [0, 0];
  return {
    from(at, start) {
      if (at === start) [first, next] = [start, start];
      for (const begin = beginOf(dateAt(at)); dateAt(first) <= begin; ) first++;
      return first;
    },
    to(at, end) {
      while (next < end && dateAt(next) <= dateAt(at)) next++;
      return next;
    },
  };
}
