import type { PointColumns } from '../../model/point.js';
import type { SeriesBlock } from '../shapes.js';

const PRIME = 0x01000193;

/**
 * A 32-bit checksum of the columns of points, against damage on the way (FNV-1a taken by 32-bit words, folded with a
 * rotation so that every bit counts). Not a defence against forgery.
 */
export function pointsChecksum(columns: PointColumns): number {
  const { length } = columns;
  const narrow = [columns.series, columns.unit_id];
  const wide: ArrayBufferView[] = [
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.reporting_date,
  ];
  if (columns.available_date !== undefined) wide.push(columns.available_date);
  let hash = 0x811c9dc5;
  for (const buffer of narrow) hash = hashWords(hash, words(buffer, length));
  for (const buffer of wide) hash = hashWords(hash, words(buffer, 2 * length));
  for (const bitmap of [columns.valueValid, columns.reportingValid]) {
    if (bitmap !== null) hash = hashBitmap(hash, bitmap, columns.length);
  }
  for (const text of columns.metadata ?? []) hash = hashText(withLength(hash, text), text ?? '');
  return hash >>> 0;
}

/** Buffers may be longer than the columns. */
function words(view: ArrayBufferView, count: number): Int32Array {
  return new Int32Array(view.buffer, view.byteOffset, count);
}

function hashWords(start: number, data: Int32Array): number {
  let hash = start;
  for (let i = 0; i < data.length; i++) {
    hash = Math.imul(hash ^ data[i]!, PRIME);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Bits past the last row are not part of the data. */
function hashBitmap(start: number, bitmap: Uint8Array, rows: number): number {
  if (allSet(bitmap, rows)) return start;
  let hash = start;
  for (let i = 0; i < rows >> 3; i++) hash = Math.imul(hash ^ bitmap[i]!, PRIME);
  const rest = rows & 7;
  return rest === 0 ? hash : Math.imul(hash ^ (bitmap[rows >> 3]! & ((1 << rest) - 1)), PRIME);
}

/** Lengths tell where one text ends and the next begins, and null from the empty text. */
function withLength(hash: number, text: string | null): number {
  return Math.imul(hash ^ (text?.length ?? -1), PRIME);
}

function hashText(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

/** A bitmap without a null may be dropped on the way: it must hash like an absent one. */
function allSet(bitmap: Uint8Array, rows: number): boolean {
  for (let i = 0; i < rows >> 3; i++) if (bitmap[i] !== 0xff) return false;
  const rest = (1 << (rows & 7)) - 1;
  return rest === 0 || (bitmap[rows >> 3]! & rest) === rest;
}

/** The same checksum of bytes. */
export function bytesChecksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) {
    hash = Math.imul(hash ^ bytes[i]!, PRIME);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** The same checksum of a text. */
export function textChecksum(text: string): number {
  return hashText(0x811c9dc5, text) >>> 0;
}

/**
 * A checksum of one series block of the JSON form, for answers that are streamed and so cannot carry a digest: of the
 * series' ids and flags, then of every point as JSON writes it. `addPoint` may be called as the points are written.
 */
export class BlockChecksum {
  #hash: number;

  constructor(head: SeriesBlock['series']) {
    const {
      metricId,
      itemId,
      regionId,
      partnerRegionId,
      frequencyId,
      sourceId,
      unitId = null,
      metadata,
    } = head;
    const ids = [metricId, itemId, regionId, partnerRegionId, frequencyId, sourceId, unitId];
    const historical = [metadata?.includesHistoricalRegion, metadata?.includesHistoricalPartnerRegion];
    this.#hash = textChecksum(JSON.stringify([...ids, ...historical.map((flag) => flag === true)]));
  }

  /** `text` is the point's positional array as JSON. */
  addPoint(text: string): void {
    this.#hash = hashText(this.#hash, text);
  }

  /** What stands as `checksum` beside the block's `series` and `data`. */
  value(): number {
    return this.#hash >>> 0;
  }
}
