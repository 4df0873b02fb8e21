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

  /**
   * Takes the points, whose memory then belongs to the receiver.
   * @throws Error when they have been taken already
   */
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
 * Returns the points that a response carries in memory. It is undefined if the response came over a network, or if
 * somebody else reads its body or a copy of it and so shares the bytes.
 */
export function carriedPoints(response: Response): CarriedPoints | undefined {
  const { points, body } = carried.get(response) ?? {};
  // Whoever copies an answer locks the body that it had.
  const isOpen = body?.locked !== true && points?.isTaken === false;
  return isOpen ? points : undefined;
}
