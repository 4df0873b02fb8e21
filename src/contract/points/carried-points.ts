import type { PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../series-blocks.js';

type Batches = AsyncGenerator<readonly PackedPoints[], void, undefined>;

/** The points of an answer in memory. They can be read only once: directly, or as the bytes of the body. */
export class CarriedPoints {
  /** Every series of the request, including series without a point. */
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
   * Returns the points and transfers ownership of their memory to the caller.
   * @throws Error if the points have already been taken
   */
  take(): Batches {
    const batches = this.#batches;
    if (batches === null) throw new Error('the points of this answer have been read already');
    this.#batches = null;
    return batches;
  }

  async *[Symbol.asyncIterator](): Batches {
    yield* this.take();
  }
}

/**
 * Responses that carry their points in memory, together with a body that encodes them. A client in the same process as
 * the service takes the points without encoding, checking or decoding. Any other reader of the body gets its bytes.
 */
const carried = new WeakMap<Response, { points: CarriedPoints; body: Response['body'] }>();

export function carryPoints(response: Response, points: CarriedPoints): Response {
  carried.set(response, { points, body: response.body });
  return response;
}

/** Returns the points that a response carries; undefined if it came over a network or its body is shared. */
export function carriedPoints(response: Response): CarriedPoints | undefined {
  const { points, body } = carried.get(response) ?? {};
  // Cloning a response locks its original body.
  const isOpen = body?.locked !== true && points?.isTaken === false;
  return isOpen ? points : undefined;
}
