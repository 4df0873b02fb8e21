import type { ServiceClient } from '../../client/client.js';
import type { SeriesRequest } from '../../client/points/batch-plan.js';
import { fetchProgress } from '../../client/points/fetch-progress.js';
import type { SeriesAnswer } from '../../client/points/series-points.js';
import { atPosition, countRows, type PointSet, unitsOf } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import { UnitError } from '../../model/errors.js';
import { chunksOf, groupedBy } from '../../model/grouping.js';
import type { LongOperation } from '../../model/progress.js';
import {
  createArrivedReport,
  createFailedReport,
  PartialDataError,
  partialFailure,
  type RetrievalReport,
  type SeriesReport,
} from '../../model/report.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { SavedSeries } from '../saved-series.js';
import { prefetch } from './prefetch.js';

interface FanOutOptions extends PointFlags, LongOperation {
  async_mode?: boolean | undefined;
  unit_id?: number | readonly number[] | null | undefined;
  allow_partial?: boolean | undefined;
}

interface FetchedResults {
  /** One result for each requested series, in the order of the request. */
  readonly results: SeriesResult[];
  readonly report: RetrievalReport;
  /** The retrieval time, in ISO 8601 UTC. All points that were in the store at that time are included. */
  readonly retrieved_at: string;
}

export type FetchingClient = Pick<ServiceClient, 'seriesPoints' | 'toUnit' | 'lookupList'>;

/**
 * Fetches the points of all saved series concurrently, and returns them in the order of the saved list.
 * @throws PartialDataError, with the points that arrived, if some series failed; the cause if all failed for the same
 * reason; UnitError; ContractError if the service splits a series into parts; the signal's reason if aborted
 */
export async function fetchSavedSeries(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: FanOutOptions = {},
) {
  const { results, ...fetched } = await fetchResults(client, saved, options);
  return { points: joinResults(results), ...fetched };
}

