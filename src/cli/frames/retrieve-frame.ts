import type { Client } from '../../create-client.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { type DataSeries, seriesKeyText } from '../../model/series.js';
import { resolveUnit } from '../choice/unit-choice.js';
import { type RetrievalOptions, retrievalOf } from '../options/retrieval.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';
import { clearProgress, progressOptions } from '../terminal/progress.js';
import type { Frame } from './write-frame.js';

interface FrameRequest extends RetrievalOptions {
  readonly series: readonly DataSeries[];
  readonly wide?: boolean | undefined;
  readonly shortNames?: boolean | undefined;
}

/**
 * Retrieves the points of some series into one frame.
 * @throws NothingFoundError without a single point; PartialDataError when some series failed
 */
export async function retrieveFrame(
  context: CommandContext,
  client: Client,
  request: FrameRequest,
): Promise<Frame> {
  const { series, unit, start, end } = request;
  const { signal } = context;
  const unit_id = unit === undefined ? undefined : await resolveUnit(client, unit, { series, signal });
  for (const { start_date, end_date, ...rest } of series) {
    client.addSingleDataSeries({ ...rest, start_date: start, end_date: end });
  }
  try {
    const frame = await client.getDf({
      unit_id,
      ...retrievalOf(request),
      compress_format: request.wide,
      names: request.shortNames === true ? 'short' : undefined,
      allow_partial: request.allowPartial,
      ...progressOptions(context),
    });
    await reportFailedSeries(context, frame);
    if (frame.numRows === 0) throw new NothingFoundError(noPoints(request));
    return frame;
  } catch (error) {
    clearProgress(context);
    throw error;
  }
}

/** Why a frame has no rows: the period, or the date of which it is. */
function noPoints({ atTime, series: [first, ...others], start, end }: FrameRequest): string {
  if (atTime === undefined) return 'there are no points in this period';
  const period = start === undefined && end === undefined ? '' : ' of this period';
  const lists = 'lists the dates on which some became available';
  if (first === undefined || others.length > 0)
    return `no points${period} were available on ${atTime}; "cropframe vintages" ${lists}`;
  const { metric_id, item_id, region_id, source_id, source_name } = first;
  const which = `--metric ${metric_id} --item ${item_id} --region ${region_id}`;
  return (
    `no points${period} were available on ${atTime} of ${source_name ?? `source ${source_id}`}; ` +
    `"cropframe vintages ${which} --source ${source_id}" ${lists}, and "cropframe find ${which}" other sources for --source`
  );
}

/** Warns of failed series, and sets the exit code of partial data. */
async function reportFailedSeries(context: CommandContext, frame: Frame): Promise<void> {
  const failed = (readProvenance(frame)?.report ?? []).filter(({ outcome }) => outcome === 'failed');
  await warnOfAll(
    context,
    failed.map(({ series, reason }) => `series ${seriesKeyText(series)} failed: ${reason}`),
  );
  if (failed.length > 0) context.exitCode = EXIT.partialData;
}
