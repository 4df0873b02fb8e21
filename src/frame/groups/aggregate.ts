import { Int64, makeData, Uint64 } from 'apache-arrow';
import { badArgument, shownValue } from '../../model/errors.js';
import { floatColumn } from '../series/map-series.js';
import { type AnyColumn, isKnown, otherColumn, validityWhere } from '../table/columns.js';
import { takeColumn } from '../table/take-rows.js';
import {
  type Accumulator,
  accumulateCount,
  accumulateDistinct,
  accumulateEnd,
  accumulateExtreme,
  accumulateIntegers,
  accumulateMoments,
  accumulateQuantile,
  accumulateSum,
  accumulateWeightedMean,
} from './accumulators.js';
import { type Aggregation, agg } from './agg.js';
import type { TableValues } from './table-values.js';

interface AggregationPlan<Result = never> {
  /** The minimum number of values (default 1). With fewer, the result is null. */
  readonly minValues?: number | undefined;
  readonly isKnown: (row: number) => boolean;
  readonly accumulator: Accumulator<Result>;
  readonly collect: (length: number) => Results<Result>;
}

/** Checks that a value is an aggregate created by `agg`. @throws ArgumentError if the value is not an aggregate */
export function checkAggregation(given: Partial<Aggregation>, argument: string): void {
  const { how, columns } = Object(given) as Partial<Aggregation>;
  if (how !== undefined && Object.hasOwn(agg, how) && Array.isArray(columns)) return;
  const names = Object.keys(agg).map((name) => `agg.${name}`);
  throw badArgument(argument, `${shownValue(given)} is not an aggregate; use one of ${names.join(', ')}`);
}

export function planAggregation(values: TableValues, given: Aggregation): AggregationPlan {
  return PLANS[given.how](values, given) as unknown as AggregationPlan;
}

type Planner = (values: TableValues, given: Aggregation) => AggregationPlan<number> | AggregationPlan<bigint>;

function knownRows(values: TableValues, names: readonly string[]): (row: number) => boolean {
  const [column] = names.map((name) => values.column(name));
  return (row) => column === undefined || isKnown(column, row);
}

const planRow =
  (accumulator: (values: TableValues, name: string) => Accumulator<number>): Planner =>
  (values, { columns: [name] }) => ({
    isKnown: knownRows(values, [name!]),
    accumulator: accumulator(values, name!),
    collect: (length) => collectInt32(length, (rows) => takeColumn(values.column(name!), rows)),
  });

const planNumbers =
  (accumulator: (numbers: readonly Float64Array[], given: Aggregation) => Accumulator<number>): Planner =>
  (values, given) => {
    const numbers = given.columns.map((name) => values.numbers(name, given.how));
    const [first, second = first] = numbers as [Float64Array, Float64Array?];
    return {
      isKnown: (row) => !Number.isNaN(first[row]) && !Number.isNaN(second[row]),
      accumulator: accumulator(numbers, given),
      collect: collectNumbers,
    };
  };

const planSum = (isMean: boolean) => planNumbers(([numbers]) => accumulateSum(numbers!, isMean));

const planVariance = (toResult: (variance: number) => number) =>
  planNumbers(([numbers]) =>
    accumulateMoments(numbers!, numbers!, ({ count, products }) =>
      count < 2 ? Number.NaN : toResult(products / (count - 1)),
    ),
  );

const planQuantile = planNumbers(([numbers], { share = 0.5 }) => accumulateQuantile(numbers!, share));

const PLANS: Readonly<Record<Aggregation['how'], Planner>> = {
  count: (values, { columns }) => ({
    minValues: 0,
    isKnown: knownRows(values, columns),
    accumulator: accumulateCount(),
    collect: collectCounts,
  }),
  countDistinct: (values, { columns }) => ({
    minValues: 0,
    isKnown: knownRows(values, columns),
    accumulator: accumulateDistinct(values.codes(columns[0]!).codes),
    collect: collectCounts,
  }),
  sum(values, given) {
    const [name] = given.columns;
    const integers = values.integers(name!);
    if (integers === undefined) return planSum(false)(values, given);
    const isSigned = integers instanceof BigInt64Array;
    return {
      isKnown: knownRows(values, [name!]),
      accumulator: accumulateIntegers(integers),
      collect: (length) => collectIntegers(length, { name: name!, isSigned }),
    };
  },
  mean: planSum(true),
  median: planQuantile,
  quantile: planQuantile,
  min: planRow((values, name) => accumulateExtreme(values.ordered(name, 'min'), false)),
  max: planRow((values, name) => accumulateExtreme(values.ordered(name, 'max'), true)),
  first: planRow(() => accumulateEnd(false)),
  last: planRow(() => accumulateEnd(true)),
  var: planVariance((variance) => variance),
  std: planVariance(Math.sqrt),
  weightedMean: planNumbers(([numbers, weights]) => accumulateWeightedMean(numbers!, weights!)),
  corr: planNumbers(([first, second]) =>
    accumulateMoments(first!, second!, ({ squares: [a, b], products }) =>
      a === 0 || b === 0 ? Number.NaN : products / Math.sqrt(a * b),
    ),
  ),
};

/** Collects the results of an aggregate in a column. Positions that are never set are null. */
export interface Results<Result> {
  set(at: number, result: Result): void;
  column(): AnyColumn;
}

export function collectNumbers(length: number): Results<number> {
  const numbers = new Float64Array(length).fill(Number.NaN);
  return {
    set(at, number) {
      numbers[at] = number;
    },
    column: () => floatColumn(numbers),
  };
}

function collectCounts(length: number): Results<number> {
  return collectInt32(length, (values) => {
    return { type: 'int32', values, valid: validityWhere(length, (at) => values[at]! >= 0) };
  });
}

/** Collects counts or row numbers, with -1 for null. */
function collectInt32(length: number, toColumn: (integers: Int32Array) => AnyColumn): Results<number> {
  const integers = new Int32Array(length).fill(-1);
  return {
    set(at, integer) {
      integers[at] = integer;
    },
    column: () => toColumn(integers),
  };
}

function collectIntegers(
  length: number,
  { name, isSigned }: { name: string; isSigned: boolean },
): Results<bigint> {
  const integers = isSigned ? new BigInt64Array(length) : new BigUint64Array(length);
  const isSet = new Uint8Array(length);
  return {
    set(at, integer) {
      integers[at] = integer;
      if (integers[at] !== integer)
        throw badArgument(
          'column',
          `a sum of "${name}" is ${integer}, which does not fit into 64 bits; add a column of doubles and sum that instead`,
        );
      isSet[at] = 1;
    },
    column: () =>
      otherColumn(
        makeData({
          type: isSigned ? new Int64() : new Uint64(),
          length,
          data: integers,
          nullBitmap: validityWhere(length, (at) => isSet[at] === 1),
        } as never),
      ),
  };
}
