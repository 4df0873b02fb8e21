import { checkConversions } from '../../compute/conversion-rule.js';
import { MAX_SERIES_PER_REQUEST, type PointsQuery } from '../../contract/queries.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ArgumentError, CropframeError } from '../../model/errors.js';
import { seriesKeyOf } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { PointHistory, PointPlan, StoredSeries } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';
import { readPointSelection, readWindow } from '../selection.js';
import { matchSeries, missingSeries } from './match-series.js';

/** Series to read with the same flags. */
export interface PointRequest {
  readonly plan: PointPlan;
  /** The descriptions of the plan's series, in order, and then of the requested series that the store does not have. */
  readonly series: readonly BlockSeries[];
  readonly insertNull: boolean;
  readonly unitId: number | null;
}

/**
 * Plans the requests that answer some selections. Selections with the same flags are read together, by ascending handle.
 * Every series refers to its selection; a series of two selections is read for both.
 * @throws CropframeError (too_large) when the selections have more series than one request allows
 */
export async function planPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  signal: AbortSignal,
): Promise<PointRequest[]> {
  const selections = queries.map(readPointSelection);
  const matched = await matchSeries(service, queries, { selections, signal });
  const total = matched.reduce((sum, series) => sum + series.length, 0);
  if (total > MAX_SERIES_PER_REQUEST) throw tooManySeries();
  const historical = await service.names.historicalRegions(regionsOf(matched.flat()));
  const groups = groupByFlags(queries, matched);
  for (const { query, requested } of groups) await checkConversion(service, query, requested);
  return groups.map(({ query, members, requested }) => {
    const missing = members.flatMap((selection) =>
      missingSeries(selections[selection]!, matched[selection]!).map((key) => ({ key, selection })),
    );
    return {
      plan: { series: requested.map(({ stored }) => stored), ...readPlanFlags(query) },
      series: [
        ...requested.map((one) => describeStored(one, historical)),
        ...missing.map(({ key, selection }) => ({ ...key, unit_id: null, selection })),
      ],
      insertNull: query.insertNull ?? false,
      unitId: query.unitId ?? null,
    };
  });
}

interface RequestedSeries {
  readonly stored: StoredSeries;
  /** The position of its selection. */
  readonly selection: number;
}

interface Group {
  readonly query: PointsQuery;
  readonly members: number[];
  readonly requested: RequestedSeries[];
}

/** Groups selections with equal flags, except selections that share a series. */
function groupByFlags(
  queries: readonly PointsQuery[],
  matched: readonly (readonly StoredSeries[])[],
): Group[] {
  const groups = new Map<string, (Group & { handles: Set<number> })[]>();
  queries.forEach((query, selection) => {
    const flags = flagsText(query);
    const candidates = groups.get(flags) ?? [];
    groups.set(flags, candidates);
    let group = candidates.find(({ handles }) =>
      matched[selection]!.every(({ handle }) => !handles.has(handle)),
    );
    if (group === undefined) {
      group = { query, members: [], requested: [], handles: new Set() };
      candidates.push(group);
    }
    group.members.push(selection);
    for (const stored of matched[selection]!) {
      group.handles.add(stored.handle);
      group.requested.push({ stored, selection });
    }
  });
  const all = [...groups.values()].flat();
  for (const { requested } of all) requested.sort((a, b) => a.stored.handle - b.stored.handle);
  return all;
}

function flagsText(query: PointsQuery): string {
  const { metricId, itemId, regionId, partnerRegionId, sourceId, frequencyId, ...flags } = query;
  return JSON.stringify(Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Refuses an impossible conversion before the first byte of an answer is sent. */
async function checkConversion(
  { store }: ServiceContext,
  { unitId }: PointsQuery,
  requested: readonly RequestedSeries[],
): Promise<void> {
  if (unitId === undefined) return;
  const ids = [...new Set([unitId, ...requested.map(({ stored }) => stored.unit_id)])];
  const units = new Map((await store.lookup('units', ids)).map((unit) => [unit.id, unit]));
  if (!units.has(unitId)) throw new ArgumentError('unitId', `unitId: there is no unit ${unitId}`);
  await checkConversions(
    requested.map(({ stored }) => stored),
    unitId,
    {
      unitsById: units,
      allowedUnits: (metric_id, item_id) => store.allowedUnits([metric_id], [item_id]),
    },
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
  { stored, selection }: RequestedSeries,
  historical: ReadonlySet<number>,
): BlockSeries {
  const { region_id, partner_region_id, unit_id } = stored;
  return {
    ...seriesKeyOf(stored),
    unit_id,
    selection,
    includes_historical_region: historical.has(region_id),
    includes_historical_partner_region: historical.has(partner_region_id),
  };
}

function regionsOf(series: readonly StoredSeries[]): number[] {
  return series.flatMap(({ region_id, partner_region_id }) => [region_id, partner_region_id]);
}

function tooManySeries(): CropframeError {
  return new CropframeError(
    'too_large',
    `the selection has more than ${MAX_SERIES_PER_REQUEST} series; request fewer regions or items at a time`,
  );
}
