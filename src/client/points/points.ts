import type { PackedPoints, PointSet } from '../../columns/packed-points.js';
import { atPosition, countRows, rowAt } from '../../columns/packed-points.js';
import { convertUnits, findUndecidedUses, requireAllowed, unitUses } from '../../compute/units.js';
import { availableText, unitOrNull } from '../../contract/series-blocks.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { LONG_OPERATION, type LongOperation } from '../../model/progress.js';
import type { RetrievalReport, SeriesReport } from '../../model/report.js';
import { createArrivedReport, createFailedReport, partialFailure } from '../../model/report.js';
import { check, type KnownKeys } from '../../model/schema/check.js';
import { POINT_FLAGS, type PointFlags } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../../model/schema/operation.js';
import { IDS } from '../../model/schema/schemas.js';
import { listedKeys, SELECTION_KEYS, type Selection, selectionLists } from '../../model/selection.js';
import { compareSeriesKeys, type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { formatTime } from '../../model/time.js';
import type { EntityLists, EntityOperations } from '../entities.js';
import { toFlagQuery, toQuery } from '../query.js';
import type { TopItem } from '../ranking.js';
import { fetchProgress } from './fetch-progress.js';
import type { SeriesPointSource } from './series-points.js';

/** The series and points to retrieve, and their unit. Every id except the partner region's is required. */
export interface PointRequest extends Selection, PointFlags, LongOperation {
  /** Converts points to this unit, which must have the same dimension. Points without a unit are unchanged. */
  unit_id?: number | null | undefined;
}

/** One value of a series for one period. All dates are ISO 8601 strings in UTC, such as `2024-01-31T00:00:00.000Z`. */
export interface DataPoint extends SeriesKey {
  /** The first date of the period. */
  start_date: string;
  /** The last date of the period, inclusive. */
  end_date: string;
  /** The value; null if the source reports no figure, or if `insert_null` added the point to fill a gap. */
  value: number | null;
  /** The unit id of `value`; null for a value without a unit. */
  unit_id: number | null;
  /** The date on which the source reported the value, which distinguishes revisions; null if not stated. */
  reporting_date: string | null;
  /** When this service made the value available; null if unknown. Included only if `show_available_date` is set. */
  available_date?: string | null | undefined;
  /** The source's remarks on the value, such as flags. Included only if `show_metadata` is set. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The series that the point belongs to. */
  belongs_to: Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'frequency_id' | 'source_id'>;
}

/** Points as objects, with a report on their retrieval. */
export type DataPoints = DataPoint[] & {
  /**
   * The outcome of the retrieval, with one entry for each combination of the requested ids, including combinations for
   * which the service has no series.
   */
  readonly report: RetrievalReport;
};

/** Retrieves points. */
export interface PointOperations {
  /**
   * Returns the points of the selected series as objects, sorted by series and period. The array has a `report`
   * property. For many points, `getDataPointsTable` is faster. If the client has a cache, or the service has only the
   * basic JSON API, one request is sent for each combination of ids.
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

export const POINT_REQUEST = { ...SELECTION_KEYS, ...POINT_FLAGS, ...LONG_OPERATION } satisfies KnownKeys;

pointOperations.takes = {
  getDataPoints: promise(mandatory(POINT_REQUEST)),
} satisfies ArgumentsOf<PointOperations>;

export interface PointSets {
  /**
   * Retrieves the points of the selected series. The set lists a series for each combination of the requested ids,
   * including combinations for which the service has no series.
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

const REQUIRED = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'] as const;

export function pointOperations(
  entities: Pick<EntityLists & EntityOperations, 'lookupList' | 'getAllowedUnits'>,
  seriesPoints: SeriesPointSource,
): PointOperations & PointSets {
  async function getPointSet(request: PointRequest): Promise<ReportedSet> {
    const { signal, onProgress, unit_id } = request;
    const keys = requiredKeys(request);
    const converts = unit_id !== undefined && unit_id !== null;
    if (converts) check(IDS, [unit_id], 'unit_id');
    const flags = Object.fromEntries(FLAGS.map((flag) => [flag, request[flag]]));
    toFlagQuery(flags);
    const named = { label: 'fetching points', total: keys.length, unit: 'series' };
    const progress = fetchProgress({ ...named, onProgress });
    const [arrived, report, causes]: [PointSet[], SeriesReport[], unknown[]] = [[], [], []];
    const keep = (at: number, entry: SeriesReport): void => {
      report[at] = entry;
      progress.arrived(entry.rows);
    };
    await seriesPoints.begin().fetch(
      keys.map((key) => ({ ...flags, ...key })),
      {
        signal,
        onBytes: progress.received,
        onArrival(at, { series, runs, origin }) {
          arrived[at] = { series: [series], runs };
          keep(at, createArrivedReport(series, countRows(runs), { from_cache: origin.fromCache }));
        },
        onFailure(at, cause) {
          causes.push(cause);
          keep(at, createFailedReport(keys[at]!, cause));
        },
      },
    );
    signal?.throwIfAborted();
    const points = joinSets(Object.values(arrived));
    if (causes.length > 0) throw partialFailure(report, { causes, partial: () => points });
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

const FLAGS = Object.keys(POINT_FLAGS) as (keyof PointFlags)[];

/** Returns the sorted keys of the selected series. @throws ArgumentError if an id is missing or invalid */
function requiredKeys(request: PointRequest): SeriesKey[] {
  const lists = selectionLists(request);
  const missing = REQUIRED.find((field) => lists[field] === undefined);
  if (missing !== undefined) throw badArgument(missing, 'is required to retrieve points');
  toQuery(request);
  return listedKeys({ partner_region_id: [WORLD_REGION_ID], ...lists }).sort(compareSeriesKeys);
}

function joinSets(sets: readonly PointSet[]): PointSet {
  return {
    series: sets.flatMap(({ series }) => series),
    runs: sets.flatMap(({ runs }, position) => runs.map((run) => atPosition(run, position))),
  };
}

type Extras = Pick<PointFlags, 'show_available_date' | 'show_metadata'>;

function toDataPoints({ series, runs }: PointSet, extras: Extras): DataPoint[] {
  return runs.flatMap((run) => {
    const key = seriesKeyOf(series[run.series]!);
    return Array.from({ length: run.length }, (_, i) => dataPoint(run, i, { ...extras, key }));
  });
}

function dataPoint(
  run: PackedPoints,
  i: number,
  { key, show_available_date, show_metadata }: Extras & { key: SeriesKey },
): DataPoint {
  const { partner_region_id: _, ...belongs_to } = key;
  const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata = null } = rowAt(run, i);
  return {
    start_date: formatTime(startMs),
    end_date: formatTime(endMs),
    value,
    unit_id: unitOrNull(unitId),
    reporting_date: reportingMs === null ? null : formatTime(reportingMs),
    ...key,
    ...(show_available_date === true ? { available_date: availableText(availableMs) } : {}),
    ...(show_metadata === true ? { metadata: metadata === null ? null : JSON.parse(metadata) } : {}),
    belongs_to,
  };
}
