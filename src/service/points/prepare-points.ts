import type { PackedPoints } from '../../columns/packed-points.js';
import { unitUses } from '../../compute/conversion-rule.js';
import { convertPoints } from '../../compute/units.js';
import type { ServiceContext } from '../context.js';
import { fillGaps } from './fill-gaps.js';
import { checkConversions, type PointRequest } from './plan-points.js';

type Lists = AsyncIterable<readonly PackedPoints[]>;

/** Reads the points of a request in lists, with gaps filled and units converted as requested. */
export async function preparePoints(
  { unitId, insertNull, plan }: PointRequest,
  service: ServiceContext,
  signal: AbortSignal,
): Promise<Lists> {
  const stored = service.store.points(plan, { signal });
  const filled = insertNull ? fillGaps(stored, plan, await service.frequencies()) : stored;
  return unitId === null ? filled : convertLists(filled, { plan, unitId }, service);
}

async function* convertLists(
  lists: Lists,
  { plan, unitId }: { plan: PointRequest['plan']; unitId: number },
  service: ServiceContext,
): AsyncGenerator<readonly PackedPoints[]> {
  const units = await service.units();
  for await (const list of lists) {
    await checkConversions(unitUses({ series: plan.series, runs: list }), unitId, { units, service });
    yield list.map((run) => convertPoints(run, unitId, units));
  }
}
