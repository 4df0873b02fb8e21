import { bitmapBytes, isValid, setBit } from '../../../columns/bitmap.js';
import { epochAt, epochWords, setEpoch } from '../../../columns/epoch-words.js';
import { DAY_MS } from '../../../model/time.js';
import type { NewPoints } from '../../store.js';
import { HeldColumn } from './held-column.js';

/** No text, or an unknown line. */
export const NONE = -1;

const int32 = () => new HeldColumn<Int32Array>((length) => new Int32Array(length));
const float64 = () => new HeldColumn<Float64Array>((length) => new Float64Array(length));

const createColumns = () => ({
  series: int32(),
  start_day: int32(),
  start_ms: int32(),
  days: int32(),
  end_ms: int32(),
  /** NaN for a point without a value. */
  value: float64(),
  unit_id: int32(),
  /** UTC milliseconds; NaN for none. */
  reporting_date: float64(),
  available_date: float64(),
  /** Positions in the list of texts, or `NONE`. */
  metadata: int32(),
  file: int32(),
  line: int32(),
});

/** The columns of points that are held, with the period as the tables of points have it. Rows are in order of arrival. */
export type HeldColumns = Readonly<ReturnType<typeof createColumns>>;

/** Points of an import in memory. What all have in common takes no room. */
export class HeldPoints {
  readonly columns: HeldColumns = createColumns();
  length = 0;
  /** Points without a value. */
  nulls = 0;
  /** The minimum number of days between the first and the last of a period. */
  minDays = Number.POSITIVE_INFINITY;
  readonly texts: string[] = [];
  readonly #textNumbers = new Map<string, number>();
  /** For columns on their way to those that are held: fresh memory takes longer to get than to fill. */
  readonly #integerMemory = Array.from({ length: 4 }, () => new Int32Array(0));
  #numberMemory = new Float64Array(0);

