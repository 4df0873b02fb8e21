import { type PackedDates, packDates, spanDays, unpackDates } from './packed-dates.js';
import type { PointColumns } from './point-columns.js';
import { joinColumns } from './point-rows.js';

type Column = Uint32Array | Int32Array | BigInt64Array | Uint8Array;

/**
 * Holds points until a frame is built from them. It copies them, because points that arrive share the memory of their
 * whole message. A column that equals the previous one of its length is stored once (a constant unit, absent reporting
 * dates, the steps of a calendar), and dates that are at most 255 days apart are stored as steps of one byte.
 */
export class PointArena {
  /** The last column of each kind and length. */
  readonly #last = new Map<string, Column>();
  /** The last dates that were unpacked: consecutive series often have the same. */
  #unpacked: { of: PackedDates; dates: BigInt64Array } | null = null;

  /**
   * Copies the points of one series into one batch; an empty list when there are none. Reading `start_date` or `end_date`
   * of the batch may unpack them into new memory: read each once.
   */
  hold(parts: readonly PointColumns[]): PointColumns[] {
    const filled = parts.filter(({ length }) => length > 0);
    if (filled.length === 0) return [];
    const whole = joinColumns(filled);
    const { length, value_valid, reporting_valid, available_date } = whole;
    const startDates = this.#keepDates(whole.start_date.subarray(0, length));
    const endDates = this.#keepDates(whole.end_date.subarray(0, length));
    return [
      {
        length,
        series: this.#keep('position', whole.series.subarray(0, length)),
        get start_date() {
          return startDates.unpack();
        },
        get end_date() {
          return endDates.unpack();
        },
        value: copyWithRoom(whole.value.subarray(0, length), endDates.days),
        value_valid: value_valid && this.#keep('valid', value_valid),
        unit_id: this.#keep('unit', whole.unit_id.subarray(0, length)),
        reporting_date: this.#keep('reporting', whole.reporting_date.subarray(0, length)),
        reporting_valid: reporting_valid && this.#keep('valid', reporting_valid),
        ...(available_date && {
          available_date: this.#keep('available', available_date.subarray(0, length)),
        }),
        ...(whole.metadata && { metadata: whole.metadata.slice(0, length) }),
      },
    ];
  }

  /** Dates in memory, or packed and to be unpacked; the days that they span, 0 when they are not packed. */
  #keepDates(dates: BigInt64Array): { unpack: () => BigInt64Array; days: number } {
    const packed = packDates(dates);
    if (packed === null) {
      const kept = this.#keep('dates', dates);
      return { unpack: () => kept, days: 0 };
    }
    const kept = { ...packed, steps: this.#keep('steps', packed.steps) };
    return { unpack: () => this.#unpack(kept), days: spanDays(kept) };
  }

  #unpack(packed: PackedDates): BigInt64Array {
    const { of, dates } = this.#unpacked ?? {};
    if (of?.steps === packed.steps && of.firstMs === packed.firstMs) return dates!;
    const unpacked = unpackDates(packed);
    this.#unpacked = { of: packed, dates: unpacked };
    return unpacked;
  }

  /** The last column of this kind if it is equal, else the column in memory of its own. */
  #keep<Kept extends Column>(kind: string, column: Kept): Kept {
    const key = `${kind} ${column.length}`;
    const last = this.#last.get(key);
    if (last !== undefined && bytesOf(last).equals(bytesOf(column))) return last as Kept;
    const kept = (ownsMemory(column) ? column : column.slice()) as Kept;
    this.#last.set(key, kept);
    return kept;
  }
}

/** A copy in memory of its own, with room for a value for each day where at least half of the days have one. */
function copyWithRoom(values: Float64Array, days: number): Float64Array {
  const room = days <= 2 * values.length ? Math.max(days, values.length) : values.length;
  if (room === values.length && ownsMemory(values)) return values;
  const copy = new Float64Array(room).subarray(0, values.length);
  copy.set(values);
  return copy;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function ownsMemory({ buffer, byteLength }: ArrayBufferView): boolean {
  return buffer.byteLength === byteLength;
}
