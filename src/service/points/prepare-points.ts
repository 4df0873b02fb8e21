import type { PointColumns } from '../../columns/point-columns.js';
import { insertNulls } from '../../compute/gaps.js';
import { convertColumns } from '../../compute/units.js';
import type { Frequency, Unit } from '../../model/entity.js';
import type { ServiceContext } from '../context.js';
import { columnsBySeries } from './columns-by-series.js';
import type { PointRequest } from './plan-points.js';
import { windowedPoints } from './point-windows.js';

/** The points of a request as the store gives them, with gaps filled and units converted where that was asked for. */
export async function* preparedPoints(
  request: PointRequest,
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  const { unitId } = request;
  const found = windowedPoints(service.store, request.plan, signal);
  const filled = request.insertNull ? withoutGaps(found, request, service) : found;
  if (unitId === null) return yield* filled;
  const units = new Map((await service.store.list('units', MAX_UNITS)).map((unit: Unit) => [unit.id, unit]));
  for await (const columns of filled) yield convertColumns(columns, unitId, units);
}

const MAX_UNITS = 100_000;

/** Fills the gaps of every series of the plan; gathers one series at a time, as its last points decide about its gaps. */
async function* withoutGaps(
  batches: AsyncIterable<PointColumns>,
  { plan }: PointRequest,
  { store }: ServiceContext,
): AsyncGenerator<PointColumns> {
  const frequencies = new Map((await store.list('frequencies', 1000)).map((one: Frequency) => [one.id, one]));
  for await (const { position, columns } of columnsBySeries(batches, plan)) {
    const series = plan.series[position]!;
    const frequency = frequencies.get(series.frequency_id);
    if (frequency === undefined) {
      yield columns;
      continue;
    }
    const { startMs, endMs } = plan;
    yield insertNulls(columns, {
      frequency,
      startMs,
      endMs,
      anchorMs: series.startMs,
      series: position,
      unit_id: series.unit_id,
    });
  }
}
