import {
  atPosition,
  countRows,
  type PackedPoints,
  type PointSet,
  rowAt,
} from '../../columns/packed-points.js';
import { convertUnits, findUndecidedUses, requireAllowed, unitUses } from '../../compute/units.js';
import { availableText, type BlockSeries, unitOrNull } from '../../contract/series-blocks.js';
import { badAnswer, badArgument } from '../../model/errors.js';
import type { DataPoint } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import {
  createArrivedReport,
  createFailedReport,
  partialFailure,
  type RetrievalReport,
  type SeriesReport,
} from '../../model/report.js';
import { check, type KnownKeys } from '../../model/schema/check.js';
import { LONG_OPERATION, POINT_FLAGS, type PointFlags } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../../model/schema/operation.js';
import { IDS } from '../../model/schema/schemas.js';
import { SELECTION_KEYS } from '../../model/schema/selection-keys.js';
import { listedKeys, type Selection, type SelectionLists, selectionLists } from '../../model/selection.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { formatTime } from '../../model/time.js';
import type { AvailabilityOperations } from '../available.js';
import type { EntityLists } from '../entities.js';
import type { AnswerOrigin, ByteWatch, Transport } from '../http/transport.js';
import { type FlagQuery, toFlagQuery, toQuery } from '../query.js';
import type { TopItem } from '../ranking.js';
import { fetchProgress } from './fetch-progress.js';
import { type FormatNegotiation, openPointAnswer } from './point-answer.js';

/** The series and points to retrieve, and their unit. Every id is required except the partner region's. */
export interface PointRequest extends Selection, PointFlags, LongOperation {
  /** The unit to convert the points to, which must have the same dimension. Points without a unit are unchanged. */
  unit_id?: number | null | undefined;
}

/** Points as objects, with a report on their retrieval. */
export type DataPoints = DataPoint[] & {
  /** What was retrieved, with one entry per series. */
  readonly report: RetrievalReport;
};

/** Retrieves points. */
export interface PointOperations {
  /**
   * Returns the points of the selected series as objects, sorted by series and period. The array has a `report`
   * property. For many points, `getDataPointsTable` is faster.
   * @param request ids, a series, a point, or a result of `getTop`, to which flags can be added
   * @throws ArgumentError if a required id is missing; UnitError if a unit cannot be converted or has a different
   * dimension; PartialDataError if the retrieval of some series failed
   * @example
   * ```ts
   * const points = await client.getDataPoints({ ...series, start_date: '2010-01-01' });
   * console.log(points[0]?.value, points[0]?.unit_id);
   * ```
   */
  getDataPoints(request: PointRequest | TopItem): Promise<DataPoints>;
}

export const POINT_REQUEST = {
  ...SELECTION_KEYS,
  ...POINT_FLAGS,
  ...LONG_OPERATION,
} satisfies KnownKeys;

pointOperations.takes = {
  getDataPoints: promise(mandatory(POINT_REQUEST)),
} satisfies ArgumentsOf<PointOperations>;

/** Retrieval operations for other modules; not part of the public client. */
export interface PointSets {
  /**
   * Retrieves the points of the selected series. A large selection is split into several requests, which are retried
   * separately, so that points that have already arrived are not requested again.
   * @throws the same errors as `getDataPoints`
   */
  getPointSet(request: PointRequest): Promise<ReportedSet>;
  /**
   * Converts every point to one unit. Points that already have this unit or have no unit are unchanged, and null values
   * remain null.
   * @throws UnitError if a unit is unknown, has no conversion factor or has a different dimension
   */
  toUnit(points: PointSet, unit_id: number, signal?: AbortSignal): Promise<PointSet>;
}

interface ReportedSet extends PointSet {
  readonly report: RetrievalReport;
}

/** Retrieves points with one request, in whichever format the service supports. */
export type RetrievePoints = (
  lists: SelectionLists,
  flags: FlagQuery,
  watch: ByteWatch,
) => Promise<RetrievedPoints>;

