import type { ExplainedSeries } from '../../client/discovery/find-series.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { readProvenance } from '../../frame/table/provenance.js';
import type { Provenance } from '../../model/provenance.js';
import { formatDay } from '../../model/time.js';
import { resolveUnit } from '../choice/unit-choice.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import type { ToolCall } from './tool.js';

/** What is retrieved of series. */
export interface Retrieval {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly unit?: string | undefined;
  readonly at_time?: string | undefined;
}

/**
 * The latest points of some series in one long frame, with their provenance.
 * @throws NothingFoundError without a point, with the period that has some; PartialDataError when a series failed
 */
export async function retrieveLongFrame(
  { client, signal }: ToolCall,
  series: readonly ExplainedSeries[],
  { start, end, unit, at_time }: Retrieval,
): Promise<{ frame: LongFrame; provenance: Provenance }> {
  const unit_id = unit === undefined ? undefined : await resolveUnit(client, unit, { series, signal });
  for (const { start_date, end_date, coverage, ...rest } of series)
    client.addSingleDataSeries({ ...rest, start_date: start, end_date: end });
  const frame = await client.getDf({ unit_id, at_time, include_names: true, signal });
  if (frame.numRows === 0) throw new NothingFoundError(noPoints(series, { start, end, at_time }));
  return { frame, provenance: readProvenance(frame)! };
}

function noPoints(series: readonly ExplainedSeries[], { start, end, at_time }: Retrieval): string {
  const asked = [
    start === undefined ? '' : ` from ${start}`,
    end === undefined ? '' : ` to ${end}`,
    at_time === undefined ? '' : ` as of ${at_time}`,
  ].join('');
  const [{ coverage }] = series as readonly [ExplainedSeries];
  const last = Number.isFinite(coverage.endMs) ? `; its data end on ${formatDay(coverage.endMs)}` : '';
  const advice = 'ask for another period, or for none to get all points';
  return `there are no points${asked}${series.length === 1 ? last : ''}; ${advice}`;
}
