import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import type { FoundSeries } from '../../client/discovery/resolution.js';
import { atPosition, type PointSet } from '../../columns/packed-points.js';
import { seriesWithoutUnit, unitUses } from '../../compute/units.js';
import { type ArgumentError, badArgument, shownList, UnitError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { createArrivedReport, type RetrievalReport } from '../../model/report.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { seriesKeyOf } from '../../model/series.js';
import { fetchSavedSeries } from '../../saved/fetch/fan-out.js';
import type { WeightedRegion } from '../weighting/weights.js';

interface RegionFetch extends LongOperation, Pick<PointFlags, 'start_date' | 'end_date' | 'at_time'> {
  readonly item: string;
  readonly metric: string;
  readonly regions: readonly WeightedRegion[];
  /** Whether to reject item and metric names that have no exact match. */
  readonly exact?: boolean | undefined;
}

export interface FetchedRegions {
  /** The series chosen for each region, in the order of the regions; null if the region has no series. */
  readonly chosen: readonly (FoundSeries | null)[];
  /** The points, all in the same unit. In each run of points, `series` is the index of the region. */
  readonly points: PointSet;
  /** One entry per region, marked `empty` if the region has no series. */
  readonly report: RetrievalReport;
}

/**
 * Chooses the series with the best coverage for each region, fetches them concurrently and converts them to the same
 * unit.
 * @throws ArgumentError if no region has a matching series; UnitError if a unit cannot be converted
 */
export async function fetchRegionSeries(
  client: ServiceClient,
  request: RegionFetch,
): Promise<FetchedRegions> {
  const { regions, at_time, onProgress, ...wanted } = request;
  const { start_date, end_date, signal } = wanted;
  if (regions.length === 0) throw badArgument('regions', 'the list is empty; pass at least one region');
  const region_ids = regions.map((region) => region.id);
  const found = await findRegionSeries(client, { ...wanted, region_ids });
  const chosen = regions.map((region) => underName(found.get(region.id), region));
  const positions = chosen.flatMap((series, position) => (series === null ? [] : [position]));
  if (positions.length === 0) throw noSeries(request);
  const saved = positions.map((position) => {
    const { start_date: _, end_date: __, ...series } = chosen[position]!;
    return series;
  });
  const flags = { start_date, end_date, at_time };
  const fetched = await fetchSavedSeries(client, saved, { ...flags, signal, onProgress });
  const inUnit = await inOneUnit(client, fetched.points, signal);
  const runs = inUnit.runs.map((run) => atPosition(run, positions[run.series]!));
  // A region without a series gets an empty one.
  const like = seriesKeyOf(saved[0]!);
  const series = regions.map(({ id }): PointSet['series'][number] => ({
    ...like,
    region_id: id,
    unit_id: null,
  }));
  const report = series.map((one) => createArrivedReport(one, 0));
  positions.forEach((position, at) => {
    series[position] = inUnit.series[at]!;
    report[position] = fetched.report[at]!;
  });
  return { chosen, points: { series, runs }, report };
}

function underName(series: FoundSeries | undefined, { matched }: WeightedRegion): FoundSeries | null {
  if (series === undefined) return null;
  return matched === undefined ? series : { ...series, matched: { ...series.matched, region: matched } };
}

/** Converts all points to the unit of the first series, so that no sum mixes units. */
async function inOneUnit(
  client: ServiceClient,
  points: PointSet,
  signal: AbortSignal | undefined,
): Promise<PointSet> {
  const [first] = unitUses(points);
  if (first === undefined) return points;
  const { unit_id } = first;
  const unitless = seriesWithoutUnit(points);
  if (unitless !== undefined)
    throw new UnitError(
      null,
      `the values for region ${unitless.region_id} cannot be converted to unit_id ${unit_id}: they have no unit`,
    );
  return client.toUnit(points, unit_id, signal);
}

function noSeries({ item, metric, regions }: RegionFetch): ArgumentError {
  const names = regions.map(({ name }) => name);
  return badArgument('regions', `there is no series of "${metric}" for "${item}" in ${shownList(names, 5)}`, {
    remedy: 'use findDataSeries to search for one',
  });
}
