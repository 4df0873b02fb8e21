import type { Period } from '../../model/calendar.js';
import type { SeriesKey } from '../../model/series.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { KnownSeries, NO_SERIES } from '../batch/known-series.js';
import { pointToFill } from '../batch/new-points.js';
import { keepShape } from '../keep-shape.js';
import { GroupedBounds, KnownTexts } from '../reading/code-keys.js';
import type { DelimitedRecords } from '../reading/delimited.js';
import { parsePlainCodes, parsePlainNumber } from '../reading/row-values.js';
import { findColumn } from '../reading/tables.js';
import { findOtherColumns } from './columns.js';
import type { Mapping } from './mapping.js';

/** What a row has that was read by its fields. */
interface ReadRow {
  readonly key: SeriesKey;
  readonly point: { readonly unitId: number; readonly reportingMs: number | null };
  /** Null when the value has the date of its column. */
  readonly period: Period | null;
  readonly availableMs: number | null;
}

/** What rows have in common that differ in their start dates and values alone. */
interface LikeRows extends Pick<ReadRow, 'availableMs'> {
  readonly series: KnownSeries;
  readonly unitId: number;
  readonly reportingMs: number | null;
}

/** The positions of columns in a table. */
interface PlainColumns {
  readonly start: number;
  readonly value: number;
  /** All others that the mapping names. */
  readonly others: readonly number[];
}

interface PlainContext {
  readonly batch: BatchBuilder;
  readonly mapping: Pick<Mapping, 'numbers' | 'missing' | 'empty'>;
  /** Filled by the reader of rows. */
  readonly row: ReadRow;
  readonly findAvailable: (row: LikeRows, endMs: number) => number;
}

/**
 * Adds the rows that are as most are: their date is that of an earlier row, and so is all else that the mapping names but for the
 * value, which is a number without marks of thousands. No strings are made of them, and nothing is resolved again.
 */
export class PlainRows {
  readonly #likes: KnownTexts<LikeRows>;
  readonly #periods: KnownTexts<Period>;
  /** The record that was not plain, and whose bounds are known. */
  #record: DelimitedRecords | null = null;
  /** The value, the start, and the others. */
  readonly #bounds: GroupedBounds;
  readonly #valueBounds: Int32Array;
  readonly #point = pointToFill();

  readonly #context: PlainContext;
  readonly #marks: { decimal: number; thousands: number };
  /** Numbers that may be meant as missing or empty. */
  readonly #special: ReadonlySet<number>;

  constructor(fieldCount: number, { start, value, others }: PlainColumns, context: PlainContext) {
    this.#bounds = new GroupedBounds(fieldCount, [[value], [start], others]);
    const [ofValue, ofStart, ofOthers] = this.#bounds.groups;
    this.#valueBounds = ofValue!;
    this.#periods = new KnownTexts(ofStart!);
    this.#likes = new KnownTexts(ofOthers!);
    this.#context = context;
    const { numbers, missing, empty } = context.mapping;
    const marks = { decimal: numbers.decimal.charCodeAt(0), thousands: Number.NaN };
    this.#marks = marks;
    this.#special = new Set([...missing, ...empty].map((text) => parsePlainNumber(text, marks)));
  }

  /** @returns whether the row was added; else it is read by its fields, after which `learn` may be called */
  add(record: DelimitedRecords): boolean {
    this.#record = null;
    if (!this.#bounds.find(record)) return false;
    this.#record = record;
    const { codes } = record;
    const known = this.#likes.find(codes);
    const period = this.#periods.find(codes);
    if (known === undefined || period === undefined) return false;
    const value = parsePlainCodes(codes, this.#valueBounds[0]!, this.#valueBounds[1]!, this.#marks);
    if (Number.isNaN(value) || this.#special.has(value)) return false;
    const { startMs, endMs } = period;
    const { batch, findAvailable } = this.#context;
    const point = this.#point;
    point.startMs = startMs;
    point.endMs = endMs;
    point.value = value;
    point.unitId = known.unitId;
    point.reportingMs = known.reportingMs;
    point.availableMs = findAvailable(known, endMs);
    batch.addTo(known.series.numberIn(batch), point, record.line);
    return true;
  }

  /** Remembers the row that `add` did not add; it became one point without a remark. */
  learn(): void {
    const { key, point, period, availableMs } = this.#context.row;
    if (this.#record === null || period === null) return;
    const { codes } = this.#record;
    const { unitId, reportingMs } = point;
    this.#periods.learn(codes, { ...period });
    this.#likes.learn(codes, { series: new KnownSeries(key), unitId, reportingMs, availableMs });
  }
}

/**
 * The columns of a table some of whose rows can be plain; null where a row has several values or dates, or its start date or
 * value is something else as well.
 */
export function findPlainColumns(
  header: readonly string[],
  file: string,
  mapping: Mapping,
): PlainColumns | null {
  const { start_date, end_date, values } = mapping;
  const [value] = values;
  if ('header' in start_date || end_date !== null || value === undefined || values.length > 1) return null;
  const at = (column: string): number => findColumn(header, column, { dataset: 'csv', file });
  const [start, valueAt] = [at(start_date.column), at(value.column)];
  const named = findOtherColumns(mapping);
  const others = header.flatMap((column, i) => (named.has(column.toLowerCase()) ? [i] : []));
  if (start === valueAt || others.includes(start) || others.includes(valueAt)) return null;
  return { start, value: valueAt, others };
}

keepShape(
  new PlainRows(
    0,
    { start: 0, value: 0, others: [] },
    {
      batch: new BatchBuilder(),
      mapping: { numbers: { decimal: '.', thousands: ',', trustsLoneGroup: false }, missing: [], empty: [] },
      row: { key: NO_SERIES, point: { unitId: 0, reportingMs: null }, period: null, availableMs: null },
      findAvailable: () => 0,
    },
  ),
);
