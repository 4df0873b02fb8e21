import type { RecordBatch, Schema } from 'apache-arrow';
import { endAt, type PointSet, reportingAt } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import { dateAt } from '../../columns/series-dates.js';
import { checkFunction, needed } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { badArgument } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import type { RetrievalReport } from '../../model/report.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { NAME_COLUMNS } from '../table/names.js';
import { checkAsyncIterable, checkSeries } from './check-points.js';
import {
  LONG_FRAME_KEYS,
  type LongFrameOptions,
  type LongLayout,
  longBatch,
  planLong,
  unitsOf,
} from './long.js';
import { type PointRun, planRuns } from './plan-runs.js';

/** A long frame that arrives batch by batch; its schema is known before the first batch. */
export interface FrameStream {
  /** The Arrow schema, with the frame's metadata. */
  schema: Schema;
  /** Record batches of that schema. */
  batches: AsyncIterable<RecordBatch>;
  /** The provenance after the last batch, with the complete report. Parquet files end with it. */
  lastProvenance?: (() => Provenance) | undefined;
}

/** The facts that a long frame built batch by batch needs before its first batch. */
export interface LongStreamOptions extends Omit<LongFrameOptions, 'index_by_series'> {
  /** Every series that may arrive, for the names; one that overlapping saves contain twice is listed twice. */
  series: readonly PointSeries[];
  /** Called after the last set. */
  report?: (() => RetrievalReport) | undefined;
}

const { index_by_series: _, ...ofLongFrames } = LONG_FRAME_KEYS;
const LONG_STREAM_KEYS: OptionKeys<LongStreamOptions> = {
  ...ofLongFrames,
  series: needed(checkSeries),
  report: checkFunction,
};

/**
 * A long frame as a stream: every point set becomes record batches as it arrives and is then released, so that memory is
 * bounded by the set. Rows are in the order in which the sets arrive, within a set as in `longFrame`; a point that a
 * later set repeats is dropped.
 * @throws ArgumentError while streaming, for a series that `series` does not list or a unit that `names` does not have
 */
export function streamLong(sets: AsyncIterable<PointSet>, options: LongStreamOptions): FrameStream {
  needed(checkAsyncIterable)(sets, 'sets');
  checkRequiredOptions(options, LONG_STREAM_KEYS, 'streamLong');
  const layout = planLong(options.series, { ...options, unitIds: options.names?.units.keys() ?? [] });
  const { provenance, report } = options;
  return {
    schema: layout.schema,
    batches: longBatches(sets, layout),
    ...(provenance && report && { lastProvenance: () => ({ ...provenance, report: report() }) }),
  };
}

async function* longBatches(sets: AsyncIterable<PointSet>, layout: LongLayout): AsyncGenerator<RecordBatch> {
  const dropRepeats = dedupeAcrossSets(layout.series);
  let isEmpty = true;
  for await (const { series, runs } of sets) {
    const setLayout = { ...layout, series };
    const planned = dropRepeats(planRuns(series, runs), series);
    if (planned.length === 0) continue;
    checkNamed(setLayout, planned);
    yield longBatch(setLayout, planned);
    isEmpty = false;
  }
  if (isEmpty) yield longBatch(layout, []);
}

function checkNamed({ series, dictionaries }: LongLayout, runs: readonly PointRun[]): void {
  const units = dictionaries.get('unit_name');
  if (units === undefined) return;
  for (const unit of unitsOf(runs)) {
    if (units.codes.has(unit)) continue;
    throw badArgument('names', `units has no unit_id ${unit}; pass the name of every unit that may arrive`);
  }
  for (const { column, id } of NAME_COLUMNS) {
    const { codes } = dictionaries.get(column)!;
    const unknown = series.find((key) => !codes.has(key[id]));
    if (unknown === undefined) continue;
    throw badArgument('series', `${id} ${unknown[id]} is not listed; list every series that may arrive`);
  }
}

/**
 * A function that removes from the planned rows of each point set those that a set before it had. Only series that are
 * listed more than once can repeat a point, so only the keys of their points are remembered.
 */
function dedupeAcrossSets(
  listed: readonly SeriesKey[],
): (runs: readonly PointRun[], series: readonly SeriesKey[]) => readonly PointRun[] {
  const times = new Map<string, number>();
  for (const key of listed) {
    const text = seriesKeyText(key);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const seen = new Map<string, Set<string>>();
  for (const [text, count] of times) if (count > 1) seen.set(text, new Set());
  return (runs, series) =>
    series.some((key) => seen.has(seriesKeyText(key))) ? dropSeen(runs, series, seen) : runs;
}

function dropSeen(
  runs: readonly PointRun[],
  series: readonly SeriesKey[],
  seen: ReadonlyMap<string, Set<string>>,
): PointRun[] {
  const kept: PointRun[] = [];
  const added: { keys: Set<string>; key: string }[] = [];
  for (const run of runs) {
    const keys = seen.get(seriesKeyText(series[run.series]!));
    if (keys === undefined) {
      kept.push(run);
      continue;
    }
    for (let row = run.from; row < run.to; row++) {
      const key = pointKey(run, row);
      if (!keys.has(key)) kept.push({ ...run, from: row, to: row + 1 });
      added.push({ keys, key });
    }
  }
  for (const { keys, key } of added) keys.add(key);
  return kept;
}

function pointKey({ points }: PointRun, row: number): string {
  return `${dateAt(points.start_date, row)} ${endAt(points, row)} ${reportingAt(points, row)}`;
}
