import type { Table } from 'apache-arrow';
import { atPosition, type PackedPoints, type PointSet } from '../../columns/packed-points.js';
import { longFrame } from '../../frame/build/long.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { LongOperation } from '../../model/progress.js';
import type { RetrievalReport } from '../../model/report.js';
import { DAY_MS, formatTime, parseTime } from '../../model/time.js';
import { type FanOutOptions, fetchSavedSeries } from '../fetch/fan-out.js';
import { contextOrFailure, type FrameClient } from '../get-df.js';
import { readPoints } from './frame-points.js';
import { cannotRefresh, type FrameQuery, readFrameQuery, rowIdentity } from './frame-query.js';
import { mergePoints } from './merge-points.js';

/** How a frame is refreshed. */
export interface RefreshOptions extends LongOperation {
  /**
   * How far before the last retrieval to look, because imports become visible when they are complete and clocks differ.
   * Default one day; rows that are fetched again change nothing.
   */
  overlapMs?: number | undefined;
  /** True also adds periods after the `end_date` with which a series was saved; default false. */
  later_periods?: boolean | undefined;
  /** True keeps the known points of a series that fails; the next refresh then starts from the same time. */
  allow_partial?: boolean | undefined;
}

/**
 * The frame that `getDf` would return now, by fetching only what became available since: new periods are added, revised
 * ones replaced. The given frame is not changed.
 * @throws ArgumentError when the table is not a long frame of saved series; PartialDataError when some series failed
 */
export async function refreshSavedFrame(
  client: FrameClient,
  table: Table,
  options: RefreshOptions = {},
): Promise<LongFrame> {
  const asked = readFrameQuery(table);
  const identity = rowIdentity(asked);
  const known = readPoints(table, asked.series);
  if (known.unknownSeries > 0) throw cannotRefresh('it has rows of series that its provenance does not list');
  const query = options.later_periods === true ? withoutEnds(asked) : asked;
  const { series } = query;
  const fetched = await fetchSince(client, query, options);
  const runs = mergePoints(known.runs, fetched.points.runs, identity);
  const points = { series: fetched.points.series, runs };
  const report = recountRows(fetched.report, points);
  const failed = report.some(({ outcome }) => outcome === 'failed');
  const { names, provenance } = await contextOrFailure(client, points, {
    asked: { ...(asked.provenance.asked as object), series },
    report,
    retrieved_at: failed ? asked.provenance.retrieved_at : fetched.retrieved_at,
    signal: options.signal,
    partial: () => points,
  });
  return longFrame(points, {
    names: asked.include_names ? names : undefined,
    index_by_series: asked.index_by_series,
    show_available_date: asked.flags.show_available_date,
    show_metadata: asked.flags.show_metadata,
    provenance,
  });
}

interface Fetched {
  readonly points: PointSet;
  readonly report: RetrievalReport;
  readonly retrieved_at: string;
}

/** Fetches what is new, and all points of the series that failed before. */
async function fetchSince(client: FrameClient, asked: FrameQuery, options: RefreshOptions): Promise<Fetched> {
  const { overlapMs = DAY_MS, signal, onProgress, allow_partial } = options;
  const { retrieved_at, report } = asked.provenance;
  const since = formatTime(parseTime(retrieved_at, 'retrieved_at') - overlapMs);
  const isWhole = asked.series.map((_, position) => report[position]?.outcome === 'failed');
  const fetch = (wanted: boolean, flags: FanOutOptions): Promise<Fetched> =>
    fetchSavedSeries(
      client,
      asked.series.filter((_, position) => isWhole[position] === wanted),
      { ...asked.flags, ...flags, signal, onProgress, allow_partial },
    );
  const parts = [await fetch(false, { available_since: since }), await fetch(true, {})] as const;
  return { ...inSavedOrder(isWhole, parts), retrieved_at: parts[0].retrieved_at };
}

/** Joins the two parts in saved order. */
function inSavedOrder(
  isWhole: readonly boolean[],
  [recent, whole]: readonly [Fetched, Fetched],
): { points: PointSet; report: RetrievalReport } {
  const positions: [number[], number[]] = [[], []];
  for (const [position, one] of isWhole.entries()) positions[one ? 1 : 0].push(position);
  const moved = (part: Fetched, to: readonly number[]): PackedPoints[] =>
    part.points.runs.map((run) => atPosition(run, to[run.series]!));
  const next = [0, 0] as [number, number];
  const entries = isWhole.map((one) => {
    const part = one ? whole : recent;
    const at = next[one ? 1 : 0]++;
    return { series: part.points.series[at]!, report: part.report[at]! };
  });
  return {
    points: {
      series: entries.map(({ series }) => series),
      runs: [...moved(recent, positions[0]), ...moved(whole, positions[1])],
    },
    report: entries.map(({ report }) => report),
  };
}

/** The report with the row counts of the refreshed frame. */
function recountRows(report: RetrievalReport, { runs }: PointSet): RetrievalReport {
  const rows = new Uint32Array(report.length);
  for (const { series, length } of runs) rows[series]! += length;
  return report.map((entry, position) => ({
    ...entry,
    rows: rows[position]!,
    outcome: entry.outcome === 'failed' ? 'failed' : rows[position]! > 0 ? 'data' : 'empty',
  }));
}

/** The query without the last dates, so that later periods are retrieved too. */
function withoutEnds(asked: FrameQuery): FrameQuery {
  const { end_date: _, ...flags } = asked.flags;
  return { ...asked, flags, series: asked.series.map(({ end_date: __, ...series }) => series) };
}
