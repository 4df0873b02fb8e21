import { copyBits, emptyBitmap } from '../../columns/bitmap.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { type PointRun, planRuns, type SeriesOrder } from './plan-runs.js';

/** Batches below this mean length are joined into one, since every chunk of a table costs each later operation. */
const SMALL_BATCH_ROWS = 16_384;

/**
 * The same points in frame order and without repeats, see `planRuns`. Batches that already are so are returned as
 * they stand, sharing their memory; otherwise the rows are copied into one batch.
 */
export function sortAndDedupe(points: PointSet, order: SeriesOrder = 'saved'): PointSet {
  const filled = points.batches.filter((batch) => batch.length > 0);
  const set = { series: points.series, batches: filled };
  const slices = planRuns(set, order);
  const rows = filled.reduce((sum, batch) => sum + batch.length, 0);
  const many = filled.length > 1 && rows / filled.length < SMALL_BATCH_ROWS;
  const sequence = many ? null : batchSequence(filled, slices);
  const batches = sequence?.map((batch) => filled[batch]!) ?? [gatherRuns(set, slices)];
  return { series: points.series, batches };
}

/** The order of batches that the slices spell out, or null where they cut through a batch. */
function batchSequence(batches: readonly PointColumns[], slices: PointRun[]): number[] | null {
  const sequence: number[] = [];
  let batch = -1;
  let reached = 0;
  for (const slice of slices) {
    if (batch === -1 || reached === batches[batch]!.length) {
      batch = slice.batch;
      sequence.push(batch);
      reached = 0;
    }
    if (slice.batch !== batch || slice.from !== reached) return null;
    reached = slice.to;
  }
  const whole = batch === -1 || reached === batches[batch]!.length;
  return whole && sequence.length === batches.length ? sequence : null;
}

/** Copies the rows of the slices, in their order, into one batch. */
export function gatherRuns({ batches }: PointSet, slices: readonly PointRun[]): PointColumns {
  const length = slices.reduce((sum, slice) => sum + slice.to - slice.from, 0);
  const series = new Uint32Array(length);
  const target = {
    length,
    series,
    start_date: new BigInt64Array(length),
    end_date: new BigInt64Array(length),
    value: new Float64Array(length),
    valueValid: batches.some((batch) => batch.valueValid !== null) ? emptyBitmap(length) : null,
    unit_id: new Int32Array(length),
    reporting_date: new BigInt64Array(length),
    reportingValid: batches.some((batch) => batch.reportingValid !== null) ? emptyBitmap(length) : null,
  };
  let at = 0;
  for (const slice of slices) {
    series.fill(slice.series, at, at + slice.to - slice.from);
    copySlice(target, at, { source: batches[slice.batch]!, from: slice.from, to: slice.to });
    at += slice.to - slice.from;
  }
  return { ...target, ...gatherOptional(batches, slices, length) };
}

interface SliceSource {
  source: PointColumns;
  from: number;
  to: number;
}

function copySlice(target: PointColumns, at: number, { source, from, to }: SliceSource): void {
  target.start_date.set(source.start_date.subarray(from, to), at);
  target.end_date.set(source.end_date.subarray(from, to), at);
  target.value.set(source.value.subarray(from, to), at);
  target.unit_id.set(source.unit_id.subarray(from, to), at);
  target.reporting_date.set(source.reporting_date.subarray(from, to), at);
  const count = to - from;
  if (target.valueValid !== null) {
    copyBits(target.valueValid, at, { bitmap: source.valueValid, at: from, count });
  }
  if (target.reportingValid !== null) {
    copyBits(target.reportingValid, at, { bitmap: source.reportingValid, at: from, count });
  }
}

function gatherOptional(
  batches: readonly PointColumns[],
  slices: readonly PointRun[],
  length: number,
): Pick<PointColumns, 'available_date' | 'metadata'> {
  const available = batches.some((batch) => batch.available_date !== undefined);
  const available_date = available ? new BigInt64Array(length) : undefined;
  const metadata = batches.some((batch) => batch.metadata !== undefined)
    ? new Array<string | null>(length).fill(null)
    : undefined;
  let at = 0;
  for (const { batch, from, to } of slices) {
    const source = batches[batch]!;
    if (source.available_date !== undefined)
      available_date?.set(source.available_date.subarray(from, to), at);
    if (metadata !== undefined && source.metadata !== undefined) {
      for (let row = from; row < to; row++) metadata[at + row - from] = source.metadata[row] ?? null;
    }
    at += to - from;
  }
  return { ...(available_date && { available_date }), ...(metadata && { metadata }) };
}
