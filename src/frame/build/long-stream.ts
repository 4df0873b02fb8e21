import type { RecordBatch, Schema } from 'apache-arrow';
import type { PointColumns, PointSeries, PointSet } from '../../columns/point-columns.js';
import { ArgumentError } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import type { RetrievalReport } from '../../model/report.js';
import { NAME_COLUMNS } from '../table/names.js';
import { dedupeAcrossSets } from './dedupe.js';
import { gatherRuns, sortAndDedupe } from './gather.js';
import { type LongFrameOptions, type LongLayout, longBatch, planLong } from './long.js';

/** A long frame that arrives batch by batch; its schema is known before the first. */
export interface FrameStream {
  schema: Schema;
  batches: AsyncIterable<RecordBatch>;
  /** The provenance once all batches have come: its report tells of them. Parquet files end in it. */
  lastProvenance?: (() => Provenance) | undefined;
}

/** What a long frame built batch by batch must know before its first batch. */
export interface LongStreamOptions extends Omit<LongFrameOptions, 'index_by_series'> {
  /** Every series that the sets may bring, for the names; one that overlapping saves bring twice stands here twice. */
  series: readonly PointSeries[];
  /** Asked when the last set has come. */
  report?: (() => RetrievalReport) | undefined;
}

/**
 * A long frame as a stream: every point set becomes record batches as it arrives and is then forgotten, so that
 * memory is bounded by the set. Rows stand in the order in which the sets come, within a set as in `longFrame`; a
 * point that overlapping saves bring again in a later set is left out.
 * @throws ArgumentError while streaming, when a series or unit comes that `series` and `names` did not announce
 */
export function streamLong(sets: AsyncIterable<PointSet>, options: LongStreamOptions): FrameStream {
  const layout = planLong(options.series, { ...options, unitIds: options.names?.units.keys() ?? [] });
  const { provenance, report } = options;
  return {
    schema: layout.schema,
    batches: longBatches(sets, layout),
    ...(provenance && report && { lastProvenance: () => ({ ...provenance, report: report() }) }),
  };
}

async function* longBatches(sets: AsyncIterable<PointSet>, layout: LongLayout): AsyncGenerator<RecordBatch> {
  const leaveOutRepeats = dedupeAcrossSets(layout.series);
  let any = false;
  for await (const set of sets) {
    const { series, batches } = leaveOutRepeats(sortAndDedupe(set));
    const ofSet = { ...layout, series };
    for (const columns of batches) {
      if (columns.length === 0) continue;
      checkNamed(ofSet, columns);
      yield longBatch(ofSet, columns);
      any = true;
    }
  }
  if (!any) yield longBatch(layout, gatherRuns({ series: [], batches: [] }, []));
}

function checkNamed({ series, dictionaries }: LongLayout, { unit_id }: PointColumns): void {
  const units = dictionaries.get('unit_name');
  if (units === undefined) return;
  const unit = unit_id.find((id) => !units.codes.has(id));
  if (unit !== undefined) {
    throw new ArgumentError(
      'names',
      `names: units has no unit_id ${unit}; a streamed frame needs the name of every unit before its first row`,
    );
  }
  for (const { column, id } of NAME_COLUMNS) {
    const { codes } = dictionaries.get(column)!;
    const stranger = series.find((key) => !codes.has(key[id]));
    if (stranger === undefined) continue;
    throw new ArgumentError(
      'series',
      `series: ${id} ${stranger[id]} came without being listed; list every series that may come`,
    );
  }
}
