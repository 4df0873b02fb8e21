import type { Table } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
import {
  availableAt,
  endAt,
  type PackedPoints,
  type PointSet,
  packColumns,
  reportingAt,
  sliceRun,
} from '../columns/packed-points.js';
import { NO_AVAILABLE_DATE, type PointColumns } from '../columns/point-columns.js';
import { dateAt } from '../columns/series-dates.js';
import { longFrame } from '../frame/build/long.js';
import { readColumn } from '../frame/table/columns.js';
import type { LongFrame } from '../frame/table/frame-types.js';
import { derivationSteps, readProvenance } from '../frame/table/provenance.js';
import { frameSeries, frameShape, readUnitIds } from '../frame/table/series-view.js';
import { POINT_FLAGS } from '../model/arguments/fields.js';
import { type ArgumentError, badArgument } from '../model/errors.js';
import type { PointFlags } from '../model/point.js';
import type { LongOperation } from '../model/progress.js';
import type { Provenance } from '../model/provenance.js';
import type { RetrievalReport } from '../model/report.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../model/series.js';
import { DAY_MS, formatTime, parseTime } from '../model/time.js';
import { fetchSavedSeries } from './fetch/fan-out.js';
import { contextOrFailure, type FrameClient } from './get-df.js';
import type { SavedSeries } from './saved-series.js';

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
 * The frame that `getDf` would return now, by fetching only points that became available since: new periods are added, revised
 * ones replaced. The given frame is not changed.
 * @throws ArgumentError when the table is not a long frame of saved series; PartialDataError when some series failed
 */
export async function refreshSavedFrame(
  client: FrameClient,
  table: Table,
  options: RefreshOptions = {},
): Promise<LongFrame> {
  const request = readFrameQuery(table);
  const identity = rowIdentity(request);
  const known = readPoints(table, request.series);
  const query = options.later_periods === true ? withoutEnds(request) : request;
  const { series } = query;
  const fetched = await fetchSince(client, query, options);
  const runs = mergePoints(known, fetched.points.runs, identity);
  const points = { series: fetched.points.series, runs };
  const report = recountRows(fetched.report, points);
  const failed = report.some(({ outcome }) => outcome === 'failed');
  const { names, provenance } = await contextOrFailure(client, points, {
    request: { ...(request.provenance.request as object), series },
    report,
    retrieved_at: failed ? request.provenance.retrieved_at : fetched.retrieved_at,
    signal: options.signal,
    partial: () => points,
  });
  return longFrame(points, {
    names: request.include_names ? names : undefined,
    index_by_series: request.index_by_series,
    show_available_date: request.flags.show_available_date,
    show_metadata: request.flags.show_metadata,
    provenance,
  });
}

