import { allValid, trimBitmap } from '../../columns/bitmap.js';
import { wordsOf } from '../../columns/epoch-words.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { SeriesBlock } from '../shapes.js';

const PRIME = 0x01000193;

/**
 * A 32-bit checksum of the columns of points, against damage on the way (FNV-1a taken by 32-bit words, folded with a
 * rotation so that every bit counts). Not a defence against forgery.
 */
export function pointsChecksum(columns: PointColumns): number {
  const { length, series, unit_id, start_date, end_date, value, reporting_date, available_date } = columns;
  const numbers = [series, unit_id, start_date, end_date, value, reporting_date];
  if (available_date !== undefined) numbers.push(available_date);
  let hash = 0x811c9dc5;
  for (const column of numbers) hash = hashWords(hash, wordsOf(column.subarray(0, length)));
  for (const bitmap of [columns.valueValid, columns.reportingValid]) {
    if (bitmap !== null) hash = hashBitmap(hash, bitmap, length);
  }
  for (const text of columns.metadata ?? []) hash = hashText(withLength(hash, text), text ?? '');
  return hash >>> 0;
}

function hashWords(start: number, data: Int32Array): number {
  let hash = start;
  for (let i = 0; i < data.length; i++) {
    hash = Math.imul(hash ^ data[i]!, PRIME);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** An encoder may omit a bitmap without nulls, so that such a bitmap hashes like an absent one. */
function hashBitmap(start: number, bitmap: Uint8Array, rows: number): number {
  if (allValid(bitmap, rows)) return start;
  let hash = start;
  for (const byte of trimBitmap(bitmap, rows)) hash = Math.imul(hash ^ byte, PRIME);
  return hash;
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
