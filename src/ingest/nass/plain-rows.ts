import { BatchBuilder } from '../batch/batch-builder.js';
import { NO_SERIES } from '../batch/known-series.js';
import { pointToFill } from '../batch/new-points.js';
import { keepShape } from '../keep-shape.js';
import { GroupedBounds, KnownTexts } from '../reading/code-keys.js';
import type { DelimitedRecords } from '../reading/delimited.js';
import { parsePlainCodes } from '../reading/row-values.js';
import type { NassMeasure } from './measures.js';
import type { NassPeriod } from './periods.js';
import { MARKS } from './values.js';

/** What a row has that was read by its fields and became a point. */
export interface ReadNassRow {
  readonly sourceId: number;
  readonly measure: NassMeasure;
  /** Null where more than the codes of state, district and county tells the region. */
  readonly codedRegionId: number | null;
  readonly period: NassPeriod;
  readonly loadMs: number | null;
  /** Null where the value is a code. */
  readonly remark: { readonly text: string | null } | null;
}

/** The columns of a table, in groups that each tell one thing of a row; without those that it does not have. */
export interface PlainNassColumns {
  readonly value: number;
  /** Program and measure, but for the span of the period. */
  readonly measure: readonly number[];
  readonly place: readonly number[];
  readonly period: readonly number[];
  readonly remark: readonly number[];
}

/** Program, and measure by the span of the period. */
interface KnownMeasure {
  readonly sourceId: number;
  readonly bySpan: Map<string, NassMeasure>;
}

/**
 * Adds the rows that are as most are: their measure, place, period and remark are each those of an earlier row, and their value is
 * a number. No strings are made of them, and nothing is resolved again.
 */
export class PlainNassRows {
  /** The record that was not plain, and whose bounds are known. */
  #record: DelimitedRecords | null = null;
  readonly #bounds: GroupedBounds;
  readonly #valueBounds: Int32Array;
  readonly #measures: KnownTexts<KnownMeasure>;
  readonly #places: KnownTexts<number>;
  readonly #periods: KnownTexts<Pick<ReadNassRow, 'period' | 'loadMs'>>;
  readonly #remarks: KnownTexts<string | null>;
  readonly #key = { ...NO_SERIES };
  readonly #point = pointToFill();

  readonly #batch: BatchBuilder;
  readonly #importedMs: number;

  constructor(
    fieldCount: number,
    { value, measure, place, period, remark }: PlainNassColumns,
    { batch, importedMs }: { batch: BatchBuilder; importedMs: number },
  ) {
    this.#batch = batch;
    this.#importedMs = importedMs;
    this.#bounds = new GroupedBounds(fieldCount, [[value], measure, place, period, remark]);
    const [ofValue, ofMeasure, ofPlace, ofPeriod, ofRemark] = this.#bounds.groups;
    this.#valueBounds = ofValue!;
    this.#measures = new KnownTexts(ofMeasure!);
    this.#places = new KnownTexts(ofPlace!);
    this.#periods = new KnownTexts(ofPeriod!);
    this.#remarks = new KnownTexts(ofRemark!);
  }

  /** @returns whether the row was added; else it is read by its fields, after which `learn` may be called */
  add(record: DelimitedRecords): boolean {
    this.#record = null;
    if (!this.#bounds.find(record)) return false;
    this.#record = record;
    const { codes } = record;
    const place = this.#places.find(codes);
    const known = this.#measures.find(codes);
    const dates = this.#periods.find(codes);
    const remark = this.#remarks.find(codes);
    if (place === undefined || known === undefined || dates === undefined || remark === undefined)
      return false;
    const { period, loadMs } = dates;
    const measure = known.bySpan.get(period.span);
    const value = parsePlainCodes(codes, this.#valueBounds[0]!, this.#valueBounds[1]!, MARKS);
    if (measure === undefined || Number.isNaN(value)) return false;
    const [key, point, batch] = [this.#key, this.#point, this.#batch];
    key.metric_id = measure.metricId;
    key.item_id = measure.itemId;
    key.region_id = place;
    key.source_id = known.sourceId;
    key.frequency_id = period.frequencyId;
    point.startMs = period.startMs;
    point.endMs = period.endMs;
    point.value = value;
    point.unitId = measure.unitId;
    point.reportingMs = period.reportingMs ?? loadMs;
    point.availableMs = loadMs ?? this.#importedMs;
    point.metadata = remark;
    batch.addTo(batch.seriesNumber(key), point, record.line);
    return true;
  }

  /** Remembers the row that `add` did not add; it became a point. */
  learn({ sourceId, measure, codedRegionId, period, loadMs, remark }: ReadNassRow): void {
    if (this.#record === null) return;
    const { codes } = this.#record;
    const known = this.#measures.find(codes);
    if (known !== undefined) known.bySpan.set(period.span, measure);
    else this.#measures.learn(codes, { sourceId, bySpan: new Map([[period.span, measure]]) });
    if (codedRegionId !== null) this.#places.learn(codes, codedRegionId);
    this.#periods.learn(codes, { period, loadMs });
    if (remark !== null) this.#remarks.learn(codes, remark.text);
  }
}

keepShape(
  new PlainNassRows(
    0,
    { value: 0, measure: [], place: [], period: [], remark: [] },
    { batch: new BatchBuilder(), importedMs: 0 },
  ),
);