/** Fetches new figures, and all points of the series that failed before. */
function fetchSince(client: FrameClient, { series, flags, provenance }: FrameQuery, options: RefreshOptions) {
  const { overlapMs = DAY_MS, signal, onProgress, allow_partial } = options;
  const since = formatTime(parseTime(provenance.retrieved_at, 'retrieved_at') - overlapMs);
  const wanted = series.map((one, position) =>
    provenance.report[position]?.outcome === 'failed' ? one : { ...one, available_since: since },
  );
  return fetchSavedSeries(client, wanted, { ...flags, signal, onProgress, allow_partial });
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
function withoutEnds(request: FrameQuery): FrameQuery {
  const { end_date: _, ...flags } = request.flags;
  return { ...request, flags, series: request.series.map(({ end_date: __, ...series }) => series) };
}

/** The identity of a row of a series: its period, also its reporting date, or also its available date (a vintage). */
type RowIdentity = 'period' | 'reporting' | 'vintage';

/** The cached rows that no newer row replaces, followed by the newer ones. */
function mergePoints(
  cached: readonly PackedPoints[],
  newer: readonly PackedPoints[],
  identity: RowIdentity,
): PackedPoints[] {
  const replaced = new Map<number, Set<string>>();
  for (const run of newer) {
    const keys = replaced.get(run.series) ?? new Set();
    for (let row = 0; row < run.length; row++) keys.add(rowKey(run, row, identity));
    replaced.set(run.series, keys);
  }
  const merged: PackedPoints[] = [];
  for (const run of cached) {
    const keys = replaced.get(run.series);
    let from = 0;
    for (let row = 0; row < run.length && keys !== undefined; row++) {
      if (!keys.has(rowKey(run, row, identity))) continue;
      if (row > from) merged.push(sliceRun(run, from, row));
      from = row + 1;
    }
    if (from < run.length) merged.push(sliceRun(run, from, run.length));
  }
  return [...merged, ...newer];
}

function rowKey(run: PackedPoints, row: number, identity: RowIdentity): string {
  const period = `${dateAt(run.start_date, row)} ${endAt(run, row)}`;
  if (identity === 'period') return period;
  const reporting = `${period} ${reportingAt(run, row) ?? ''}`;
  return identity === 'reporting' ? reporting : `${reporting} ${availableAt(run, row)}`;
}

/**
 * The points of a long frame. Their `series` is the first position of the row's key in the list.
 * @throws ArgumentError when the list lacks a series
 */
function readPoints(table: Table, series: readonly SeriesKey[]): PackedPoints[] {
  const positions = new Map(series.map((key, position) => [seriesKeyText(key), position] as const).reverse());
  const numbers = new Uint32Array(table.numRows);
  for (const { key, runs } of frameSeries(table)) {
    const position = positions.get(seriesKeyText(key));
    if (position === undefined)
      throw cannotRefresh('it has rows of series that its provenance does not list');
    for (const { from, to } of runs) numbers.fill(position, from, to);
  }
  return packColumns({ ...valueColumns(table), series: numbers });
}

function valueColumns(table: Table): Omit<PointColumns, 'series'> {
  const dates = (name: string) => readColumn(table, name, 'timestamp').values;
  const has = (name: string) => table.schema.fields.some((field) => field.name === name);
  const { values: value, valid: value_valid } = readColumn(table, 'value', 'float64');
  return {
    length: table.numRows,
    start_date: dates('start_date'),
    end_date: dates('end_date'),
    value,
    value_valid,
    unit_id: readUnitIds(table),
    reporting_date: dates('reporting_date'),
    reporting_valid: readColumn(table, 'reporting_date').valid,
    available_date: has('available_date') ? availableDates(table) : undefined,
    metadata: has('metadata') ? readColumn(table, 'metadata', 'utf8').values : undefined,
  };
}

/** A null row may hold any date, for instance after a file was read. */
function availableDates(table: Table): BigInt64Array {
  const { values, valid } = readColumn(table, 'available_date', 'timestamp');
  return valid === null
    ? values
    : values.map((date, row) => (isValid(valid, row) ? date : NO_AVAILABLE_DATE));
}

/** The query that a frame was retrieved by, from its provenance. */
interface FrameQuery {
  readonly series: readonly SavedSeries[];
  readonly flags: PointFlags & { readonly unit_id?: number | readonly number[] | undefined };
  readonly index_by_series: boolean;
  readonly include_names: boolean;
  readonly provenance: Provenance;
}

/** The flags of a retrieval that its provenance keeps. */
export const RECORDED_FLAGS = (
  ['unit_id', ...Object.keys(POINT_FLAGS)] as ('unit_id' | keyof PointFlags)[]
).filter((flag) => flag !== 'insert_null');

/** @throws ArgumentError when the table is not a long frame of saved series, or its values are derived */
function readFrameQuery(table: Table): FrameQuery {
  const provenance = readProvenance(table);
  const request = provenance?.request;
  if (frameShape(table) === 'wide')
    throw cannotRefresh(
      'a wide frame lacks the start and reporting dates that identify revisions; refresh the long frame, or call getDf again',
    );
  if (provenance === null || frameShape(table) !== 'long' || !isRequest(request))
    throw cannotRefresh('its metadata does not list its series; pass a long frame from getDf');
  if (derivationSteps(table).length > 0)
    throw cannotRefresh('its values are computed from another frame; refresh that one');
  const { series, index_by_series, include_names } = request;
  const flags = Object.fromEntries(
    RECORDED_FLAGS.flatMap((flag) => (request[flag] === undefined ? [] : [[flag, request[flag]]])),
  );
  return {
    series,
    flags,
    index_by_series: index_by_series === true,
    include_names: include_names === true,
    provenance,
  };
}

/** The columns that identify a row. @throws ArgumentError when the frame lacks one of them */
function rowIdentity({ flags }: FrameQuery): RowIdentity {
  if (flags.complete_history === true) {
    if (flags.show_available_date === true) return 'vintage';
    throw cannotRefresh('a complete history needs available dates; call getDf with show_available_date');
  }
  return flags.reporting_history === true || flags.show_revisions === true ? 'reporting' : 'period';
}

type FrameRequest = { series: SavedSeries[] } & Record<string, unknown>;

function isRequest(value: unknown): value is FrameRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { series } = value as { series?: unknown };
  return Array.isArray(series) && series.every(isKeyed);
}

function isKeyed(series: unknown): boolean {
  if (typeof series !== 'object' || series === null) return false;
  return SERIES_KEY_FIELDS.every((field) => Number.isSafeInteger((series as Record<string, unknown>)[field]));
}

/** The error of a frame that cannot be refreshed. */
function cannotRefresh(why: string): ArgumentError {
  return badArgument('table', `cannot be refreshed: ${why}`);
}
