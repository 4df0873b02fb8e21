import { allValid, trimBitmap } from '../../columns/bitmap.js';
import { wordsOf } from '../../columns/epoch-words.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { SeriesBlock } from '../shapes.js';
import { crc32 } from './crc32.js';

const PRIME = 0x01000193;

/**
 * A 32-bit checksum of the columns of points, to detect damage in transit. It is FNV-1a over 32-bit words, with a shift
 * after each word so that its high bits affect the low ones. It does not protect against forgery.
 */
export function pointsChecksum(columns: PointColumns): number {
  const { length, series, unit_id, start_date, end_date, value, reporting_date, available_date } = columns;
  const numbers = [series, unit_id, start_date, end_date, value, reporting_date];
  if (available_date !== undefined) numbers.push(available_date);
  let hash = 0x811c9dc5;
  for (const column of numbers) hash = hashWords(hash, wordsOf(column.subarray(0, length)));
  for (const bitmap of [columns.value_valid, columns.reporting_valid]) {
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

/**
 * The CRC-32 of the columns of points: of the bytes of `series`, units, dates, values, reporting and available dates, then
 * of the bitmaps that have nulls, then of the remarks as a JSON list in UTF-8.
 */
export function pointsCrc32(columns: PointColumns): number {
  const { length, series, unit_id, start_date, end_date, value, reporting_date, available_date } = columns;
  const numbers = [series, unit_id, start_date, end_date, value, reporting_date];
  if (available_date !== undefined) numbers.push(available_date);
  let crc = 0;
  for (const column of numbers) crc = crc32(bytesOf(column.subarray(0, length)), crc);
  for (const bitmap of [columns.value_valid, columns.reporting_valid]) {
    if (!allValid(bitmap, length)) crc = crc32(trimBitmap(bitmap!, length), crc);
  }
  if (columns.metadata === undefined || length === 0) return crc;
  return crc32(new TextEncoder().encode(JSON.stringify(columns.metadata)), crc);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** An encoder may omit a bitmap without nulls, so that such a bitmap hashes like an absent one. */
function hashBitmap(start: number, bitmap: Uint8Array, rows: number): number {
  if (allValid(bitmap, rows)) return start;
  let hash = start;
  for (const byte of trimBitmap(bitmap, rows)) hash = Math.imul(hash ^ byte, PRIME);
  return hash;
}

/** The length separates neighbouring texts, and null from the empty text. */
function withLength(hash: number, text: string | null): number {
  return Math.imul(hash ^ (text?.length ?? -1), PRIME);
}

function hashText(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

/** The checksum of bytes, by the same method. */
export function bytesChecksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) {
    hash = Math.imul(hash ^ bytes[i]!, PRIME);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** The FNV-1a checksum of a text's UTF-16 code units. */
export function textChecksum(text: string): number {
  return hashText(0x811c9dc5, text) >>> 0;
}

/**
 * The checksum of one series block of the JSON form, for streamed answers, which cannot have a digest. It covers the ids
 * and flags of the series and the JSON text of each point, which `addPoint` adds as points are written.
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

  /** @param text the positional array of the point as JSON */
  addPoint(text: string): void {
    this.#hash = hashText(this.#hash, text);
  }

  /** The value of the block's field `checksum`. */
  value(): number {
    return this.#hash >>> 0;
  }
}