export async function fetchResults(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: FanOutOptions,
): Promise<FetchedResults> {
  const { async_mode = true, allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  signal?.throwIfAborted();
  const startedAt = new Date().toISOString();
  const fetch = seriesFetcher(client, { flags, async_mode, total: saved.length, onProgress });
  const results = await fetch(saved, signal);
  signal?.throwIfAborted();
  const report = results.map((result) => result.report);
  await convertResults(client, results, { unit_id, report: () => report, signal });
  requireConverted(report);
  if (!allow_partial) requireAll(results, () => report);
  return { results, report, retrieved_at: oldestAnswer(results, startedAt) };
}

/**
 * Returns a function that fetches saved series and reports progress. If `flags` has only a start date, series that end
 * earlier are not requested. If it has only an end date, series that start later are not requested.
 */
function seriesFetcher(
  client: FetchingClient,
  {
    flags,
    total,
    async_mode = true,
    onProgress,
  }: LongOperation & { flags: PointFlags; total: number; async_mode?: boolean },
): (saved: readonly SavedSeries[], signal: AbortSignal | undefined) => Promise<SeriesResult[]> {
  const progress = fetchProgress({ label: 'fetching series', total, unit: 'series', onProgress });
  const retrieval = client.seriesPoints.begin({ one_by_one: !async_mode });
  return async (saved, signal) => {
    const results: SeriesResult[] = [];
    const keep = (position: number, result: SeriesResult): void => {
      results[position] = result;
      progress.arrived(result.report.rows);
    };
    const wanted = [...saved.keys()].filter((position) => !isOutside(saved[position]!, flags));
    for (const [position, series] of saved.entries())
      if (isOutside(series, flags)) keep(position, arrivedResult(series, nothingOf(series)));
    await retrieval.fetch(
      wanted.map((position) => requestOf(saved[position]!, flags)),
      {
        signal,
        onBytes: progress.received,
        onArrival(at, answer) {
          keep(wanted[at]!, arrivedResult(saved[wanted[at]!]!, answer));
        },
        onFailure(at, cause) {
          keep(wanted[at]!, failedResult(saved[wanted[at]!]!, cause));
        },
      },
    );
    return results;
  };
}

function isOutside(series: SavedSeries, { start_date, end_date }: PointFlags): boolean {
  return (
    (start_date !== undefined && end_date === undefined && isAfter(start_date, series.end_date)) ||
    (end_date !== undefined && start_date === undefined && isAfter(series.start_date, end_date))
  );
}

function isAfter(date: string | undefined, other: string | undefined): boolean {
  if (date === undefined || other === undefined) return false;
  try {
    return parseTime(date, 'start_date') > parseTime(other, 'end_date');
  } catch {
    return false;
  }
}

function nothingOf(series: SavedSeries) {
  const origin = { fromCache: false, answeredAt: new Date().toISOString(), storeVersion: null };
  return { series: { ...seriesKeyOf(series), unit_id: null }, runs: [], origin };
}

function requestOf(series: SavedSeries, flags: PointFlags): SeriesRequest {
  return {
    ...seriesKeyOf(series),
    ...flags,
    start_date: flags.start_date ?? series.start_date,
    end_date: flags.end_date ?? series.end_date,
  };
}

/** Returns the time of the oldest response. A cached response that was not revalidated is older than `startedAt`. */
function oldestAnswer(results: readonly SeriesResult[], startedAt: string): string {
  return results.reduce((oldest, { answer }) => {
    const { fromCache = false, answeredAt = oldest } = answer?.origin ?? {};
    return fromCache && answeredAt < oldest ? answeredAt : oldest;
  }, startedAt);
}

/** The number of series converted at once. It is small, because old and new points are in memory at the same time. */
const MAX_SERIES_AT_ONCE = 50;

/** @throws UnitError; PartialDataError, with the unconverted points, if the units cannot be looked up */
async function convertResults(
  client: Pick<ServiceClient, 'toUnit' | 'lookupList'>,
  results: SeriesResult[],
  {
    unit_id,
    report,
    signal,
  }: Pick<FanOutOptions, 'unit_id' | 'signal'> & { readonly report: () => RetrievalReport },
): Promise<void> {
  if (unit_id === undefined || unit_id === null) return;
  try {
    const targets =
      typeof unit_id === 'number'
        ? results.map(() => unit_id)
        : await targetUnits(client, results, { wanted: unit_id, signal });
    for (const [target, all] of groupedBy(results.keys(), (at) => targets[at]))
      for (const positions of target === undefined ? [] : chunksOf(all, MAX_SERIES_AT_ONCE)) {
        const some = positions.map((at) => results[at]!);
        const runs = some.flatMap(({ answer }) => answer?.runs ?? []);
        const converted = await client.toUnit({ series: some.map(seriesOf), runs }, target!, signal);
        let next = 0;
        for (const [i, { answer, ...result }] of some.entries()) {
          if (answer === null) continue;
          const ofSeries = converted.runs.slice(next, next + answer.runs.length);
          next += ofSeries.length;
          const series = converted.series[i]!;
          results[positions[i]!] = { ...result, answer: { ...answer, series, runs: ofSeries } };
        }
      }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UnitError) throw cause;
    throw new PartialDataError(
      failEverySeries(report(), 'its points cannot be converted', cause),
      () => joinResults(results),
      cause,
    );
  }
}

/** Finds each series' requested unit, by dimension. If no unit fits, the report names the series' own unit. */
async function targetUnits(
  client: Pick<ServiceClient, 'lookupList'>,
  results: readonly SeriesResult[],
  { wanted, signal }: { wanted: readonly number[]; signal: AbortSignal | undefined },
): Promise<(number | undefined)[]> {
  const own = results.map(({ answer }) => [...unitsOf(answer?.runs ?? [])]);
  const units = await client.lookupList('units', [...new Set([...wanted, ...own.flat()])], { signal });
  const dimensionOf = (id: number) => units.get(id)?.dimension;
  return results.map(({ report }, at) => {
    const [unit] = own[at]!;
    if (unit === undefined || wanted.includes(unit)) return unit;
    const fitting = wanted.find((id) => dimensionOf(id) === (dimensionOf(unit) ?? ''));
    if (fitting === undefined) report.unconverted_unit = units.get(unit)?.abbreviation ?? `unit ${unit}`;
    return fitting;
  });
}

function requireConverted(report: RetrievalReport): void {
  const arrived = report.filter(({ rows }) => rows > 0);
  const [first] = arrived;
  if (first?.unconverted_unit === undefined) return;
  if (arrived.some(({ unconverted_unit }) => unconverted_unit === undefined)) return;
  const unit = first.unconverted_unit;
  throw new UnitError(
    null,
    `no requested unit fits any of the series; series ${seriesKeyText(first.series)}, for example, is in ${unit}; specify a different unit`,
  );
}

