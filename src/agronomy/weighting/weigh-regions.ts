import type { Table } from 'apache-arrow';
import {
  MIN_WEIGHT_PRESENT,
  type WeightedPeriod,
  WeightedPeriods,
  type WeightingFunction,
  type WeightingRule,
  type WeightsOfRegions,
  weightRun,
} from '../../compute/weighting.js';
import { frameOf, type LongFrame } from '../../frame/frame.js';
import { buildLong, longColumns } from '../../frame/series/build-frame.js';
import { deriveSeries, mapSeries, metadataOfDerived } from '../../frame/series/map-series.js';
import {
  joinRemarks,
  readSeries,
  refusePlainColumns,
  remarkReader,
  type SeriesPoints,
} from '../../frame/series/series-points.js';
import { NAME_COLUMNS, type NamedSeries } from '../../frame/table/names.js';
import { frameSeries } from '../../frame/table/series-view.js';
import { DERIVATIONS, derivedMetricId } from '../../model/derivations.js';
import { badArgument, shownList, UnitError } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { functionOf, oneOf, SHARE, withMeaning } from '../../model/schema/schemas.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { constantWeights, readWeights, WEIGHTS, type WeightedRegion } from './weights.js';

/** Returns an id for a set of regions. Like the ids of derived metrics, it is negative and the same in every frame. */
function regionIdAcross(region_ids: Iterable<number>): number {
  return derivedMetricId(0, { words: [...new Set(region_ids)].sort((a, b) => a - b).join() });
}

export const MIN_WEIGHT = withMeaning(
  `minimum share of the weight whose regions have a value, from 0 to 1 (default: ${MIN_WEIGHT_PRESENT})`,
  SHARE,
);

export const ACROSS_KEYS = {
  /** `'mean'` (the default) divides by the total weight of the regions with a value; `'sum'` does not. */
  how: oneOf(['mean', 'sum']),
  /** The minimum share (0 to 1) of the weight held by regions with a value (default 1). Below it, the value is null. */
  min_weight_present: MIN_WEIGHT,
  /** Computes the weighted value from a weight and a value; default weight × value. */
  weighting_func: functionOf<WeightingFunction>(),
};
/** How regions' values are combined into a mean or a sum. */
export interface AcrossOptions extends OptionsOf<typeof ACROSS_KEYS> {}

const WEIGHTING_KEYS = {
  ...ACROSS_KEYS,
  /** `'mean'` (the default) or `'sum'` across regions, or `'each'`, which weights each region's own series. */
  how: oneOf(['mean', 'sum', 'each']),
  /** The weight of each region; 0 for any that is not listed. By default, every region in the frame has weight 1. */
  weights: WEIGHTS,
};
/** The weights of a frame's regions, and how they are applied. */
export interface WeightingOptions extends OptionsOf<typeof WEIGHTING_KEYS> {}

export function weighRegions(table: Table, options: WeightingOptions = {}): LongFrame {
  checkOptions(options, WEIGHTING_KEYS, 'weighted');
  const { how = 'mean', weights, min_weight_present, weighting_func } = options;
  const ofRegions = weightsOfFrame(table, weights);
  const step = `weighted(${shownOptions({ ...options, how })})`;
  if (how === 'each') {
    const labels = { step, derivation: DERIVATIONS.weightedRegions() };
    return frameOf(
      mapSeries(table, labels, ({ view, start, value }) =>
        weightRun({ region: view.key.region_id, start_date: start, value }, ofRegions, weighting_func),
      ),
    );
  }
  const derivation = DERIVATIONS.acrossRegions(how, weights !== undefined);
  const weighting = { weights: ofRegions, rule: { how, min_weight_present, weighting_func } };
  const kindOf = (key: SeriesKey) => ({ ...key, region_id: 0, source_id: 0 });
  const weighed = groupMembers(readRemarkedSeries(table, 'weighted'), kindOf).map((members) => {
    const across = acrossRegions(members.map(({ view }) => view));
    const points = weighSeries(members, weighting, deriveSeries(across, derivation));
    return { from: members[0]!.view, to: points.view, points };
  });
  const points = weighed.map((one) => one.points);
  return frameOf(buildLong(longColumns(table), points, metadataOfDerived(table, step, weighed)));
}

function weightsOfFrame(table: Table, weights: WeightingOptions['weights']): WeightsOfRegions {
  const region_ids = [...new Set(frameSeries(table).map(({ key }) => key.region_id))];
  if (weights === undefined) return constantWeights(new Map(region_ids.map((id) => [id, 1])));
  const byRegion = readWeights(weights);
  requireWeightedRegion(region_ids, byRegion);
  return constantWeights(byRegion);
}

