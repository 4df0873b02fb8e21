import { allValid, blankNulls, isValid } from '../../columns/bitmap.js';
import { epochAt, epochWords, setEpoch } from '../../columns/epoch-words.js';
import type { NullableDates, PackedPoints } from '../../columns/packed-points.js';
import { NO_UNIT_ID } from '../../columns/point-columns.js';
import { readEpochs, type SeriesDates } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import type { BatchReader, Column, ListColumn } from './batch-reader.js';
import type { Numbers } from './batch-writer.js';
import type { SeriesStreamHead } from './layout.js';
import { sliceBits } from './message-runs.js';

/**
 * The runs of a batch, as views on its body: what is in its null places is overwritten.
 * @throws RangeError when they are not runs of the stream's series
 */
export function readRuns(
  batch: BatchReader,
  head: Pick<SeriesStreamHead, 'series' | 'withAvailableDate' | 'withMetadata'>,
): PackedPoints[] {
  const series = required(batch.numbers(Uint32Array));
  const start = readDates(batch);
  const end = readDates(batch);
  const unit = readUnits(batch);
  const reporting = readEach(batch);
  const available = head.withAvailableDate ? readEach(batch) : null;
  const metadata = head.withMetadata ? batch.texts() : null;
  const values = batch.lists(Float64Array);
  batch.finish();
  if (values.elements.valid !== null) blankNulls(values.elements.items, values.elements.valid);
  return Array.from({ length: batch.rows }, (_, row): PackedPoints => {
    const length = values.offsets[row + 1]! - values.offsets[row]!;
    const value = elementsOf(values, row, length);
    const start_date = start(row, length);
    if (value === null || length === 0 || start_date === null || series[row]! >= head.series.length)
      throw new RangeError('a row is not a run of a series');
    return {
      series: series[row]!,
      length,
      start_date,
      end_date: end(row, length),
      value: value.items,
      value_valid: value.valid,
      unit_id: unit(row, length),
      reporting_date: reporting(row, length),
      available_date: available === null ? undefined : withoutNulls(available(row, length)),
      metadata: metadata === null ? undefined : textsOf(metadata, row, length),
    };
  });
}

/** Reads what a row has. */
type RowReader<Read> = (row: number, length: number) => Read;

function readDates(batch: BatchReader): RowReader<SeriesDates | null> {
  const first = batch.numbers(BigInt64Array);
  const step = batch.numbers(BigInt64Array);
  const days = batch.lists(Int32Array);
  const dates = batch.lists(BigInt64Array);
  const [firstWords, stepWords] = [epochWords(first.items), epochWords(step.items)];
  checkDays(days.elements.items);
  checkDates(dates.elements.items);
  return (row, length) => {
    if (!isValid(first.valid, row)) return null;
    const listedDays = elementsOf(days, row, length);
    if (listedDays !== null) return Float64Array.from(required(listedDays), (day) => day * DAY_MS);
    const listed = elementsOf(dates, row, length);
    if (listed !== null) return readEpochs(required(listed));
    const [firstMs, stepMs] = [epochAt(firstWords, row), epochAt(stepWords, row)];
    if (!isValid(step.valid, row)) throw new RangeError('a run has no dates');
    if (!isDate(firstMs) || !isDate(firstMs + stepMs * (length - 1)))
      throw new RangeError('a date is out of range');
    return { firstMs, stepMs };
  };
}

function readUnits(batch: BatchReader): RowReader<number | Int32Array> {
  const constant = batch.numbers(Int32Array);
  const varying = batch.lists(Int32Array);
  const { items, valid } = varying.elements;
  for (let i = 0; valid !== null && i < items.length; i++) if (!isValid(valid, i)) items[i] = NO_UNIT_ID;
  return (row, length) =>
    elementsOf(varying, row, length)?.items ??
    (isValid(constant.valid, row) ? constant.items[row]! : NO_UNIT_ID);
}

/** Dates that all points of a run share, or that each has; null for none. */
function readEach(batch: BatchReader): RowReader<number | NullableDates | null> {
  const constant = batch.numbers(BigInt64Array);
  const each = batch.lists(BigInt64Array);
  const words = epochWords(constant.items);
  const eachWords = epochWords(each.elements.items);
  const { valid } = each.elements;
  if (valid !== null)
    for (let i = 0; i < each.elements.items.length; i++) if (!isValid(valid, i)) setEpoch(eachWords, i, 0);
  checkDates(constant.items);
  checkDates(each.elements.items);
  return (row, length) => {
    const listed = elementsOf(each, row, length);
    if (listed !== null) return { dates: readEpochs(listed.items), valid: listed.valid };
    return isValid(constant.valid, row) ? epochAt(words, row) : null;
  };
}

/** 0 where there is none. */
function withoutNulls(dates: number | NullableDates | null): number | Float64Array {
  return dates === null || typeof dates === 'number' ? (dates ?? 0) : dates.dates;
}

/** The list of a row; null for a row without one. @throws RangeError when it has not one element a point */
function elementsOf<Items extends Numbers>(
  { offsets, valid, elements }: ListColumn<Items>,
  row: number,
  length: number,
): Column<Items> | null {
  if (!isValid(valid, row)) return null;
  const [from, to] = [offsets[row]!, offsets[row + 1]!];
  if (to - from !== length) throw new RangeError('a list has not one element a point');
  const bits = sliceBits(elements.valid, from, to);
  return {
    items: elements.items.subarray(from, to) as Items,
    valid: allValid(bits, length) ? null : bits,
  };
}

function textsOf(
  { offsets, valid, elements }: ListColumn<readonly (string | null)[]>,
  row: number,
  length: number,
): readonly (string | null)[] | null {
  if (!isValid(valid, row)) return null;
  const texts = elements.items.slice(offsets[row], offsets[row + 1]);
  if (texts.length !== length) throw new RangeError('a list has not one element a point');
  return texts;
}

/** The items of a column without nulls. */
function required<Items>({ items, valid }: Column<Items>): Items {
  if (valid !== null) throw new RangeError('a column has nulls');
  return items;
}

/** JavaScript has no dates beyond the year 275,760. */
const MAX_DATE_MS = 8.64e15;

function isDate(ms: number): boolean {
  return Number.isInteger(ms) && Math.abs(ms) <= MAX_DATE_MS;
}

function checkDays(days: Int32Array): void {
  for (let i = 0; i < days.length; i++)
    if (Math.abs(days[i]!) > MAX_DATE_MS / DAY_MS) throw new RangeError('a date is out of range');
}

function checkDates(dates: BigInt64Array): void {
  const words = epochWords(dates);
  for (let i = 0; i < dates.length; i++)
    if (Math.abs(epochAt(words, i)) > MAX_DATE_MS) throw new RangeError('a date is out of range');
}
