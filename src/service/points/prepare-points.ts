import { type PackedPoints, packColumns, unpackPoints } from '../../columns/packed-points.js';
import { emptyPoints } from '../../columns/point-rows.js';
import { checkConversions, unitUses } from '../../compute/conversion-rule.js';
import { insertNulls } from '../../compute/gaps.js';
import { convertPacked } from '../../compute/units.js';
import type { Frequency } from '../../model/entity.js';
import type { PointPlan } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';
import { groupBySeries } from './group-by-series.js';
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
    yield list.map((run) => convertPacked(run, unitId, units));
  }
}

/** Fills the gaps of every series of the plan. It collects a whole series first, whose last points determine its gaps. */
async function* fillGaps(
  lists: AsyncIterable<readonly PackedPoints[]>,
  plan: PointPlan,
  frequencies: ReadonlyMap<number, Frequency>,
): AsyncGenerator<readonly PackedPoints[]> {
  const { startMs, endMs } = plan;
  for await (const { position, parts } of groupBySeries(lists, plan)) {
    const series = plan.series[position]!;
    const frequency = frequencies.get(series.frequency_id);
    if (frequency === undefined) {
      yield parts;
      continue;
    }
    const columns = parts.length === 0 ? emptyPoints(plan) : unpackPoints(parts);
    const filled = insertNulls(columns, {
      frequency,
      startMs,
      endMs,
      anchorMs: series.startMs,
      series: position,
      unitId: series.unit_id,
    });
    yield packColumns(filled);
  }
}
