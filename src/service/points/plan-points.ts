import { requireAllowed, type UnitUse, undecidedUses } from '../../compute/conversion-rule.js';
import { MAX_SERIES_PER_REQUEST, type PointsQuery } from '../../contract/requests/queries.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import type { Unit } from '../../model/entity.js';
import { ArgumentError, CropframeError } from '../../model/errors.js';
import { seriesKeyOf } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { PointHistory, PointPlan, StoredSeries } from '../../store/plan.js';
import { mapInTurns } from '../../store/turns.js';
import type { ServiceContext } from '../context.js';
import { readWindow } from '../selection.js';
import { countMissing, type MatchedSelection, matchSeries, missingSeries } from './match-series.js';

/** Series to read with the same flags. */
export interface PointRequest {
  /** Each series once. */
  readonly plan: PointPlan;
  /**
   * The descriptions of the answered series: those of the plan in order, each once for every selection of it, and then
   * the requested series that the store does not have, with `unit_id` null.
   */
  readonly series: readonly BlockSeries[];
  /** For each series of the plan, the number of its descriptions. */
  readonly repeats: readonly number[];
  readonly insertNull: boolean;
  readonly unitId: number | null;
}

/** Maximum number of requested series without data that an answer lists. */
const MAX_MISSING_SERIES = 10 * MAX_SERIES_PER_REQUEST;

/**
 * Plans the requests that answer some selections. Selections with the same flags are read together, by ascending handle,
 * and a series of several of them is read once. Every described series refers to its selection.
 * @throws CropframeError (too_large) when the selections have more series than one request allows
 */
export async function planPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  signal: AbortSignal,
): Promise<PointRequest[]> {
  const matched = await matchSeries(service, queries, signal);
  if (sum(matched.map(({ stored }) => stored.length)) > MAX_SERIES_PER_REQUEST) throw tooManySeries();
  if (sum(matched.map(countMissing)) > MAX_MISSING_SERIES) throw tooManyMissing();
  const historical = await service.names.historicalRegions();
  const groups = await groupByFlags(queries, matched);
  for (const { query, wanted } of groups) await checkConversion(service, query, wanted);
  const requests: PointRequest[] = [];
  for (const { query, members, wanted } of groups) {
    const described = await mapInTurns(wanted, (one) => describeStored(one, historical));
    const missing = await mapInTurns(members, (selection) =>
      missingSeries(matched[selection]!).map((key) => ({
        ...key,
        unit_id: null,
        selection: selection || undefined,
      })),
    );
    requests.push({
      plan: { series: wanted.map(({ stored }) => stored), ...readPlanFlags(query) },
      series: [...described, ...missing].flat(),
      repeats: wanted.map(({ selections }) => selections.length),
      insertNull: query.insertNull ?? false,
      unitId: query.unitId ?? null,
    });
  }
  return requests;
}

interface WantedSeries {
  readonly stored: StoredSeries;
  /** The positions of the selections that have it. */
  readonly selections: number[];
}

interface Group {
  readonly query: PointsQuery;
  /** The positions of its selections. */
  readonly members: readonly number[];
  /** Their series by ascending handle. */
  readonly wanted: readonly WantedSeries[];
}

/** Groups selections with equal flags. */
async function groupByFlags(
  queries: readonly PointsQuery[],
  matched: readonly MatchedSelection[],
): Promise<Group[]> {
  const membersByFlags = new Map<string, number[]>();
  for (const [selection, flags] of (await mapInTurns(queries, flagsText)).entries()) {
    const members = membersByFlags.get(flags);
    if (members === undefined) membersByFlags.set(flags, [selection]);
    else members.push(selection);
  }
  return mapInTurns([...membersByFlags.values()], (members) => {
    const byHandle = new Map<number, WantedSeries>();
    for (const selection of members) {
      for (const stored of matched[selection]!.stored) {
        const known = byHandle.get(stored.handle);
        if (known === undefined) byHandle.set(stored.handle, { stored, selections: [selection] });
        else known.selections.push(selection);
      }
    }
    const wanted = [...byHandle.values()].sort((a, b) => a.stored.handle - b.stored.handle);
    return { query: queries[members[0]!]!, members, wanted };
  });
}

function flagsText(query: PointsQuery): string {
  const { metricId, itemId, regionId, partnerRegionId, sourceId, frequencyId, ...flags } = query;
  return JSON.stringify(Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Refuses an impossible conversion before the first byte of an answer is sent. */
async function checkConversion(
  service: ServiceContext,
  { unitId }: PointsQuery,
  wanted: readonly WantedSeries[],
): Promise<void> {
  if (unitId === undefined) return;
  const ids = [...new Set([unitId, ...wanted.map(({ stored }) => stored.unit_id)])];
  const units = new Map((await service.store.lookup('units', ids)).map((unit) => [unit.id, unit]));
  if (!units.has(unitId)) throw new ArgumentError('unitId', `unitId: there is no unit ${unitId}`);
  await checkConversions(
    wanted.map(({ stored }) => stored),
    unitId,
    { units, service },
  );
}

/** @throws UnitError for a unit that the target must not replace */
export async function checkConversions(
  uses: Iterable<UnitUse>,
  unitId: number,
  { units, service: { store } }: { units: ReadonlyMap<number, Unit>; service: Pick<ServiceContext, 'store'> },
): Promise<void> {
  await Promise.all(
    undecidedUses(uses, unitId, units).map(async (use) => {
      const allowed = await store.allowedUnits([use.metric_id], [use.item_id]);
      requireAllowed(use, unitId, { unitsById: units, allowed });
    }),
  );
}

function readPlanFlags(query: PointsQuery): Omit<PointPlan, 'series'> {
  return {
    ...readWindow(query),
    history: readHistory(query),
    atMs: query.atTime === undefined ? null : parseTime(query.atTime, 'atTime'),
    sinceMs: query.availableSince === undefined ? null : parseTime(query.availableSince, 'availableSince'),
    withAvailableDate: query.showAvailableDate ?? false,
    withMetadata: query.showMetaData ?? false,
  };
}

function readHistory(query: PointsQuery): PointHistory {
  if (query.showHistory === true) return 'complete';
  return query.showReportingDate === true || query.showRevisions === true ? 'reporting' : 'latest';
}

function describeStored(
  { stored, selections }: WantedSeries,
  historical: ReadonlySet<number>,
): BlockSeries[] {
  const { region_id, partner_region_id, unit_id } = stored;
  const described = {
    ...seriesKeyOf(stored),
    unit_id,
    includes_historical_region: historical.has(region_id) || undefined,
    includes_historical_partner_region: historical.has(partner_region_id) || undefined,
  };
  return selections.map((selection) => ({ ...described, selection: selection || undefined }));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

export function tooManySeries(): CropframeError {
  return new CropframeError(
    'too_large',
    `the selection has more than ${MAX_SERIES_PER_REQUEST} series; request fewer regions or items at a time`,
  );
}

function tooManyMissing(): CropframeError {
  return new CropframeError(
    'too_large',
    `the selections name more than ${MAX_MISSING_SERIES} series that do not exist; request fewer selections at a time`,
  );
}
