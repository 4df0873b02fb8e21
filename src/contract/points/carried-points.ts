import type { PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../series-blocks.js';

type Batches = AsyncGenerator<readonly PackedPoints[], void, undefined>;

/** A response's points, held in memory. They can be read only once: either directly, or as the body's bytes. */
export class CarriedPoints {
  /** Every series in the request, including series without points. */
  readonly series: readonly BlockSeries[];
  #batches: Batches | null;

  constructor(series: readonly BlockSeries[], batches: Batches) {
    this.series = series;
    this.#batches = batches;
  }

  get isTaken(): boolean {
    return this.#batches === null;
  }

  /** Returns the points, whose memory the caller then owns. @throws Error if the points have already been taken */
  take(): Batches {
    const batches = this.#batches;
    if (batches === null) throw new Error('the points in this response have already been read');
    this.#batches = null;
    return batches;
  }

  async *[Symbol.asyncIterator](): Batches {
    yield* this.take();
  }
}

/**
 * Responses that carry their points in memory in addition to a body that encodes the points when it is read. A client
 * in the same process as the service takes the points directly, which avoids encoding, checking and decoding them.
 */
const carried = new WeakMap<Response, { points: CarriedPoints; body: Response['body'] }>();

export function carryPoints(response: Response, points: CarriedPoints): Response {
  carried.set(response, { points, body: response.body });
  return response;
}

/** Returns the points that a response carries, or `undefined` if it carries none or its body is already in use. */
export function carriedPoints(response: Response): CarriedPoints | undefined {
  const { points, body } = carried.get(response) ?? {};
  // Cloning a response locks its original body.
  const isOpen = body?.locked !== true && points?.isTaken === false;
  return isOpen ? points : undefined;
}
