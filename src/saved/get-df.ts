import type { ServiceClient } from '../client/client.js';
import type { PointSet } from '../columns/point-columns.js';
import { longFrame } from '../frame/build/long.js';
import { wideFrameFromParts } from '../frame/build/wide.js';
import type { LongFrame, WideFrame } from '../frame/table/frame-types.js';
import { ArgumentError } from '../model/errors.js';
import type { PointFlags } from '../model/point.js';
import type { LongOperation } from '../model/progress.js';
import { PartialDataError } from '../model/report.js';
import { type FetchingClient, fetchResults } from './fetch/fan-out.js';
import { joinResults, seriesOf, takeParts, unusable } from './fetch/series-result.js';
import { type FrameContext, frameContext, type NamedPoints } from './frame-names.js';
import type { SavedSeries } from './saved-series.js';

/** What is fetched into a frame, and the frame's form. */
export interface GetDfOptions
  extends LongOperation,
    Omit<PointFlags, 'start_date' | 'end_date' | 'insert_null'> {
  /** Sorts by the ids of the series and puts those columns first. */
  index_by_series?: boolean | undefined;
  /** Adds name columns; the frame grows about five times. */
  include_names?: boolean | undefined;
  /** One column a series with end_date first; not together with a history. */
  compress_format?: boolean | undefined;
  /** False asks for one series at a time; default true. */
  async_mode?: boolean | undefined;
  /** Converts every point to this unit. */
  unit_id?: number | undefined;
  /** True gives the frame even when a series failed; its provenance carries the report. */
  allow_partial?: boolean | undefined;
}

/** What a frame asks of a client. */
export type FrameClient = FetchingClient & Pick<ServiceClient, 'lookupList' | 'api_host'>;

/**
 * The points of every saved series in one Arrow table, freshly fetched.
 * @throws ArgumentError for options that exclude each other; PartialDataError when a series failed
 */
export async function getSavedFrame(
  client: FrameClient,
  saved: readonly SavedSeries[],
  options: GetDfOptions = {},
): Promise<LongFrame | WideFrame> {
  const { index_by_series, include_names, compress_format, ...fetching } = options;
  refuseCompressedHistory(options);
  const { outcomes, report, retrieved_at } = await fetchResults(client, saved, fetching);
  const { signal, onProgress: _, ...flags } = fetching;
  const asked = { series: saved, ...flags, index_by_series, include_names, compress_format };
  const named = {
    series: outcomes.map(seriesOf),
    batches: outcomes.flatMap(({ answer }) => answer?.batches ?? []),
  };
  const { names, provenance } = await describedPoints(client, named, {
    asked,
    report,
    retrieved_at,
    signal,
    partial: () => joinResults(outcomes),
  });
  if (compress_format === true) {
    // So that of what is taken over nothing is held here any longer.
    named.batches.length = 0;
    return wideFrameFromParts(takeParts(outcomes), { names, provenance });
  }
  return longFrame(joinResults(outcomes), {
    names: include_names === true ? names : undefined,
    index_by_series,
    show_available_date: options.show_available_date,
    show_metadata: options.show_metadata,
    provenance,
  });
}

/** What a frame of these points says of them. @throws PartialDataError, with the points, when it cannot be looked up */
export async function describedPoints(
  client: FrameClient,
  points: NamedPoints,
  { partial, ...options }: Parameters<typeof frameContext>[2] & { partial: () => PointSet },
): Promise<FrameContext> {
  try {
    return await frameContext(client, points, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    const report = unusable(options.report, 'its points are there, but not their names and sources', cause);
    throw new PartialDataError(report, partial(), cause);
  }
}

function refuseCompressedHistory(options: GetDfOptions): void {
  if (options.compress_format !== true) return;
  const history = (['reporting_history', 'complete_history', 'show_revisions'] as const).find(
    (flag) => options[flag] === true,
  );
  if (history === undefined) return;
  throw new ArgumentError(
    'compress_format',
    `compress_format: cannot be combined with ${history}; a column holds one value a date`,
  );
}
