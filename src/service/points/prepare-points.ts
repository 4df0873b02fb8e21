import type { PackedPoints } from '../../columns/packed-points.js';
import { checkConversions, unitUses } from '../../compute/conversion-rule.js';
import { convertPoints } from '../../compute/units.js';
import type { ServiceContext } from '../context.js';
import { fillGaps } from './fill-gaps.js';
import type { PointRequest } from './plan-points.js';

/** Reads the points of a request in lists, with gaps filled and units converted as requested. */
export async function* preparePoints(
  request: PointRequest,
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<readonly PackedPoints[]> {
  const { unitId, insertNull, plan } = request;
  const stored = service.store.points(plan, { signal });
  const filled = insertNull ? fillGaps(stored, plan, await service.frequencies()) : stored;
  if (unitId === null) return yield* filled;
  const units = await service.units();
  for await (const list of filled) {
    await checkConversions(unitUses({ series: plan.series, runs: list }), unitId, {
      unitsById: units,
      allowedUnits: (metric_id, item_id) => service.store.allowedUnits([metric_id], [item_id]),
    });
    yield list.map((run) => convertPoints(run, unitId, units));
  }
}
