import { bitmapBytes } from '../../columns/bitmap.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import { badAnswer, type ContractError, CropframeError } from '../../model/errors.js';
import { DAY_MS } from '../../model/time.js';
import { type BlockSeries, checkSeriesList } from '../series-blocks.js';
import { ARRAY_KINDS, type ArrayKind, HEAD_BYTES, MARKER, roundUpToEight } from './run-frames.js';

/** A response that is still being read. Its series are already known; its points arrive later. */
export interface DecodedPoints {
  readonly series: readonly BlockSeries[];
  /** Yields runs of consecutive points, in lists that share no memory. Throws if the response is incomplete. */
  readonly batches: AsyncIterable<readonly PackedPoints[]> | Iterable<readonly PackedPoints[]>;
}

/**
 * Decodes points in this project's private format as the response arrives. Memory is allocated in proportion to what
 * has arrived.
 * @throws ContractError if the response is truncated or has a different format
 */
export async function decodeRuns(bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<DecodedPoints> {
  const source = new ByteSource(bytes, endpoint);
  try {
    const series = await readFrame(source, endpoint, ({ series }) => checkSeriesList(series));
    return { series, batches: readBatches(source, endpoint) };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function* readBatches(
  source: ByteSource,
  endpoint: string,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let points = 0;
  try {
    for (;;) {
      const list = await readFrame(source, endpoint, readRuns);
      if (typeof list === 'number') {
        if (list === points) return await source.end();
        throw damagedStream(endpoint, `it has ${points} points instead of ${list}`);
      }
      for (const { length } of list) points += length;
      yield list;
    }
  } finally {
    await source.close();
  }
}

/** Converts a frame's parsed JSON into a result. `nextArray` returns the frame's arrays in order. */
type ReadContent<Result> = (content: Record<string, unknown>, nextArray: NextArray) => Result;
type NextArray = (kind: ArrayKind, length: number) => ArrayBufferView;

/** The maximum frame size. It prevents a corrupt length field from making a reader buffer the rest of the stream. */
const MAX_BODY_BYTES = 0x0800_0000;

/** Reads a frame. @throws ContractError if the frame is truncated or corrupt, or if `read` rejects its content */
async function readFrame<Result>(
  source: ByteSource,
  endpoint: string,
  read: ReadContent<Result>,
): Promise<Result> {
  const head = await source.read(HEAD_BYTES);
  const [marker, textBytes, length] = new Uint32Array(head.buffer) as unknown as [number, number, number];
  if (marker !== MARKER) throw damagedStream(endpoint, 'its format is unknown; update cropframe');
  if (length > MAX_BODY_BYTES || length % 8 !== 0 || textBytes > length)
    throw damagedStream(endpoint, 'a length is out of bounds');
  const body = await source.read(length);
  let at = roundUpToEight(textBytes);
  const nextArray: NextArray = (kind, count) => {
    const array = new ARRAY_KINDS[kind](body.buffer, at, count);
    at += roundUpToEight(array.byteLength);
    return kind === 'days' ? Float64Array.from(array, (day) => day * DAY_MS) : array;
  };
  try {
    return read(JSON.parse(new TextDecoder().decode(body.subarray(0, textBytes))), nextArray);
  } catch (error) {
    if (error instanceof CropframeError) throw error;
    throw damagedStream(endpoint, error instanceof Error ? error.message : String(error), error);
  }
}

const readRuns: ReadContent<PackedPoints[] | number> = ({ runs, points }, nextArray) =>
  runs === undefined
    ? Number(points)
    : (runs as PackedPoints[]).map((run) => restoreArrays(run, run.length, nextArray) as PackedPoints);

/** Reverses `stripArrays`. Replaces each array kind in a run of points with the frame's next array of that kind. */
function restoreArrays(part: unknown, length: number, nextArray: NextArray): unknown {
  if (typeof part === 'string')
    return nextArray(part as ArrayKind, part === 'bits' ? bitmapBytes(length) : length);
  if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [key, restoreArrays(inner, length, nextArray)]),
  );
}

/** The maximum number of bytes that are allocated for a frame before any of it has arrived. */
const FIRST_BYTES = 0x0010_0000;

/** Reads a stream in pieces of any requested length, regardless of the size of the stream's chunks. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #endpoint: string;
  #unread: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>, endpoint: string) {
    this.#chunks = bytes[Symbol.asyncIterator]();
    this.#endpoint = endpoint;
  }

  async read(length: number): Promise<Uint8Array<ArrayBuffer>> {
    let part = new Uint8Array(Math.min(length, FIRST_BYTES));
    for (let at = 0; at < length; ) {
      if (at === part.byteLength) part = enlarge(part, Math.min(length, 2 * at));
      const piece = await this.#next(part.byteLength - at);
      part.set(piece, at);
      at += piece.byteLength;
    }
    return part;
  }

  async #next(max: number): Promise<Uint8Array> {
    while (this.#unread.byteLength === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw damagedStream(this.#endpoint, 'it is truncated');
      this.#unread = value;
    }
    const piece = this.#unread.subarray(0, max);
    this.#unread = this.#unread.subarray(piece.byteLength);
    return piece;
  }

  /** Reads to the end of the stream, so that the connection can be reused. */
  async end(): Promise<void> {
    await this.#chunks.next();
  }

  async close(): Promise<void> {
    this.#unread = new Uint8Array(0);
    await this.#chunks.return?.();
  }
}

function enlarge(part: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(part);
  return larger;
}

function damagedStream(endpoint: string, what: string, cause?: unknown): ContractError {
  const options = { damaged: true, ...(cause === undefined ? {} : { cause }) };
  return badAnswer(endpoint, `the point stream cannot be read: ${what}`, options);
}
