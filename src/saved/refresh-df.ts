import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import type { ServiceClient } from '../client/client.js';
import type { PointRequest } from '../client/points/points.js';
import { longFrame } from '../frame/build/long.js';
import type { LongFrame } from '../frame/frame.js';
import { checkTable } from '../frame/table/check-table.js';
import { derivationSteps, readProvenance } from '../frame/table/provenance.js';
import { badArgument } from '../model/errors.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS, POINT_FLAGS, type PointFlags } from '../model/schema/fields.js';
import { selectionLists } from '../model/selection.js';
import { SERIES_KEY_FIELDS } from '../model/series.js';
import { contextOrFailure, type FrameClient, type GetDfOptions, getSavedFrame } from './get-df.js';
import type { SavedSeries } from './saved-series.js';

const REFRESH = {
  /** If true, also adds periods after the `end_date` that was saved with a series. Default false. */
  later_periods: v.boolean(),
  /** If true, returns the frame even if some series failed. The report in the frame's provenance lists these series. */
  allow_partial: FIELDS.allow_partial,
};

export const REFRESH_OPTIONS = { ...LONG_OPERATION, ...REFRESH };

/** Options for refreshing a frame. */
export interface RefreshOptions extends LongOperation, OptionsOf<typeof REFRESH> {}

const RECORDED_FLAGS = (['unit_id', ...Object.keys(POINT_FLAGS)] as ('unit_id' | keyof PointFlags)[]).filter(
  (flag) => flag !== 'insert_null',
);

/**
 * Repeats a frame's retrieval. All points are requested again, because the available date of a newly imported figure
 * may be earlier than the last retrieval.
 */
export async function refreshSavedFrame<Own extends Table>(
  client: FrameClient,
  table: Own,
  { later_periods = false, ...options }: RefreshOptions,
): Promise<Own> {
  const { series, end_date, ...request } = readRequest(table);
  const saved = later_periods ? series.map(({ end_date: _, ...one }) => one) : series;
  const asked = { ...request, ...options, end_date: later_periods ? undefined : end_date };
  return (await getSavedFrame(client, saved, asked)) as Table as Own;
}

type FrameRequest = Omit<GetDfOptions, keyof LongOperation> & { readonly series: readonly SavedSeries[] };

function readRequest(table: Table): FrameRequest {
  checkTable(table, 'table');
  const request: unknown = readProvenance(table)?.request;
  if (!isRequest(request))
    throw cannotRefresh('its metadata does not list its series; pass a frame from getDf');
  if (derivationSteps(table).length > 0)
    throw cannotRefresh('its values are computed from another frame; refresh that frame instead');
  const kept = [...RECORDED_FLAGS, 'index_by_series', 'include_names', 'compress_format', 'names'];
  const flags = kept.flatMap((flag) => (request[flag] === undefined ? [] : [[flag, request[flag]]]));
  return { series: request.series, ...Object.fromEntries(flags) };
}

function isRequest(value: unknown): value is { series: SavedSeries[] } & Record<string, unknown> {
  const { series } = (value ?? {}) as { series?: unknown };
  return Array.isArray(series) && series.every(isKeyed);
}

function isKeyed(series: unknown): boolean {
  if (typeof series !== 'object' || series === null) return false;
  return SERIES_KEY_FIELDS.every((field) => Number.isSafeInteger((series as Record<string, unknown>)[field]));
}

const cannotRefresh = (why: string) => badArgument('table', `cannot be refreshed: ${why}`);

/**
 * Retrieves a selection's points into a long frame with provenance.
 * @param named whether the frame contains entity names; false by default
 * @throws the same errors as `getDataPoints`
 */
export async function pointsTable(
  client: Pick<ServiceClient, 'getPointSet' | 'lookupList' | 'seriesPoints' | 'toUnit' | 'api_host'>,
  request: PointRequest,
  named = false,
): Promise<LongFrame> {
  const { signal } = request;
  const retrieved_at = new Date().toISOString();
  const { report, ...points } = await client.getPointSet(request);
  const { names, provenance } = await contextOrFailure(client, points, {
    request: recordedRequest(request),
    report,
    retrieved_at,
    signal,
    named,
    partial: () => points,
  });
  const { show_available_date, show_metadata } = request;
  return longFrame(points, {
    names: named ? names : undefined,
    show_available_date,
    show_metadata,
    provenance,
  });
}

function recordedRequest(request: PointRequest): object {
  const flags = [...RECORDED_FLAGS, 'insert_null'] as const;
  const setFlags = flags.flatMap((flag) => (request[flag] === undefined ? [] : [[flag, request[flag]]]));
  return { ...selectionLists(request), ...Object.fromEntries(setFlags) };
}
