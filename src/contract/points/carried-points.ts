import type { PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../series-blocks.js';

type Batches = AsyncGenerator<readonly PackedPoints[], void, undefined>;

/** The points of an answer as they are in memory. A reader gets them once: as they are, or by the body as its bytes. */
export class CarriedPoints {
  /** Every series of the request, including those without a point. */
  readonly series: readonly BlockSeries[];
  #batches: Batches | null;

  constructor(series: readonly BlockSeries[], batches: Batches) {
    this.series = series;
    this.#batches = batches;
  }

  get isTaken(): boolean {
    return this.#batches === null;
  }

  /** The points, in memory that is the receiver's. @throws Error when they are taken */
  take(): Batches {
    const batches = this.#batches;
    if (batches === null) throw new Error('the points of this answer have been read already');
    this.#batches = null;
    return batches;
  }

  /** Takes the points at the first read. */
  async *[Symbol.asyncIterator](): Batches {
    yield* this.take();
  }
}

/**
 * Answers that carry their points in memory, and a body that encodes them. A client that gets the very response of a service in
 * its own process takes the points, and nothing is encoded, checked or decoded; whoever reads the body gets its bytes.
 */
const carried = new WeakMap<Response, { points: CarriedPoints; body: Response['body'] }>();

export function carryPoints(response: Response, points: CarriedPoints): Response {
  carried.set(response, { points, body: response.body });
  return response;
}

/**
 * The points that an answer carries; undefined when it came over a network, and when somebody reads its body or a copy of
 * it, who then shares the bytes.
 */
export function carriedPoints(response: Response): CarriedPoints | undefined {
  const { points, body } = carried.get(response) ?? {};
  // Whoever copies an answer locks the body that it had.
  const isOpen = body?.locked !== true && points?.isTaken === false;
  return isOpen ? points : undefined;
}
