import type { ServiceClient } from '../client/client.js';
import type { PointSet } from '../columns/packed-points.js';
import { longFrame } from '../frame/build/long.js';
import { wideFrame } from '../frame/build/wide.js';
import type { LongFrame, WideFrame } from '../frame/frame.js';
import { badArgument } from '../model/errors.js';
import type { LongOperation } from '../model/progress.js';
import { PartialDataError } from '../model/report.js';
import type { PointFlags } from '../model/schema/fields.js';
import {
  drainSeries,
  type FetchingClient,
  failEverySeries,
  fetchResults,
  joinResults,
  seriesOf,
} from './fetch/fan-out.js';
import { type FrameContext, fetchWithNames, lookUpContext, type NamedPoints } from './frame-names.js';
import type { SavedSeries } from './saved-series.js';
import { resolveUnits, type UnitClient, type WantedUnit } from './unit-choice.js';

/** Which points are retrieved, and the form of the frame. */
export interface GetDfOptions extends LongOperation, Omit<PointFlags, 'insert_null'> {
  /** Sorts by the ids of the series and puts those columns first. */
  index_by_series?: boolean | undefined;
  /**
   * Adds name columns; the frame grows about fivefold. By default, true if the names of a saved series differ from the
   * request (`matched`).
   */
  include_names?: boolean | undefined;
  /** Returns a wide frame: one column a series, end_date first; not allowed with a history, available dates or metadata. */
  compress_format?: boolean | undefined;
  /** With `compress_format`: `'short'` gives columns short names that differ, see `withShortNames`; default `'full'`. */
  names?: 'full' | 'short' | undefined;
  /** False requests one series at a time; default true. */
  async_mode?: boolean | undefined;
  /**
   * Converts every point to this unit, by its id, abbreviation or name; with several, each series to that of its dimension.
   * Null, as without it, converts nothing.
   */
  unit_id?: WantedUnit | null | undefined;
  /** True returns the frame even if some series failed; its provenance contains the report. */
  allow_partial?: boolean | undefined;
}

/** The part of a client that building a frame uses. */
export type FrameClient = NamingClient & UnitClient;

/** The part of a client that looks up the names of a frame. */
export type NamingClient = FetchingClient & Pick<ServiceClient, 'api_host'>;

/**
 * Fetches the points of every saved series into one Arrow table.
 * @throws ArgumentError for options that exclude each other; PartialDataError when some series failed
 */
export async function getSavedFrame(
  client: FrameClient,
  saved: readonly SavedSeries[],
  options: GetDfOptions,
): Promise<LongFrame | WideFrame> {
  const { index_by_series, compress_format, names: naming, unit_id: unit, ...rest } = options;
  const { include_names = showsNames(saved), ...flagged } = rest;
  refuseInWideForm(options);
  const unit_id = await resolveUnits(client, unit, { series: saved, signal: options.signal });
  const fetching = { ...flagged, unit_id };
  const { signal, onProgress: _, ...flags } = fetching;
  const named = include_names === true || compress_format === true;
  const { fetched, looking } = await fetchWithNames(client, fetching.async_mode === false ? [] : saved, {
    named,
    signal,
    fetch: () => fetchResults(client, saved, fetching),
  });
  const { results, report, retrieved_at } = fetched;
  const request = { series: saved, ...flags, index_by_series, include_names, compress_format, names: naming };
  const points = {
    series: results.map(seriesOf),
    runs: results.flatMap(({ answer }) => answer?.runs ?? []),
  };
  const { names, provenance } = await contextOrFailure(client, points, {
    request,
    report,
    retrieved_at,
    signal,
    named,
    looking,
    partial: () => joinResults(results),
  });
  if (compress_format === true) {
    // Points are released as their columns are built.
    points.runs.length = 0;
    const wide = wideFrame(drainSeries(results), { names, provenance });
    return naming === 'short' ? wide.withShortNames() : wide;
  }
  return longFrame(joinResults(results), {
    names: include_names === true ? names : undefined,
    index_by_series,
    show_available_date: options.show_available_date,
    show_metadata: options.show_metadata,
    provenance,
  });
}

/** Checks whether a saved series has other names than requested. Its frame then shows the names that were used. */
export function showsNames(saved: readonly SavedSeries[]): boolean {
  return saved.some(({ matched }) => matched !== undefined);
}

interface ContextOptions {
  /** The points, for an error. */
  readonly partial: () => PointSet;
  /** Lookups that have begun. */
  readonly looking?: Promise<void> | undefined;
}

/**
 * Looks up names and provenance of a frame.
 * @throws PartialDataError, with the points, when they cannot be looked up
 */
export async function contextOrFailure(
  client: NamingClient,
  points: NamedPoints,
  { partial, looking, ...options }: Parameters<typeof lookUpContext>[2] & ContextOptions,
): Promise<FrameContext> {
  try {
    await looking;
    return await lookUpContext(client, points, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    const report = failEverySeries(
      options.report,
      'its points arrived, but their names and sources cannot be looked up',
      cause,
    );
    throw new PartialDataError(report, partial, cause);
  }
}

/** Options that a wide frame, with one value for each date, cannot show. */
const LONG_ONLY = [
  'reporting_history',
  'complete_history',
  'show_revisions',
  'show_available_date',
  'show_metadata',
] as const;

function refuseInWideForm(options: GetDfOptions): void {
  if (options.names === 'short' && options.compress_format !== true) {
    throw badArgument('names', '"short" is for the columns of a wide frame', {
      remedy: (nameOf) => `add ${nameOf('compress_format')}`,
    });
  }
  if (options.compress_format !== true) return;
  const refused = LONG_ONLY.find((flag) => options[flag] === true);
  if (refused === undefined) return;
  throw badArgument(
    'compress_format',
    (nameOf) =>
      `cannot be combined with ${nameOf(refused)}, since a wide frame has one value for each date and nothing else`,
    { remedy: 'omit one of them' },
  );
}
