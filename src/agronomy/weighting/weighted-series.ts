import { isValid } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { yearOf } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { utcDay } from '../../model/time.js';
import { noSuchRegion, type RegionColumns, type RegionWeights, requireEqualLengths } from './weights.js';

/** Weights for all time, or for each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** The weight of row `i` is `weight[at[i]]`. */
export interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

/**
 * The weight of a row.
 * @throws ArgumentError when its region has no weight
 */
export function weightOfRow({ weight, at }: RowWeights, row: number): number {
  const own = weight[at[row]!];
  if (own === undefined) throw noSuchRegion(row, at[row]!, weight.length);
  return own;
}

/**
 * The weight of each row: that of its region, and with weights by year that of the year in which its period starts.
 * @throws ArgumentError when a year has no weights
 */
export function weightsOfRows(columns: RegionColumns, weights: SeriesWeights): RowWeights {
  if (!('weights' in weights)) return weightsOfYears(columns, weights);
  return { weight: Float64Array.from(weights.weights), at: columns.region };
}

function weightsOfYears(columns: RegionColumns, weights: ReadonlyMap<number, RegionWeights>): RowWeights {
  const years = [...weights.keys()];
  const regionCount = weights.get(years[0]!)?.weights.length ?? 0;
  const starts = readEpochs(columns.start_date);
  let [from, to, first] = [0, 0, 0];
  const at = columns.region.map((region, row) => {
    const start = starts[row]!;
    if (start < from || start >= to) {
      const year = yearOf(start);
      if (!weights.has(year)) throw yearWithoutWeights(year, years);
      [from, to, first] = [utcDay(year, 1, 1), utcDay(year + 1, 1, 1), years.indexOf(year) * regionCount];
    }
    if (region >= regionCount) throw noSuchRegion(row, region, regionCount);
    return first + region;
  });
  return { weight: Float64Array.from(years.flatMap((year) => weights.get(year)!.weights)), at };
}

function yearWithoutWeights(year: number, years: readonly number[]): ArgumentError {
  return new ArgumentError(
    'weights',
    `there are no weights for ${year}, only for ${years.join(', ')}; restrict the series to those years, or weight by the mean over time`,
  );
}

/** Adjusts a value by its region's weight; the default is weight × value. */
export type WeightingFunction = (weight: number, value: number) => number;

/**
 * The values adjusted by their regions' weights, row by row; NaN where a row has no value, or its region no weight in the
 * year. Weights by year are those of the calendar year in which the row's period starts.
 * @throws ArgumentError when the region or the year of a row has no weight
 */
export function weightSeries(
  columns: RegionColumns,
  weights: SeriesWeights,
  weighting_func?: WeightingFunction,
): Float64Array {
  requireEqualLengths(columns);
  const rows = weightsOfRows(columns, weights);
  const { value, value_valid } = columns;
  const weighted = new Float64Array(value.length);
  for (let from = 0; from < weighted.length; ) {
    const to = runEnd(rows.at, from);
    scaleRun(weighted, value, { from, to, factor: weightOfRow(rows, from) });
    from = to;
  }
  if (value_valid === null && weighting_func === undefined) return weighted;
  return weighted.map((product, row) => {
    if (Number.isNaN(product) || !isValid(value_valid, row)) return Number.NaN;
    return weighting_func === undefined ? product : weighting_func(weightOfRow(rows, row), value[row]!);
  });
}

/** The end of the adjacent rows from `from` that have the same weight, exclusive. */
function runEnd(at: Uint32Array, from: number): number {
  const position = at[from]!;
  let to = from + 1;
  while (to + 8 <= at.length && isRunOfEight(at, to, position)) to += 8;
  while (to < at.length && at[to] === position) to++;
  return to;
}

/** Compares eight rows with a single branch. */
function isRunOfEight(at: Uint32Array, row: number, position: number): boolean {
  const differs =
    (at[row]! ^ position) |
    (at[row + 1]! ^ position) |
    (at[row + 2]! ^ position) |
    (at[row + 3]! ^ position) |
    (at[row + 4]! ^ position) |
    (at[row + 5]! ^ position) |
    (at[row + 6]! ^ position) |
    (at[row + 7]! ^ position);
  return differs === 0;
}

interface Scaling {
  readonly from: number;
  readonly to: number;
  readonly factor: number;
}

/** Unrolled by eight, which is 1.5 times as fast. */
function scaleRun(out: Float64Array, value: Float64Array, { from, to, factor }: Scaling): void {
  let row = from;
  for (; row + 8 <= to; row += 8) {
    out[row] = factor * value[row]!;
    out[row + 1] = factor * value[row + 1]!;
    out[row + 2] = factor * value[row + 2]!;
    out[row + 3] = factor * value[row + 3]!;
    out[row + 4] = factor * value[row + 4]!;
    out[row + 5] = factor * value[row + 5]!;
    out[row + 6] = factor * value[row + 6]!;
    out[row + 7] = factor * value[row + 7]!;
  }
  for (; row < to; row++) out[row] = factor * value[row]!;
}
