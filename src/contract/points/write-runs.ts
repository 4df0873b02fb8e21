import { bitmapBytes } from '../../columns/bitmap.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import { DAY_MS } from '../../model/time.js';
import type { BlockSeries } from '../series-blocks.js';
import { type ArrayKind, cutLists, HEAD_BYTES, MARKER, roundUpToEight } from './run-frames.js';

const encoder = new TextEncoder();

/**
 * Encodes runs of points in this project's private format as they arrive. Each frame is encoded only when it is
 * consumed.
 * @param series every series in the request, including series without points
 */
export async function* encodeRuns(
  series: readonly BlockSeries[],
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield encodeFrame({ series });
  let points = 0;
  for await (const list of cutLists(lists)) {
    const arrays: Uint8Array[] = [];
    const runs = list.map((run) => stripArrays(run, run.length, arrays));
    for (const { length } of list) points += length;
    yield encodeFrame({ runs }, arrays);
  }
  yield encodeFrame({ points });
}

function encodeFrame(content: object, arrays: readonly Uint8Array[] = []): Uint8Array<ArrayBuffer> {
  const text = encoder.encode(JSON.stringify(content));
  const parts = [text, ...arrays];
  const bytes = parts.reduce((sum, { byteLength }) => sum + roundUpToEight(byteLength), 0);
  const frame = new Uint8Array(HEAD_BYTES + bytes);
  new Uint32Array(frame.buffer, 0, 3).set([MARKER, text.byteLength, bytes]);
  let at = HEAD_BYTES;
  for (const part of parts) {
    frame.set(part, at);
    at += roundUpToEight(part.byteLength);
  }
  return frame;
}

/** Replaces each array in a run with the name of its kind, and appends its bytes to `arrays`. */
function stripArrays(part: unknown, length: number, arrays: Uint8Array[]): unknown {
  if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
  if (ArrayBuffer.isView(part)) {
    const [kind, bytes] = encodeArray(part as Float64Array | Int32Array | Uint8Array, length);
    arrays.push(bytes);
    return kind;
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [key, stripArrays(inner, length, arrays)]),
  );
}

/** Encodes an array without any unused space after the last point. */
function encodeArray(array: Float64Array | Int32Array | Uint8Array, length: number): [ArrayKind, Uint8Array] {
  if (array instanceof Uint8Array) return ['bits', array.subarray(0, bitmapBytes(length))];
  if (array instanceof Int32Array) return ['i32', bytesOf(array.subarray(0, length))];
  const numbers = array.subarray(0, length);
  const days = toWholeDays(numbers);
  return days === null ? ['f64', bytesOf(numbers)] : ['days', bytesOf(days)];
}

/** Converts milliseconds to days. Returns null if a time cannot be represented exactly as a 32-bit number of days. */
function toWholeDays(times: Float64Array): Int32Array | null {
  const days = new Int32Array(times.length);
  for (let i = 0; i < times.length; i++) {
    days[i] = times[i]! / DAY_MS;
    if (!Object.is(days[i]! * DAY_MS, times[i])) return null;
  }
  return days;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
