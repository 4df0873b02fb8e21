import { copyBits, emptyBitmap } from '../../columns/bitmap.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { type PointRun, planRuns, type SeriesOrder } from './plan-runs.js';

/** Batches below this mean length are joined into one: each chunk of a table slows every later operation. */
const SMALL_BATCH_ROWS = 16_384;

/**
 * The same points in frame order, each once; see `planRuns`. Batches that already are sorted and distinct are returned
 * without copying; otherwise the rows are copied into one batch.
 */
export function sortAndDedupe(points: PointSet, order: SeriesOrder = 'saved'): PointSet {
  const filled = points.batches.filter((batch) => batch.length > 0);
  const set = { series: points.series, batches: filled };
  const runs = planRuns(set, order);
  const rows = filled.reduce((sum, batch) => sum + batch.length, 0);
  const isFragmented = filled.length > 1 && rows / filled.length < SMALL_BATCH_ROWS;
  const sequence = isFragmented ? null : batchSequence(filled, runs);
  const batches = sequence?.map((batch) => filled[batch]!) ?? [gatherRuns(set, runs)];
  return { series: points.series, batches };
}

/** The order of whole batches that the runs amount to, or null where they split a batch. */
function batchSequence(batches: readonly PointColumns[], runs: PointRun[]): number[] | null {
  const sequence: number[] = [];
  let batch = -1;
  let reached = 0;
  for (const run of runs) {
    if (batch === -1 || reached === batches[batch]!.length) {
      batch = run.batch;
      sequence.push(batch);
      reached = 0;
    }
    if (run.batch !== batch || run.from !== reached) return null;
    reached = run.to;
  }
  const whole = batch === -1 || reached === batches[batch]!.length;
  return whole && sequence.length === batches.length ? sequence : null;
}

/** Copies the rows of the runs, in order, into one batch. */
export function gatherRuns({ batches }: PointSet, runs: readonly PointRun[]): PointColumns {
  const length = runs.reduce((sum, run) => sum + run.to - run.from, 0);
  const series = new Uint32Array(length);
  const target = {
    length,
    series,
    start_date: new BigInt64Array(length),
    end_date: new BigInt64Array(length),
    value: new Float64Array(length),
    value_valid: batches.some((batch) => batch.value_valid !== null) ? emptyBitmap(length) : null,
    unit_id: new Int32Array(length),
    reporting_date: new BigInt64Array(length),
    reporting_valid: batches.some((batch) => batch.reporting_valid !== null) ? emptyBitmap(length) : null,
  };
  let at = 0;
  for (const run of runs) {
    series.fill(run.series, at, at + run.to - run.from);
    copyRun(target, at, { source: batches[run.batch]!, from: run.from, to: run.to });
    at += run.to - run.from;
  }
  return { ...target, ...gatherOptional(batches, runs, length) };
}

interface RunSource {
  source: PointColumns;
  from: number;
  to: number;
}

function copyRun(target: PointColumns, at: number, { source, from, to }: RunSource): void {
  target.start_date.set(source.start_date.subarray(from, to), at);
  target.end_date.set(source.end_date.subarray(from, to), at);
  target.value.set(source.value.subarray(from, to), at);
  target.unit_id.set(source.unit_id.subarray(from, to), at);
  target.reporting_date.set(source.reporting_date.subarray(from, to), at);
  const count = to - from;
  if (target.value_valid !== null) {
    copyBits(target.value_valid, at, { bitmap: source.value_valid, at: from, count });
  }
  if (target.reporting_valid !== null) {
    copyBits(target.reporting_valid, at, { bitmap: source.reporting_valid, at: from, count });
  }
}

function gatherOptional(
  batches: readonly PointColumns[],
  runs: readonly PointRun[],
  length: number,
): Pick<PointColumns, 'available_date' | 'metadata'> {
  const available = batches.some((batch) => batch.available_date !== undefined);
  const available_date = available ? new BigInt64Array(length) : undefined;
  const metadata = batches.some((batch) => batch.metadata !== undefined)
    ? new Array<string | null>(length).fill(null)
    : undefined;
  let at = 0;
  for (const { batch, from, to } of runs) {
    const source = batches[batch]!;
    if (source.available_date !== undefined)
      available_date?.set(source.available_date.subarray(from, to), at);
    if (metadata !== undefined && source.metadata !== undefined) {
      for (let row = from; row < to; row++) metadata[at + row - from] = source.metadata[row] ?? null;
    }
    at += to - from;
  }
  return { available_date, metadata };
}
