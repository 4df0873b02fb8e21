import type { PointColumns } from '../../columns/point-columns.js';
import { checkConversions, unitUses } from '../../compute/conversion-rule.js';
import { insertNulls } from '../../compute/gaps.js';
import { convertColumns } from '../../compute/units.js';
import type { Frequency } from '../../model/entity.js';
import type { PointPlan } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';
import { groupBySeries } from './group-by-series.js';
import type { PointRequest } from './plan-points.js';

/** Reads the points of a request, with gaps filled and units converted as requested. */
export async function* preparePoints(
  request: PointRequest,
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  const { unitId, insertNull, plan } = request;
  const stored = service.store.points(plan, { signal });
  const filled = insertNull ? fillGaps(stored, plan, await service.frequencies()) : stored;
  if (unitId === null) return yield* filled;
  const units = await service.units();
  for await (const columns of filled) {
    await checkConversions(unitUses({ series: plan.series, batches: [columns] }), unitId, {
      unitsById: units,
      allowedUnits: (metric_id, item_id) => service.store.allowedUnits([metric_id], [item_id]),
    });
    yield convertColumns(columns, unitId, units);
  }
}

/** Fills the gaps of every series of the plan. It collects a whole series first, whose last points determine its gaps. */
async function* fillGaps(
  batches: AsyncIterable<PointColumns>,
  plan: PointPlan,
  frequencies: ReadonlyMap<number, Frequency>,
): AsyncGenerator<PointColumns> {
  const { startMs, endMs } = plan;
  for await (const { position, columns } of groupBySeries(batches, plan)) {
    const series = plan.series[position]!;
    const frequency = frequencies.get(series.frequency_id);
    if (frequency === undefined) {
      yield columns;
      continue;
    }
    yield insertNulls(columns, {
      frequency,
      startMs,
      endMs,
      anchorMs: series.startMs,
      series: position,
      unitId: series.unit_id,
    });
  }
}
