import { type PackedDates, packDates, spanDays, unpackDates } from '../../columns/packed-dates.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { joinColumns } from '../../columns/point-rows.js';

type Column = Uint32Array | Int32Array | BigInt64Array | Uint8Array;

/**
 * Holds points until a frame is made of them, in memory of their own: what arrives shares its memory with the whole
 * message that brought it. A column that equals the last one of its length is held once (the unit of all points, no
 * reporting dates, the steps of a calendar), and dates are held as the days between them where they are that regular.
 */
export class PointArena {
  readonly #last = new Map<string, Column>();
  #unpacked: { of: PackedDates; dates: BigInt64Array } | null = null;

  /** The points of one series, in one batch; none where there are none. */
  hold(parts: readonly PointColumns[]): PointColumns[] {
    const filled = parts.filter(({ length }) => length > 0);
    if (filled.length === 0) return [];
    const whole = joinColumns(filled);
    const { length, valueValid, reportingValid, available_date } = whole;
    const startDates = this.#dates(whole.start_date.subarray(0, length));
    const endDates = this.#dates(whole.end_date.subarray(0, length));
    return [
      {
        length,
        series: this.#once('position', whole.series.subarray(0, length)),
        get start_date() {
          return startDates.all();
        },
        get end_date() {
          return endDates.all();
        },
        value: withRoom(whole.value.subarray(0, length), endDates.days),
        valueValid: valueValid && this.#once('valid', valueValid),
        unit_id: this.#once('unit', whole.unit_id.subarray(0, length)),
        reporting_date: this.#once('reporting', whole.reporting_date.subarray(0, length)),
        reportingValid: reportingValid && this.#once('valid', reportingValid),
        ...(available_date && {
          available_date: this.#once('available', available_date.subarray(0, length)),
        }),
        ...(whole.metadata && { metadata: whole.metadata.slice(0, length) }),
      },
    ];
  }

  /** Dates to be asked for, and the days that they span where that is known. */
  #dates(given: BigInt64Array): { all: () => BigInt64Array; days: number } {
    const packed = packDates(given);
    if (packed === null) {
      const kept = this.#once('dates', given);
      return { all: () => kept, days: 0 };
    }
    const held = { ...packed, steps: this.#once('steps', packed.steps) };
    return { all: () => this.#unpack(held), days: spanDays(held) };
  }

  /** Series of one calendar come one after the other: the same array serves them all. */
  #unpack(packed: PackedDates): BigInt64Array {
    const { of, dates } = this.#unpacked ?? {};
    if (of?.steps === packed.steps && of.firstMs === packed.firstMs) return dates!;
    const unpacked = unpackDates(packed);
    this.#unpacked = { of: packed, dates: unpacked };
    return unpacked;
  }

  #once<Kept extends Column>(kind: string, column: Kept): Kept {
    const place = `${kind} ${column.length}`;
    const last = this.#last.get(place);
    if (last !== undefined && bytesOf(last).equals(bytesOf(column))) return last as Kept;
    const kept = (ownsMemory(column) ? column : column.slice()) as Kept;
    this.#last.set(place, kept);
    return kept;
  }
}

/** A copy in memory of its own, with room for a value a day where at least half of the days have one. */
function withRoom(values: Float64Array, days: number): Float64Array {
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
