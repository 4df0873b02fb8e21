import { ArgumentError } from '../model/errors.js';
import { indexPeriods } from './periods.js';
import type { RegionColumns, RegionWeights } from './weights.js';

/** Weights that hold for all time, or those of each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** Row `i` weighs `weight[at[i]]`. */
export interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

/**
 * The weight of each row: that of its region, with weights by year that of the year in which its period starts.
 * @throws ArgumentError when a row belongs to no region, or its year has no weights
 */
export function weightsOfRows(columns: RegionColumns, weights: SeriesWeights): RowWeights {
  if (!('weights' in weights)) return weightsOfYears(columns, weights);
  checkRegions(columns.region, weights.weights.length);
  return { weight: Float64Array.from(weights.weights), at: columns.region };
}

function weightsOfYears(columns: RegionColumns, weights: ReadonlyMap<number, RegionWeights>): RowWeights {
  const years = [...weights.keys()];
  const regionCount = weights.get(years[0]!)?.weights.length ?? 0;
  checkRegions(columns.region, regionCount);
  const { period, start_date } = indexPeriods(columns.start_date, columns.end_date);
  const firstOfPeriod = Uint32Array.from(start_date, (ms) => {
    const year = new Date(Number(ms)).getUTCFullYear();
    if (!weights.has(year)) throw noWeights(year, years);
    return years.indexOf(year) * regionCount;
  });
  const at = columns.region.map((region, row) => firstOfPeriod[period[row]!]! + region);
  return { weight: Float64Array.from(years.flatMap((year) => weights.get(year)!.weights)), at };
}

function checkRegions(region: Uint32Array, regionCount: number): void {
  let greatest = 0;
  for (let row = 0; row < region.length; row++) if (region[row]! > greatest) greatest = region[row]!;
  if (greatest < regionCount || region.length === 0) return;
  const row = region.findIndex((position) => position >= regionCount);
  throw new ArgumentError(
    'columns',
    `row ${row} belongs to region ${region[row]} of ${regionCount}; weigh every region of the columns`,
  );
}

function noWeights(year: number, years: readonly number[]): ArgumentError {
  return new ArgumentError(
    'weights',
    `there are no weights of ${year} (there are of ${years.join(', ')}); narrow the series, or weigh by the mean over time`,
  );
}
