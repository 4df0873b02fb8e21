import type { PointColumns } from '../model/point.js';
import type { ServiceContext } from './context.js';
import type { PointRequest } from './point-request.js';

/** The points of a request as the store gives them, with gaps filled and units converted where that was asked for. */
export async function* preparedPoints(
  request: PointRequest,
  { store }: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  yield* store.points(request.plan, { signal });
}