const REQUIRED = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'] as const;

type UnitLookups = Pick<EntityLists, 'lookupList'> & Pick<AvailabilityOperations, 'getAllowedUnits'>;

export function pointOperations(
  entities: UnitLookups,
  retrieve: RetrievePoints,
): PointOperations & PointSets {
  async function getPointSet(request: PointRequest): Promise<ReportedSet> {
    const { signal, onProgress, unit_id } = request;
    checkRequired(request);
    if (unit_id !== undefined && unit_id !== null) check(IDS, [unit_id], 'unit_id');
    const flags = toFlagQuery(request);
    toQuery(request);
    const parts = splitSelection(selectionLists(request));
    const total = parts.length;
    const progress = fetchProgress({ label: 'fetching points', total, unit: 'requests', onProgress });
    const results = await Promise.allSettled(
      parts.map(async (lists) => {
        const points = await retrieve(lists, flags, { signal, onBytes: progress.received });
        progress.arrived(countRows(points.runs));
        return points;
      }),
    );
    signal?.throwIfAborted();
    const points = joinRetrieved(results);
    const causes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const report = reportOf(parts, results);
    if (causes.length > 0) throw partialFailure(report, { causes, partial: () => points });
    const converts = unit_id !== undefined && unit_id !== null;
    const converted = converts ? await toUnit(points, unit_id, signal) : points;
    return { ...converted, report };
  }

  async function toUnit(points: PointSet, unit_id: number, signal?: AbortSignal): Promise<PointSet> {
    const uses = [...unitUses(points)].filter((use) => use.unit_id !== unit_id);
    if (uses.length === 0) return convertUnits(points, unit_id, new Map());
    const ids = [...new Set(uses.map((use) => use.unit_id)), unit_id];
    const unitsById = await entities.lookupList('units', ids, { signal });
    await Promise.all(
      findUndecidedUses(uses, unit_id, unitsById).map(async (use) => {
        const allowed = await entities.getAllowedUnits(use.metric_id, use.item_id, { signal });
        requireAllowed(use, unit_id, { unitsById, allowed });
      }),
    );
    return convertUnits(points, unit_id, unitsById);
  }

  return {
    getPointSet,
    toUnit,
    async getDataPoints(request: PointRequest) {
      const { report, ...points } = await getPointSet(request);
      const found = toDataPoints(points, request);
      // `report` is not enumerable, so that only the points are compared and serialised.
      return Object.defineProperty(found, 'report', { value: report }) as DataPoints;
    },
  };
}

/** Creates a function that retrieves points in the best format that the service is known to support. */
export function pointRetriever(transport: Transport, formats: FormatNegotiation): RetrievePoints {
  return async (lists, flags, { signal, onBytes }) => {
    const query = { ...toQuery(lists), ...flags, responseType: 'list_of_series' };
    return formats.ask((accept) =>
      transport.read('points', { query, accept, signal, onBytes }, async (response, origin) => {
        const includeHistorical = flags.includeHistorical !== false;
        const requested = { endpoint: 'points', lists, includeHistorical } as const;
        const { series, batches } = await openPointAnswer(response, requested);
        checkRequested(series, lists);
        const runs: PackedPoints[] = [];
        for await (const batch of batches) runs.push(...batch);
        return { series, runs, origin };
      }),
    );
  };
}

/** @throws ContractError if a series was not requested */
function checkRequested(series: readonly BlockSeries[], lists: SelectionLists): void {
  for (const field of SERIES_KEY_FIELDS) {
    const other = series.find((one) => lists[field]?.includes(one[field]) === false);
    if (other === undefined) continue;
    throw badAnswer('points', `the response does not match the request: it has the ${field} ${other[field]}`);
  }
}

/** @throws ArgumentError if a required id is missing */
function checkRequired(request: PointRequest): void {
  const lists = selectionLists(request);
  const missing = REQUIRED.find((field) => lists[field] === undefined);
  if (missing !== undefined) throw badArgument(missing, 'is required to retrieve points');
}