/** The maximum number of series in a point set. It is small because several sets are in memory at once. */
const SERIES_IN_A_SET = 20;

/** A fetch whose points are consumed as they arrive. */
export interface StreamedFetch {
  /**
   * Yields the points in sets of several series. If a series was saved more than once, all its entries are in one set,
   * at the position of the first. A set lists only the series that it contains.
   * @throws PartialDataError if some series failed and `allow_partial` is not set; UnitError; ContractError if the
   * service splits a series into parts; the signal's reason if aborted
   */
  sets(): AsyncGenerator<PointSet, void, undefined>;
  report(): RetrievalReport;
}

/** Fetches saved series in order. At most a few sets are fetched ahead of the consumer. */
export function fetchInOrder(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: Omit<FanOutOptions, 'async_mode'>,
): StreamedFetch {
  const { allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  const entries: SeriesReport[] = [];
  const report = () => saved.flatMap((_, position) => entries[position] ?? []);

  async function* sets(): AsyncGenerator<PointSet, void, undefined> {
    const fetch = seriesFetcher(client, { flags, total: saved.length, onProgress });
    const step = async (positions: readonly number[], signal: AbortSignal) => {
      const series = positions.map((position) => saved[position]!);
      return { positions, results: await fetch(series, signal) };
    };
    for await (const { positions, results } of prefetch(setsOf(saved), step, signal)) {
      for (const [at, result] of results.entries()) entries[positions[at]!] = result.report;
      if (!allow_partial) requireAll(results, report);
      await convertResults(client, results, { unit_id, report, signal });
      yield joinResults(results);
    }
  }

  return { sets, report };
}

/** Divides positions in the saved list into sets. Entries of the same series may share points, so they share a set. */
function setsOf(saved: readonly SavedSeries[]): number[][] {
  const sets: number[][] = [];
  for (const positions of groupedBy(saved.keys(), (position) => seriesKeyText(saved[position]!)).values()) {
    const last = sets.at(-1);
    if (last !== undefined && last.length + positions.length <= SERIES_IN_A_SET) last.push(...positions);
    else sets.push([...positions]);
  }
  return sets;
}

export interface SeriesResult {
  readonly report: SeriesReport;
  /** The series' points, or null if the series failed. */
  readonly answer: SeriesAnswer | null;
  readonly cause?: unknown;
}

export function arrivedResult(series: SavedSeries, answer: SeriesAnswer): SeriesResult {
  const rows = countRows(answer.runs);
  return {
    answer,
    report: createArrivedReport(series, rows, {
      from_cache: answer.origin.fromCache,
      matched: series.matched,
    }),
  };
}

function failedResult(series: SavedSeries, cause: unknown): SeriesResult {
  return { answer: null, cause, report: createFailedReport(series, cause, { matched: series.matched }) };
}

function requireAll(results: readonly SeriesResult[], report: () => RetrievalReport): void {
  const causes = results.flatMap(({ answer, cause }) => (answer === null ? [cause] : []));
  if (causes.length > 0) throw partialFailure(report(), { causes, partial: () => joinResults(results) });
}

export function joinResults(results: readonly SeriesResult[]): PointSet {
  const runs = results.flatMap(({ answer }, position) =>
    (answer?.runs ?? []).map((run) => atPosition(run, position)),
  );
  return { series: results.map(seriesOf), runs };
}

/**
 * Yields one point set per series, with all entries of a series that was saved more than once. Empties `results`, so
 * that only the consumer refers to the points.
 */
export function* drainSeries(results: SeriesResult[]): Generator<PointSet, void, undefined> {
  const entries = groupedBy(results.splice(0), ({ report }) => seriesKeyText(report.series));
  for (const [key, ofSeries] of entries) {
    entries.delete(key);
    yield joinResults(ofSeries);
  }
}

/** Returns the series as the service describes it or, if the request failed, as it was requested. */
export function seriesOf({ answer, report }: SeriesResult): PointSeries {
  return answer?.series ?? { ...report.series, unit_id: null };
}

/** Marks every series in a report as failed, because an error made all points unusable. */
export function failEverySeries(report: RetrievalReport, what: string, cause: unknown): RetrievalReport {
  const reason = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return report.map((entry) =>
    entry.outcome === 'failed' ? entry : { ...entry, outcome: 'failed', reason },
  );
}
