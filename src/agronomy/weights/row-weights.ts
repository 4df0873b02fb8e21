import { ArgumentError } from '../../model/errors.js';
import { indexPeriods } from './period-index.js';
import type { RegionColumns, RegionWeights } from './weights.js';

/** Weights that hold for all time, or those of each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** Row `i` weighs `weight[at[i]]`; rows side by side mostly weigh the same, and are taken in runs. */
export interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

/** The row after the last of those from `from` on that weigh the same. */
export function runEnd({ at }: RowWeights, from: number): number {
  const position = at[from]!;
  let to = from + 1;
  while (to + 8 <= at.length && isRunOfEight(at, to, position)) to += 8;
  while (to < at.length && at[to] === position) to++;
  return to;
}

/** One question to the processor for eight rows. */
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
 * @throws ArgumentError when it belongs to no region
 */
export function weightOfRow({ weight, at }: RowWeights, row: number): number {
  const own = weight[at[row]!];
  if (own === undefined) throw noRegion(row, at[row]!, weight.length);
  return own;
}

/**
 * The weights of all rows: those of their regions, with weights by year those of the year in which the period starts.
 * @throws ArgumentError when a year has no weights
 */
export function weightsOfRows(columns: RegionColumns, weights: SeriesWeights): RowWeights {
  if (!('weights' in weights)) return weightsOfYears(columns, weights);
  return { weight: Float64Array.from(weights.weights), at: columns.region };
}

function weightsOfYears(columns: RegionColumns, weights: ReadonlyMap<number, RegionWeights>): RowWeights {
  const years = [...weights.keys()];
  const regionCount = weights.get(years[0]!)?.weights.length ?? 0;
  const { period, start_date } = indexPeriods(columns.start_date, columns.end_date);
  const firstOfPeriod = Uint32Array.from(start_date, (ms) => {
    const year = new Date(Number(ms)).getUTCFullYear();
    if (!weights.has(year)) throw noWeights(year, years);
    return years.indexOf(year) * regionCount;
  });
  const at = columns.region.map((region, row) => {
    if (region >= regionCount) throw noRegion(row, region, regionCount);
    return firstOfPeriod[period[row]!]! + region;
  });
  return { weight: Float64Array.from(years.flatMap((year) => weights.get(year)!.weights)), at };
}

function noRegion(row: number, region: number, regionCount: number): ArgumentError {
  return new ArgumentError(
    'columns',
    `row ${row} belongs to region ${region} of ${regionCount}; weigh every region of the columns`,
  );
}

function noWeights(year: number, years: readonly number[]): ArgumentError {
  return new ArgumentError(
    'weights',
    `there are no weights of ${year} (there are of ${years.join(', ')}); narrow the series, or weigh by the mean over time`,
  );
}
