import { bitmapBytes, setBit } from '../../columns/bitmap.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { NewPoints } from '../../store/store.js';

/** One vintage of one value. Times are UTC milliseconds; the value is null when the source reports that it has none. */
export interface NewPoint {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly unitId: number;
  /** Null when the source gives no reporting date. */
  readonly reportingMs: number | null;
  readonly availableMs: number;
  /** JSON text, such as the source's flags and notes. */
  readonly metadata?: string | null | undefined;
}

interface Row extends NewPoint {
  readonly key: SeriesKey;
  readonly file: number | null;
  readonly line: number;
}

/** Rows of a full batch. Importers yield full batches, so that memory does not grow with the file. */
const BATCH_ROWS = 65_536;

/** Collects points row by row, and returns them as the columns of a store, in order of arrival. */
export class NewPointsBuilder {
  /** The number of the text in which points are read from now on; null for points without a text. */
  file: number | null = null;
  /** The line on which points are read from now on. */
  line = 0;
  #rows: Row[] = [];

  get length(): number {
    return this.#rows.length;
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS;
  }

  /** Adds a point. Neither key nor point are kept: a caller may change them and add the next one. */
  add(key: SeriesKey, point: NewPoint): void {
    this.#rows.push({ ...point, key: { ...key }, file: this.file, line: this.line });
  }

  /** Removes all points but the first. */
  truncate(length: number): void {
    this.#rows.length = length;
  }

  take(): NewPoints {
    const rows = this.#rows;
    this.#rows = [];
    const series: SeriesKey[] = [];
    const numbers = new Map<string, number>();
    const numberOf = ({ key }: Row): number => {
      const text = seriesKeyText(key);
      const number = numbers.get(text) ?? series.push(key) - 1;
      numbers.set(text, number);
      return number;
    };
    const dates = (field: 'startMs' | 'endMs' | 'reportingMs' | 'availableMs') =>
      BigInt64Array.from(rows, (row) => BigInt(row[field] ?? 0));
    const columns = {
      length: rows.length,
      series: Uint32Array.from(rows, numberOf),
      start_date: dates('startMs'),
      end_date: dates('endMs'),
      value: Float64Array.from(rows, ({ value }) => value ?? 0),
      value_valid: validityOf(rows, 'value'),
      unit_id: Int32Array.from(rows, ({ unitId }) => unitId),
      reporting_date: dates('reportingMs'),
      reporting_valid: validityOf(rows, 'reportingMs'),
      available_date: dates('availableMs'),
      metadata: rows.some(({ metadata }) => metadata != null)
        ? rows.map(({ metadata }) => metadata ?? null)
        : undefined,
    };
    if (rows.every(({ file }) => file === null)) return { series, columns };
    const file = Int32Array.from(rows, (row) => row.file ?? 0);
    return { series, columns, origin: { file, line: Int32Array.from(rows, ({ line }) => line) } };
  }
}

/** The validity bitmap of a field; null when every row has a value. */
function validityOf(rows: readonly Row[], field: 'value' | 'reportingMs'): Uint8Array | null {
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  let valid = 0;
  for (const [i, row] of rows.entries()) {
    if (row[field] === null) continue;
    setBit(bitmap, i);
    valid++;
  }
  return valid === rows.length ? null : bitmap;
}
