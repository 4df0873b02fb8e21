import { type Command, Option } from 'commander';
import type { Client } from '../../create-client.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { CropframeError } from '../../model/errors.js';
import { PartialDataError } from '../../model/report.js';
import { type DataSeries, seriesKeyText } from '../../model/series.js';
import { unitOf } from '../choice/unit-choice.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, warn } from '../terminal/io.js';
import { clearProgress, watched } from '../terminal/progress.js';
import type { Frame } from './frame-output.js';
import { date } from './option-values.js';

/** What a retrieval may ask for besides the series. */
export interface RetrievalOptions {
  readonly unit?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly atTime?: string | undefined;
  readonly history?: boolean | undefined;
  readonly completeHistory?: boolean | undefined;
  readonly availableDate?: boolean | undefined;
  readonly names?: boolean | undefined;
  readonly allowPartial?: boolean | undefined;
}

const GROUP = 'What is retrieved:';

/** Adds the options of a retrieval. */
export function addRetrievalOptions(command: Command): Command {
  const options = [
    new Option('--unit <unit>', 'convert every value to this unit; its abbreviation, name or id'),
    new Option('--at-time <date>', 'only what was available at that time').argParser(date),
    new Option('--history', 'every reporting date of a period, not the latest value alone'),
    new Option('--complete-history', 'every vintage of every value'),
    new Option('--available-date', 'tell when each value became available'),
    new Option('--names', 'add the names of metric, item, region, source and unit to every row'),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command;
}

/**
 * The points of some series in one frame.
 * @throws NothingFoundError when there is not one point; PartialDataError when some of several series failed
 */
export async function retrieveFrame(
  context: CommandContext,
  client: Client,
  request: RetrievalOptions & { readonly series: readonly DataSeries[]; readonly wide?: boolean | undefined },
): Promise<Frame> {
  const { series, unit, start, end } = request;
  const { signal } = context;
  const unit_id = unit === undefined ? undefined : await unitOf(client, unit, { series, signal });
  for (const { start_date, end_date, ...rest } of series) {
    client.addSingleDataSeries({ ...rest, ...datesOf(start, end) });
  }
  try {
    const frame = await client.getDf({
      ...(unit_id === undefined ? {} : { unit_id }),
      ...(request.atTime === undefined ? {} : { at_time: request.atTime }),
      ...(request.history === true ? { reporting_history: true } : {}),
      ...(request.completeHistory === true ? { complete_history: true } : {}),
      ...(request.availableDate === true ? { show_available_date: true } : {}),
      ...(request.names === true ? { include_names: true } : {}),
      ...(request.wide === true ? { compress_format: true } : {}),
      ...(request.allowPartial === true ? { allow_partial: true } : {}),
      ...watched(context),
    });
    await reportFailures(context, frame);
    if (frame.numRows === 0) throw new NothingFoundError('the series has no point of that time');
    return frame;
  } catch (error) {
    clearProgress(context);
    throw wholeFailure(error);
  }
}

/** A frame that lacks series is told of, and makes the exit code that of partial data. */
async function reportFailures(context: CommandContext, frame: Frame): Promise<void> {
  const failed = (readProvenance(frame)?.report ?? []).filter(({ outcome }) => outcome === 'failed');
  for (const { series, reason } of failed)
    await warn(context, `series ${seriesKeyText(series)} failed: ${reason}`);
  if (failed.length > 0) context.exitCode = EXIT.partialData;
}

/** Where every series failed, the cause says more than that all of them did. */
function wholeFailure(error: unknown): unknown {
  if (!(error instanceof PartialDataError) || error.failed.length < error.report.length) return error;
  return error.cause instanceof CropframeError ? error.cause : error;
}

function datesOf(
  start: string | undefined,
  end: string | undefined,
): { start_date?: string | undefined; end_date?: string | undefined } {
  return {
    ...(start === undefined ? {} : { start_date: start }),
    ...(end === undefined ? {} : { end_date: end }),
  };
}
