import { atPosition, type PackedPoints, type PointSet } from '../../columns/packed-points.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { badAnswer } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { EntityLists } from '../entities.js';

interface BlockPoints {
  readonly series: readonly BlockSeries[];
  readonly runs: readonly PackedPoints[];
}

/** Looks regions up, to learn which of them are historical. */
interface RegionLookup extends Cancellable {
  readonly entities: Pick<EntityLists, 'lookupList'>;
}

/**
 * The points without the series of historical regions, for services that leave it to clients to drop them. Series that
 * carry no flag are judged by their regions.
 * @throws ContractError when the service does not say at all whether a region is historical
 */
export async function withoutHistorical(
  { series, runs }: BlockPoints,
  lookup: RegionLookup,
): Promise<PointSet> {
  const historical = await historicalRegions(series, lookup);
  const newPositions = new Map<number, number>();
  const current = series.filter((one, position) => {
    if (isFlagged(one)) return false;
    if (one.unsaid_historical && regionsOf(one).some((id) => historical.has(id))) return false;
    newPositions.set(position, newPositions.size);
    return true;
  });
  if (current.length === series.length) return { series, runs };
  return { series: current, runs: keptRuns(runs, newPositions) };
}

function isFlagged(series: BlockSeries): boolean {
  return series.includes_historical_region === true || series.includes_historical_partner_region === true;
}

function regionsOf({ region_id, partner_region_id }: BlockSeries): number[] {
  return partner_region_id === WORLD_REGION_ID ? [region_id] : [region_id, partner_region_id];
}

/** The historical regions of the series that carry no flag. */
async function historicalRegions(
  series: readonly BlockSeries[],
  { entities, signal }: RegionLookup,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(series.filter((one) => one.unsaid_historical).flatMap(regionsOf))];
  if (ids.length === 0) return new Set();
  const regions = await entities.lookupList('regions', ids, { signal });
  const unsaid = ids.find((id) => typeof regions.get(id)?.historical !== 'boolean');
  if (unsaid !== undefined)
    throw badAnswer('points', `the service does not say whether region ${unsaid} is historical`, {
      field: 'historical',
    });
  return new Set(ids.filter((id) => regions.get(id)?.historical === true));
}

function keptRuns(runs: readonly PackedPoints[], newPositions: ReadonlyMap<number, number>): PackedPoints[] {
  return runs.flatMap((run) => {
    const newPosition = newPositions.get(run.series);
    return newPosition === undefined ? [] : [atPosition(run, newPosition)];
  });
}
