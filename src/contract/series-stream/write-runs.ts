import { bitmapBytes, setBit } from '../../columns/bitmap.js';
import { epochWords, setEpoch } from '../../columns/epoch-words.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import { availableRows, NO_UNIT_ID, unitRows } from '../../columns/point-columns.js';
import { dateAt, type SeriesDates, unpackDates } from '../../columns/series-dates.js';
import { BatchWriter, type Elements } from './batch-writer.js';
import type { SeriesStreamHead } from './layout.js';

/** The columns of a stream by series, in their order, with a row for each run. */
export function writeRuns(
  runs: readonly PackedPoints[],
  head: Pick<SeriesStreamHead, 'withAvailableDate' | 'withMetadata'>,
): BatchWriter {
  const writer = new BatchWriter(runs.length);
  writer.numbers(Uint32Array.from(runs, ({ series }) => series));
  writeDates(
    writer,
    runs.map(({ start_date }) => start_date),
    runs,
  );
  writeDates(
    writer,
    runs.map(({ end_date }) => end_date),
    runs,
  );
  writeUnits(writer, runs);
  writeEach(writer, runs.map(reportingOf));
  if (head.withAvailableDate) writeEach(writer, runs.map(availableOf));
  if (head.withMetadata) writer.texts(runs.map(({ metadata = null }) => metadata));
  const values = runs.map(({ value, value_valid, length }) => elements(value, value_valid, length));
  writer.lists(values, Float64Array);
  return writer;
}

/** The first date, and the step or the dates of each run; nothing in runs without dates. */
function writeDates(
  writer: BatchWriter,
  dates: readonly (SeriesDates | null)[],
  runs: readonly PackedPoints[],
): void {
  writeEpochs(
    writer,
    dates.map((one) => (one === null ? null : dateAt(one, 0))),
  );
  writeEpochs(
    writer,
    dates.map((one) => (one !== null && 'stepMs' in one ? one.stepMs : null)),
  );
  writer.lists<Int32Array>(
    dates.map(() => null),
    Int32Array,
  );
  writer.lists(
    dates.map((one, i) => (one instanceof Float64Array ? epochElements(one, null, runs[i]!.length) : null)),
    BigInt64Array,
  );
}

function writeUnits(writer: BatchWriter, runs: readonly PackedPoints[]): void {
  const constant = Int32Array.from(runs, ({ unit_id }) =>
    typeof unit_id === 'number' ? unit_id : NO_UNIT_ID,
  );
  writer.numbers(constant, unitRows(constant, runs.length));
  const varying = runs.map(({ unit_id, length }) =>
    typeof unit_id === 'number' ? null : elements(unit_id, unitRows(unit_id, length), length),
  );
  writer.lists(varying, Int32Array);
}

/** A date or null for all points of a run, or dates or nulls for each. */
type EachDate = number | null | Elements<BigInt64Array>;

function reportingOf({ reporting_date, length }: PackedPoints): EachDate {
  if (reporting_date === null || typeof reporting_date === 'number') return reporting_date;
  return epochElements(reporting_date.dates, reporting_date.valid, length);
}

/** 0 stands for none, and so does an absent date: other requests of the answer have them. */
function availableOf({ available_date, length }: PackedPoints): EachDate {
  if (available_date === undefined || available_date === 0) return null;
  if (typeof available_date === 'number') return available_date;
  const dates = epochElements(available_date, null, length);
  return { ...dates, valid: availableRows(dates.items, length) };
}

function writeEach(writer: BatchWriter, dates: readonly EachDate[]): void {
  writeEpochs(
    writer,
    dates.map((one) => (typeof one === 'number' ? one : null)),
  );
  writer.lists(
    dates.map((one) => (typeof one === 'object' ? one : null)),
    BigInt64Array,
  );
}

function writeEpochs(writer: BatchWriter, items: readonly (number | null)[]): void {
  const column = new BigInt64Array(items.length);
  const words = epochWords(column);
  const valid = new Uint8Array(bitmapBytes(items.length));
  items.forEach((ms, row) => {
    if (ms === null) return;
    setEpoch(words, row, ms);
    setBit(valid, row);
  });
  writer.numbers(column, items.includes(null) ? valid : null);
}

/** Arrays may have room after the last row. */
function elements<Items extends Int32Array | Float64Array>(
  items: Items,
  valid: Uint8Array | null,
  length: number,
): Elements<Items> {
  return { items: (items.length === length ? items : items.subarray(0, length)) as Items, valid };
}

function epochElements(
  dates: Float64Array,
  valid: Uint8Array | null,
  length: number,
): Elements<BigInt64Array> {
  const items = new BigInt64Array(length);
  unpackDates(dates, length, items);
  return { items, valid };
}
