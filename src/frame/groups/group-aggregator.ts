import { unpackDates } from '../../columns/series-dates.js';
import { getOrCompute } from '../../model/grouping.js';
import { floatColumn } from '../series/map-series.js';
import type { AnyColumn } from '../table/columns.js';
import type { Aggregation } from './agg.js';
import { planAggregation } from './aggregate.js';
import { type Arrangement, arrangeRows, type Grouping } from './group-rows.js';
import { TableValues } from './table-values.js';

export class GroupAggregator {
  readonly #values: TableValues;
  readonly #grouping: Grouping;
  readonly #summaries = new Map<Float64Array, Summary>();
  #arrangement: Arrangement | undefined;
  /** The values arranged by group, so that memory is read sequentially. */
  #arranged: TableValues | undefined;

  constructor(values: TableValues, grouping: Grouping) {
    this.#values = values;
    this.#grouping = grouping;
  }

  aggregate(given: Aggregation): AnyColumn {
    return this.#byColumn(given) ?? this.#byGroup(given);
  }

  /**
   * Computes common aggregates in one pass, without arranging rows by group. This is five times as fast for two million
   * rows in 50,000 groups. Returns `undefined` for other aggregates.
   */
  #byColumn(given: Aggregation): AnyColumn | undefined {
    const {
      how,
      columns: [name],
    } = given;
    if (how === 'count' && name === undefined) return countRows(this.#grouping);
    if (how === 'count') return countRows(this.#grouping, planAggregation(this.#values, given).isKnown);
    if (how === 'sum' || how === 'mean') {
      if (how === 'sum' && this.#values.hasIntegers(name!)) return undefined;
      return floatColumn(this.#summary(this.#values.numbers(name!, how))[how]());
    }
    if (how !== 'min' && how !== 'max') return undefined;
    const numbers = this.#values.exactNumbers(name!);
    return numbers && columnLike(this.#values.column(name!), this.#summary(numbers)[how]());
  }

  #summary(numbers: Float64Array): Summary {
    return getOrCompute(this.#summaries, numbers, () => summarize(numbers, this.#grouping));
  }

  #byGroup(given: Aggregation): AnyColumn {
    this.#arrangement ??= arrangeRows(this.#grouping);
    const { rows, starts } = this.#arrangement;
    this.#arranged ??= new TableValues(this.#values.table, rows);
    const { accumulator, isKnown, collect, minValues = 1 } = planAggregation(this.#arranged, given);
    const results = collect(starts.length - 1);
    for (let group = 0; group < starts.length - 1; group++) {
      let count = 0;
      accumulator.clear();
      for (let at = starts[group]!; at < starts[group + 1]!; at++) {
        if (!isKnown(at)) continue;
        accumulator.add(at);
        count++;
      }
      if (count >= minValues) results.set(group, accumulator.result(count));
    }
    return results.column();
  }
}

function countRows({ groups, firsts }: Grouping, isKnown?: (row: number) => boolean): AnyColumn {
  const counts = new Int32Array(firsts.length);
  if (isKnown === undefined) for (let row = 0; row < groups.length; row++) counts[groups[row]!]!++;
  else for (let row = 0; row < groups.length; row++) if (isKnown(row)) counts[groups[row]!]!++;
  return { type: 'int32', values: counts, valid: null };
}

/** Functions that return a statistic for each group, with NaN for a group without values. */
type Summary = Readonly<Record<'sum' | 'mean' | 'min' | 'max', () => Float64Array>>;

/** The number of statistics per group: count, sum, minimum and maximum. One group's statistics fit in a cache line. */
const STATISTICS = 4;

function summarize(numbers: Float64Array, { groups, firsts }: Grouping): Summary {
  const statistics = new Float64Array(firsts.length * STATISTICS);
  for (let at = 0; at < statistics.length; at += STATISTICS) {
    statistics[at + 2] = Number.POSITIVE_INFINITY;
    statistics[at + 3] = Number.NEGATIVE_INFINITY;
  }
  for (let row = 0; row < groups.length; row++) {
    const value = numbers[row]!;
    if (Number.isNaN(value)) continue;
    const at = groups[row]! * STATISTICS;
    statistics[at]!++;
    statistics[at + 1]! += value;
    if (value < statistics[at + 2]!) statistics[at + 2] = value;
    if (value > statistics[at + 3]!) statistics[at + 3] = value;
  }
  const ofGroups = (valueAt: (at: number) => number) => () => {
    const values = new Float64Array(firsts.length);
    for (let group = 0; group < values.length; group++) {
      const at = group * STATISTICS;
      values[group] = statistics[at] === 0 ? Number.NaN : valueAt(at);
    }
    return values;
  };
  return {
    sum: ofGroups((at) => statistics[at + 1]!),
    mean: ofGroups((at) => statistics[at + 1]! / statistics[at]!),
    min: ofGroups((at) => statistics[at + 2]!),
    max: ofGroups((at) => statistics[at + 3]!),
  };
}

/** Creates a column of the given column's type. The type must represent all numbers exactly. NaN becomes null. */
function columnLike({ type }: AnyColumn, numbers: Float64Array): AnyColumn {
  const { valid } = floatColumn(numbers);
  if (type === 'int32') return { type, values: Int32Array.from(numbers), valid };
  if (type !== 'timestamp') return { type: 'float64', values: numbers, valid };
  const values = new BigInt64Array(numbers.length);
  unpackDates(numbers, numbers.length, values);
  return { type, values, valid };
}
