import type { PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../series-blocks.js';

/** The points of an answer as they are in memory. */
export interface CarriedPoints {
  /** Every series of the request, including those without a point. */
  readonly series: readonly BlockSeries[];
  /** The points, in memory that is the receiver's. */
  readonly batches: AsyncGenerator<readonly PackedPoints[], void, undefined>;
}

/**
 * Answers that carry their points beside a body that encodes them. A client that gets the very response of a service in
 * its own process takes the points, and nothing is encoded, checked or decoded; whoever reads the body gets its bytes.
 * Both read the same points, so that only one of them can be read.
 */
const carried = new WeakMap<Response, CarriedPoints>();

export function carryPoints(response: Response, points: CarriedPoints): Response {
  carried.set(response, points);
  return response;
}

/** The points that an answer carries; undefined for one that came over a network. */
export function carriedPoints(response: Response): CarriedPoints | undefined {
  return carried.get(response);
}