type Extras = Pick<PointFlags, 'show_available_date' | 'show_metadata'>;

/** Converts a point set to objects with the fields that the API specification defines. */
function toDataPoints({ series, runs }: PointSet, extras: Extras): DataPoint[] {
  return runs.flatMap((run) =>
    Array.from({ length: run.length }, (_, i) =>
      dataPoint(run, i, { ...extras, series: series[run.series]! }),
    ),
  );
}

function dataPoint(
  run: PackedPoints,
  i: number,
  { series, show_available_date, show_metadata }: Extras & { series: BlockSeries },
): DataPoint {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata = null } = rowAt(run, i);
  return {
    start_date: formatTime(startMs),
    end_date: formatTime(endMs),
    value,
    unit_id: unitOrNull(unitId),
    reporting_date: reportingMs === null ? null : formatTime(reportingMs),
    metric_id,
    item_id,
    region_id,
    partner_region_id,
    frequency_id,
    source_id,
    ...(show_available_date === true ? { available_date: availableText(availableMs) } : {}),
    ...(show_metadata === true ? { metadata: readMetadata(metadata) } : {}),
    belongs_to: { metric_id, item_id, region_id, frequency_id, source_id },
  };
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

/** The maximum number of series per request. If the response is incomplete, the whole request is repeated. */
const MAX_SERIES_PER_PART = 1000;

/** The maximum number of ids per request. Many servers reject URLs longer than a few thousand characters. */
const MAX_IDS_PER_PART = 200;

/** Splits a selection into one part per request. Together, they select the same points in the same order. */
export function splitSelection(lists: SelectionLists): SelectionLists[] {
  if (isSmall(lists)) return [lists];
  const [field, ids] = findLongestList(lists);
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)].flatMap((part) => splitSelection({ ...lists, [field]: part }));
}

function isSmall(lists: SelectionLists): boolean {
  const counts = Object.values(lists).map((ids) => ids.length);
  const series = counts.reduce((product, count) => product * count, 1);
  const ids = counts.reduce((sum, count) => sum + count, 0);
  return counts.every((count) => count <= 1) || (series <= MAX_SERIES_PER_PART && ids <= MAX_IDS_PER_PART);
}

function findLongestList(lists: SelectionLists): [string, readonly number[]] {
  return Object.entries(lists).reduce((max, list) => (list[1].length > max[1].length ? list : max));
}

interface RetrievedPoints {
  readonly series: readonly BlockSeries[];
  readonly runs: readonly PackedPoints[];
  readonly origin: AnswerOrigin;
}

type PartResult = PromiseSettledResult<RetrievedPoints>;

function joinRetrieved(results: readonly PartResult[]): { series: BlockSeries[]; runs: PackedPoints[] } {
  const series: BlockSeries[] = [];
  const runs: PackedPoints[] = [];
  for (const result of results) {
    if (result.status === 'rejected') continue;
    const offset = series.length;
    series.push(...result.value.series);
    for (const run of result.value.runs) runs.push(atPosition(run, run.series + offset));
  }
  return { series, runs };
}

/** Returns one report for each series that arrived, and for each series that a failed request selected. */
function reportOf(parts: readonly SelectionLists[], results: readonly PartResult[]): RetrievalReport {
  return results.flatMap((result, at) =>
    result.status === 'rejected'
      ? listedKeys({ partner_region_id: [0], ...parts[at]! }).map((series) =>
          createFailedReport(series, result.reason),
        )
      : keepArrived(result.value),
  );
}

function keepArrived({ series, runs, origin }: RetrievedPoints): SeriesReport[] {
  const rows = new Uint32Array(series.length);
  for (const { series: position, length } of runs) rows[position]! += length;
  return series.map((one, position) =>
    createArrivedReport(one, rows[position]!, {
      from_cache: origin.fromCache,
    }),
  );
}