  /** @param numbers the number of each row's series */
  add(numbers: Int32Array, { columns, origin }: NewPoints): void {
    const { length } = columns;
    const held = this.columns;
    held.series.append(numbers);
    this.#addPeriods(columns);
    const values = toNumbers(columns.value, columns.value_valid, length);
    for (let row = 0; row < length; row++) if (Number.isNaN(values[row]!)) this.nulls++;
    held.value.append(values);
    held.unit_id.append(columns.unit_id.subarray(0, length));
    held.reporting_date.append(this.#milliseconds(columns.reporting_date, columns.reporting_valid, length));
    held.available_date.append(this.#milliseconds(columns.available_date, null, length));
    held.metadata.append(this.#numberTexts(columns.metadata, length));
    held.file.append(origin?.file.subarray(0, length) ?? this.#integers(0, length).fill(NONE));
    held.line.append(origin?.line.subarray(0, length) ?? this.#integers(0, length).fill(NONE));
    this.length += length;
  }

  /** The rows with these numbers as columns of points, their series by the import's own numbers. */
  take(rows: Uint32Array): { numbers: Int32Array; points: Omit<NewPoints, 'series'> } {
    const { length } = rows;
    const held = this.columns;
    const gather = (column: HeldColumn<Int32Array>) => {
      const items = new Int32Array(length);
      column.gather(rows, items);
      return items;
    };
    const [days, startTimes] = [gather(held.start_day), gather(held.start_ms)];
    const [spans, endTimes] = [gather(held.days), gather(held.end_ms)];
    const value = new Float64Array(length);
    held.value.gather(rows, value);
    const reporting = fromMilliseconds(held.reporting_date, rows);
    return {
      numbers: gather(held.series),
      points: {
        columns: {
          length,
          series: new Uint32Array(length),
          start_date: toDates(length, (i) => days[i]! * DAY_MS + startTimes[i]!),
          end_date: toDates(length, (i) => (days[i]! + spans[i]!) * DAY_MS + endTimes[i]!),
          value,
          value_valid: null,
          unit_id: gather(held.unit_id),
          reporting_date: reporting.dates,
          reporting_valid: reporting.valid,
          available_date: fromMilliseconds(held.available_date, rows).dates,
          metadata: Array.from(gather(held.metadata), (text) => this.texts[text] ?? null),
        },
        origin: { file: gather(held.file), line: gather(held.line) },
      },
    };
  }

  #addPeriods({ length, start_date, end_date }: NewPoints['columns']): void {
    const [starts, ends] = [epochWords(start_date), epochWords(end_date)];
    const [days, startTimes] = [this.#integers(0, length), this.#integers(1, length)];
    const [spans, endTimes] = [this.#integers(2, length), this.#integers(3, length)];
    let { minDays } = this;
    for (let row = 0; row < length; row++) {
      const start = epochAt(starts, row);
      const end = epochAt(ends, row);
      const first = Math.floor(start / DAY_MS);
      const last = Math.floor(end / DAY_MS);
      days[row] = first;
      startTimes[row] = start - first * DAY_MS;
      spans[row] = last - first;
      minDays = Math.min(minDays, last - first);
      endTimes[row] = end - last * DAY_MS;
    }
    this.minDays = minDays;
    this.columns.start_day.append(days);
    this.columns.start_ms.append(startTimes);
    this.columns.days.append(spans);
    this.columns.end_ms.append(endTimes);
  }

  /** Valid until the next call. */
  #milliseconds(dates: BigInt64Array, valid: Uint8Array | null, length: number): Float64Array {
    if (this.#numberMemory.length < length) this.#numberMemory = new Float64Array(length);
    const numbers = this.#numberMemory.subarray(0, length);
    const words = epochWords(dates);
    for (let row = 0; row < length; row++)
      numbers[row] = isValid(valid, row) ? epochAt(words, row) : Number.NaN;
    return numbers;
  }

  /** Integers of any content in one of four places, valid until that place is asked for again. */
  #integers(place: 0 | 1 | 2 | 3, length: number): Int32Array {
    if (this.#integerMemory[place]!.length < length) this.#integerMemory[place] = new Int32Array(length);
    return this.#integerMemory[place]!.subarray(0, length);
  }

  #numberTexts(texts: readonly (string | null)[] | undefined, length: number): Int32Array {
    const numbers = this.#integers(0, length).fill(NONE);
    if (texts === undefined) return numbers;
    for (let row = 0; row < length; row++) {
      const text = texts[row] ?? null;
      if (text !== null) numbers[row] = this.#numberOf(text);
    }
    return numbers;
  }

  #numberOf(text: string): number {
    const known = this.#textNumbers.get(text);
    if (known !== undefined) return known;
    this.#textNumbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

function toNumbers(values: Float64Array, valid: Uint8Array | null, length: number): Float64Array {
  if (valid === null) return values.subarray(0, length);
  const numbers = values.slice(0, length);
  for (let row = 0; row < length; row++) if (!isValid(valid, row)) numbers[row] = Number.NaN;
  return numbers;
}

function fromMilliseconds(column: HeldColumn<Float64Array>, rows: Uint32Array) {
  const numbers = new Float64Array(rows.length);
  column.gather(rows, numbers);
  return {
    dates: toDates(rows.length, (i) => (Number.isNaN(numbers[i]) ? 0 : numbers[i]!)),
    valid: validOf(numbers),
  };
}

/** The validity bitmap of numbers among which NaN is invalid. */
export function validOf(numbers: Float64Array): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(numbers.length));
  for (let row = 0; row < numbers.length; row++) if (!Number.isNaN(numbers[row]!)) setBit(bitmap, row);
  return bitmap;
}

function toDates(length: number, msOf: (row: number) => number): BigInt64Array<ArrayBuffer> {
  const dates = new BigInt64Array(length);
  const words = epochWords(dates);
  for (let row = 0; row < length; row++) setEpoch(words, row, msOf(row));
  return dates;
}
