import { isValid } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { yearOf } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { utcDay } from '../../model/time.js';
import { type RegionColumns, type RegionWeights, requireEqualLengths } from './weights.js';

/** Weights for all time, or for each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** The weight of row `i` is `weight[at[i]]`. Adjacent rows mostly have the same weight, and are processed in runs. */
export interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

/** The end of the run of rows from `from` with the same weight, exclusive. */
function runEnd({ at }: RowWeights, from: number): number {
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

/**
 * The weight of a row.
 * @throws ArgumentError when its region has no weight
 */
export function weightOfRow({ weight, at }: RowWeights, row: number): number {
  const own = weight[at[row]!];
  if (own === undefined) throw regionWithoutWeight(row, at[row]!, weight.length);
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
    if (region >= regionCount) throw regionWithoutWeight(row, region, regionCount);
    return first + region;
  });
  return { weight: Float64Array.from(years.flatMap((year) => weights.get(year)!.weights)), at };
}

function regionWithoutWeight(row: number, region: number, regionCount: number): ArgumentError {
  return new ArgumentError(
    'columns',
    `row ${row} belongs to region ${region} of ${regionCount}; pass a weight for every region of the columns`,
  );
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
  const weighted = new Float64Array(columns.value.length);
  if (weighting_func === undefined) return weightSeriesInto(weighted, columns, weights);
  applyFunction(weighted, columns, { rows: weightsOfRows(columns, weights), weighting_func });
  return weighted;
}

/**
 * `weightSeries` by the default function, into existing memory of its length. `out` may be `columns.value` itself if the
 * original values are no longer needed. Allocating the result takes half the time of `weightSeries`.
 * @throws ArgumentError when the region or the year of a row has no weight
 */
export function weightSeriesInto(
  out: Float64Array,
  columns: RegionColumns,
  weights: SeriesWeights,
): Float64Array {
  multiply(out, columns, weightsOfRows(columns, weights));
  if (columns.value_valid !== null) setInvalidToNaN(out, columns.value_valid);
  return out;
}

function multiply(out: Float64Array, { value }: RegionColumns, rows: RowWeights): void {
  for (let from = 0; from < out.length; ) {
    const to = runEnd(rows, from);
    scaleRun(out, value, { from, to, factor: weightOfRow(rows, from) });
    from = to;
  }
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

function setInvalidToNaN(weighted: Float64Array, valid: Uint8Array): void {
  for (let row = 0; row < weighted.length; row++) if (!isValid(valid, row)) weighted[row] = Number.NaN;
}

function applyFunction(
  out: Float64Array,
  { value, value_valid }: RegionColumns,
  { rows, weighting_func }: { rows: RowWeights; weighting_func: WeightingFunction },
): void {
  for (let from = 0; from < out.length; ) {
    const to = runEnd(rows, from);
    const weight = weightOfRow(rows, from);
    for (let row = from; row < to; row++) {
      const isPresent = isValid(value_valid, row) && !Number.isNaN(value[row]! * weight);
      out[row] = isPresent ? weighting_func(weight, value[row]!) : Number.NaN;
    }
    from = to;
  }
}