export function groupMembers(
  series: readonly SeriesPoints[],
  keyOf: (key: SeriesKey) => SeriesKey,
): SeriesPoints[][] {
  const groups = [...groupedBy(series, ({ view }) => seriesKeyText(keyOf(view.key))).values()];
  for (const members of groups) {
    requireOneUnit(members.map(({ view }) => view.unit_id));
    requireOneSeries(members.map(({ view }) => view.key.region_id));
  }
  return groups;
}

export function readRemarkedSeries(table: Table, verb: string): SeriesPoints[] {
  refusePlainColumns(table, verb);
  const remarkOf = remarkReader(table);
  return readSeries(table).map((points) => ({
    ...points,
    remarks: remarkOf && Array.from(points.rows, remarkOf),
  }));
}

/** Formats options for a frame's provenance. Shows only the number of weights, because there may be hundreds. */
export function shownOptions<Options extends Pick<WeightingOptions, 'weights'>>(options: Options): string {
  const { weights } = options;
  return JSON.stringify(
    weights === undefined ? options : { ...options, weights: `of ${weights.length} regions` },
  );
}

export interface Weighting {
  readonly weights: WeightsOfRegions;
  readonly rule: WeightingRule;
  /** Combined regions such as "Other counties", each with the ids of the regions that it may include. */
  readonly rests?: ReadonlyMap<number, readonly number[]> | undefined;
}

export function weighSeries(
  members: readonly SeriesPoints[],
  { weights, rule, rests }: Weighting,
  view: NamedSeries,
): SeriesPoints {
  const periods = new WeightedPeriods(weights, rule, rests);
  for (const { view, start, end, value, available, remarks } of members) {
    const dates = { start_date: start, end_date: end, available_date: available };
    periods.add({ region: view.key.region_id, ...dates, value, remarks });
  }
  return pointsOfPeriods(periods.periods(), view);
}

export function pointsOfPeriods(periods: readonly WeightedPeriod[], view: NamedSeries): SeriesPoints {
  const column = (of: (period: WeightedPeriod) => number) => Float64Array.from(periods, of);
  return {
    view: { ...view, runs: [{ from: 0, to: periods.length }] },
    rows: Int32Array.from(periods.keys()),
    start: column(({ start }) => start),
    end: column(({ end }) => end),
    value: column(({ value }) => value),
    weight_present: column(({ weight_present }) => weight_present),
    available: column(({ available }) => available),
    remarks: periods.map(({ remarks }) => joinRemarks(remarks)),
  };
}

function requireOneUnit(unit_ids: readonly (number | null)[]): void {
  const other = unit_ids.find((unit) => unit !== unit_ids[0]);
  if (other === undefined) return;
  throw new UnitError(
    other,
    `values with unit_id ${unit_ids[0]} and ${other} cannot be added together; request all series in the same unit`,
  );
}

export function requireOneSeries(region_ids: readonly number[]): void {
  const twice = region_ids.find((id, i) => region_ids.indexOf(id) !== i);
  if (twice === undefined) return;
  throw badArgument(
    'table',
    `region ${twice} has several series of the same kind, such as from two sources; select one series per region`,
  );
}

export function requireWeightedRegion(
  region_ids: readonly number[],
  weights: ReadonlyMap<number, number>,
): void {
  if (region_ids.length === 0 || region_ids.some((id) => (weights.get(id) ?? 0) > 0)) return;
  throw badArgument(
    'weights',
    `no region in the frame has a weight; the frame has the region ids ${shownList(region_ids.map(String), 5)}`,
  );
}

const MAX_NAMES = 3;

/**
 * Describes the series that combines several regions, with the ids and names that all series share. If ids differ, the
 * id is 0. If names differ, they are listed, or counted if more than three. The region id identifies the set of
 * regions.
 * @param region the region that contains the others; if passed, it is used instead of the set
 */
export function acrossRegions(series: readonly NamedSeries[], region?: WeightedRegion): NamedSeries {
  const first = series[0]!;
  const names = new Map(first.names);
  const key = { ...first.key };
  for (const { column, id, names: kind } of NAME_COLUMNS) {
    if (series.some((one) => one.key[id] !== key[id])) key[id] = 0;
    const all = [...new Set(series.flatMap((one) => one.names.get(column) ?? []))];
    if (all.length > 0) names.set(column, all.length > MAX_NAMES ? `${all.length} ${kind}` : all.join(', '));
  }
  if (region !== undefined) names.set('region_name', region.name);
  const region_id = region?.id ?? regionIdAcross(series.map((one) => one.key.region_id));
  return { ...first, key: { ...key, region_id }, names, column: 'value' };
}
