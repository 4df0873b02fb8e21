import { readEpochs } from '../../columns/series-dates.js';
import { yearOf } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { utcDay } from '../../model/time.js';
import type { RegionColumns, RegionWeights } from './weights.js';

/** Weights for all time, or for each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** The weight of row `i` is `weight[at[i]]`. Adjacent rows mostly have the same weight, and are processed in runs. */
export interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

/** The end of the run of rows from `from` with the same weight, exclusive. */
export function runEnd({ at }: RowWeights, from: number): number {
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
