import type { Table } from 'apache-arrow';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { longFrame } from '../../frame/build/long.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { LongOperation } from '../../model/progress.js';
import type { RetrievalReport } from '../../model/report.js';
import { DAY_MS, formatTime, parseTime } from '../../model/time.js';
import { type FanOutOptions, fetchSavedSeries } from '../fetch/fan-out.js';
import { describedPoints, type FrameClient } from '../get-df.js';
import type { SavedSeries } from '../saved-series.js';
import { framePoints } from './frame-points.js';
import { type FrameQuery, readFrameQuery, refusal, rowIdentity } from './frame-query.js';
import { mergePoints } from './merge-points.js';

/** How a frame is refreshed. */
export interface RefreshOptions extends LongOperation {
  /**
   * How far before the last retrieval to look: an import becomes visible when it is complete, and clocks differ. Default
   * one day; what is fetched again changes nothing.
   */
  overlapMs?: number | undefined;
  /** Also periods after the `end_date` with which a series was saved. Default false: the frame stays what was asked for. */
  later_periods?: boolean | undefined;
  /** True keeps the known points of a series that fails; the next refresh asks for it from where this one did. */
  allow_partial?: boolean | undefined;
}

/**
 * A frame as `getDf` would give it now, by fetching only what became available since it was retrieved: new periods are
 * added, revised ones replaced. The given frame is not changed.
 * @throws ArgumentError when the table is no long frame of saved series; PartialDataError when a series failed
 */
export async function refreshSavedFrame(
  client: FrameClient,
  table: Table,
  options: RefreshOptions = {},
): Promise<LongFrame> {
  const asked = readFrameQuery(table);
  const identity = rowIdentity(asked);
  const known = framePoints(table, asked.series);
  if (known.unknownSeries > 0) throw refusal('it holds series that its provenance does not name');
  const series = options.later_periods === true ? asked.series.map(withoutEnd) : asked.series;
  const fetched = await fetchSince(client, { ...asked, series }, options);
  const batches = mergePoints(known.columns, fetched.points.batches, identity);
  const points = { series: fetched.points.series, batches };
  const report = countedReport(fetched.report, points);
  const failed = report.some(({ outcome }) => outcome === 'failed');
  const { names, provenance } = await describedPoints(client, points, {
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

/** Only what is new, but everything of the series that failed before. */
async function fetchSince(client: FrameClient, asked: FrameQuery, options: RefreshOptions): Promise<Fetched> {
  const { overlapMs = DAY_MS, signal, onProgress, allow_partial } = options;
  const { retrieved_at, report } = asked.provenance;
  const since = formatTime(parseTime(retrieved_at, 'retrieved_at') - overlapMs);
  const whole = asked.series.map((_, position) => report[position]?.outcome === 'failed');
  const fetch = (wanted: boolean, flags: FanOutOptions): Promise<Fetched> =>
    fetchSavedSeries(
      client,
      asked.series.filter((_, position) => whole[position] === wanted),
      { ...asked.flags, ...flags, signal, onProgress, allow_partial },
    );
  const parts = [await fetch(false, { available_since: since }), await fetch(true, {})] as const;
  return { ...interleaved(whole, parts), retrieved_at: parts[0].retrieved_at };
}

/** The two parts as one retrieval in saved order. */
function interleaved(
  whole: readonly boolean[],
  [since, anew]: readonly [Fetched, Fetched],
): { points: PointSet; report: RetrievalReport } {
  const places: [number[], number[]] = [[], []];
  for (const [position, isWhole] of whole.entries()) places[isWhole ? 1 : 0].push(position);
  const placed = (part: Fetched, positions: readonly number[]): PointColumns[] =>
    part.points.batches.map((columns) => ({
      ...columns,
      series: columns.series.map((at) => positions[at]!),
    }));
  const next = [0, 0] as [number, number];
  const entries = whole.map((isWhole) => {
    const part = isWhole ? anew : since;
    const at = next[isWhole ? 1 : 0]++;
    return { series: part.points.series[at]!, report: part.report[at]! };
  });
  return {
    points: {
      series: entries.map(({ series }) => series),
      batches: [...placed(since, places[0]), ...placed(anew, places[1])],
    },
    report: entries.map(({ report }) => report),
  };
}

/** The report of the whole frame: rows are those that it now has. */
function countedReport(report: RetrievalReport, { batches }: PointSet): RetrievalReport {
  const rows = new Uint32Array(report.length);
  for (const { series } of batches) for (const position of series) rows[position]!++;
  return report.map((entry, position) => ({
    ...entry,
    rows: rows[position]!,
    outcome: entry.outcome === 'failed' ? 'failed' : rows[position]! > 0 ? 'data' : 'empty',
  }));
}

function withoutEnd({ end_date: _, ...series }: SavedSeries): SavedSeries {
  return series;
}
