import { bitmapBytes, setBit } from './bitmap.js';
import type { PointColumns } from './point-columns.js';

/** One point to add. Times are UTC milliseconds. */
export interface PointRow {
  readonly series: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly unitId: number;
  readonly reportingMs: number | null;
  readonly availableMs?: number | null | undefined;
  /** JSON text. */
  readonly metadata?: string | null | undefined;
}

const INITIAL_CAPACITY = 1024;

/** Collects points row by row into growing columns. Rows keep the order in which they are added. */
export class PointColumnsBuilder {
  length = 0;
  #capacity = INITIAL_CAPACITY;
  #series = new Uint32Array(INITIAL_CAPACITY);
  #unit_id = new Int32Array(INITIAL_CAPACITY);
  #value = new Float64Array(INITIAL_CAPACITY);
  #value_valid = new Uint8Array(bitmapBytes(INITIAL_CAPACITY));
  #reporting_valid = new Uint8Array(bitmapBytes(INITIAL_CAPACITY));
  #start_date = new BigInt64Array(INITIAL_CAPACITY);
  #end_date = new BigInt64Array(INITIAL_CAPACITY);
  #reporting_date = new BigInt64Array(INITIAL_CAPACITY);
  #available_date = new BigInt64Array(INITIAL_CAPACITY);
  #metadata: (string | null)[] = [];
  #nullValues = 0;
  #nullReportings = 0;
  #hasAvailable = false;
  #hasMetadata = false;

  add(row: PointRow): void {
    const i = this.length;
    if (i === this.#capacity) this.#grow();
    this.#series[i] = row.series;
    this.#start_date[i] = BigInt(row.startMs);
    this.#end_date[i] = BigInt(row.endMs);
    this.#unit_id[i] = row.unitId;
    this.#addValue(i, row.value);
    this.#addReporting(i, row.reportingMs);
    if (row.availableMs !== undefined && row.availableMs !== null) {
      this.#available_date[i] = BigInt(row.availableMs);
      this.#hasAvailable = true;
    }
    this.#metadata.push(row.metadata ?? null);
    if (row.metadata !== undefined && row.metadata !== null) this.#hasMetadata = true;
    this.length = i + 1;
  }

  /** The columns of all rows added so far; the builder is empty afterwards. */
  build(): PointColumns {
    const n = this.length;
    const columns: PointColumns = {
      length: n,
      series: this.#series.slice(0, n),
      start_date: this.#start_date.slice(0, n),
      end_date: this.#end_date.slice(0, n),
      value: this.#value.slice(0, n),
      value_valid: this.#nullValues === 0 ? null : this.#value_valid.slice(0, bitmapBytes(n)),
      unit_id: this.#unit_id.slice(0, n),
      reporting_date: this.#reporting_date.slice(0, n),
      reporting_valid: this.#nullReportings === 0 ? null : this.#reporting_valid.slice(0, bitmapBytes(n)),
      available_date: this.#hasAvailable ? this.#available_date.slice(0, n) : undefined,
      metadata: this.#hasMetadata ? this.#metadata : undefined,
    };
    this.#reset();
    return columns;
  }

  #addValue(i: number, value: number | null): void {
    if (value === null || Number.isNaN(value)) {
      this.#value[i] = Number.NaN;
      this.#nullValues++;
      return;
    }
    this.#value[i] = value;
    setBit(this.#value_valid, i);
  }

  #addReporting(i: number, reportingMs: number | null): void {
    if (reportingMs === null) {
      this.#nullReportings++;
      return;
    }
    this.#reporting_date[i] = BigInt(reportingMs);
    setBit(this.#reporting_valid, i);
  }

  #reset(): void {
    this.length = 0;
    this.#value_valid.fill(0);
    this.#reporting_valid.fill(0);
    this.#reporting_date.fill(0n);
    this.#available_date.fill(0n);
    this.#metadata = [];
    this.#nullValues = 0;
    this.#nullReportings = 0;
    this.#hasAvailable = false;
    this.#hasMetadata = false;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#series = enlarged(this.#series, new Uint32Array(this.#capacity));
    this.#unit_id = enlarged(this.#unit_id, new Int32Array(this.#capacity));
    this.#value = enlarged(this.#value, new Float64Array(this.#capacity));
    this.#value_valid = enlarged(this.#value_valid, new Uint8Array(bitmapBytes(this.#capacity)));
    this.#reporting_valid = enlarged(this.#reporting_valid, new Uint8Array(bitmapBytes(this.#capacity)));
    this.#start_date = enlarged(this.#start_date, new BigInt64Array(this.#capacity));
    this.#end_date = enlarged(this.#end_date, new BigInt64Array(this.#capacity));
    this.#reporting_date = enlarged(this.#reporting_date, new BigInt64Array(this.#capacity));
    this.#available_date = enlarged(this.#available_date, new BigInt64Array(this.#capacity));
  }
}

interface Settable<Source> {
  set(source: Source): void;
}

function enlarged<Column extends Settable<Column>>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
