import { requireConvertible } from '../../compute/units.js';
import { type PointsQuery, SERIES_PER_REQUEST } from '../../contract/endpoints.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ArgumentError, CropframeError } from '../../model/errors.js';
import { seriesKeyOf } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { PointHistory, PointPlan, StoredSeries } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';
import { readPointSelection, readWindow } from '../selection.js';
import { absentSeries, matchSeries } from './match-series.js';

/** Some series to be read under the same flags. */
export interface PointRequest {
  readonly plan: PointPlan;
  /** What the answer says of the plan's series, in order, and then of those that the store does not have. */
  readonly series: readonly BlockSeries[];
  readonly insertNull: boolean;
  readonly unitId: number | null;
}

/**
 * The requests that answer some selections: those with the same flags are read together, by ascending handle. Each
 * series says which selection it answers; one that two selections ask for is read for both.
 * @throws CropframeError (too_large) when the selections name more series than one request may ask for
 */
export async function planPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  signal: AbortSignal,
): Promise<PointRequest[]> {
  const selections = queries.map(readPointSelection);
  const { store, names } = service;
  const matched = await matchSeries(service, queries, { selections, signal });
  const total = matched.reduce((sum, series) => sum + series.length, 0);
  if (total > SERIES_PER_REQUEST) throw tooManySeries();
  const historical = await names.historicalRegions(regionsOf(matched.flat()));
  const requests: PointRequest[] = [];
  for (const group of groupByFlags(queries, matched)) {
    const { query, wanted } = group;
    if (query.unitId !== undefined)
      await checkConversion(
        store,
        query.unitId,
        wanted.map(({ stored }) => stored),
      );
    const absent = group.members.flatMap((selection) =>
      absentSeries(selections[selection]!, matched[selection]!).map((key) => ({
        ...key,
        unit_id: null,
        selection,
      })),
    );
    requests.push({
      plan: { series: wanted.map(({ stored }) => stored), ...readPlanFlags(query) },
      series: [
        ...wanted.map(({ stored, selection }) => describe(stored, { historical, selection })),
        ...absent,
      ],
      insertNull: query.insertNull ?? false,
      unitId: query.unitId ?? null,
    });
  }
  return requests;
}

interface WantedSeries {
  readonly stored: StoredSeries;
  /** Position of the selection that asks for it. */
  readonly selection: number;
}

interface Group {
  readonly query: PointsQuery;
  readonly members: number[];
  readonly wanted: WantedSeries[];
}

/** Selections with equal flags together, except where two of them ask for the same series. */
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
      group = { query, members: [], wanted: [], handles: new Set() };
      candidates.push(group);
    }
    group.members.push(selection);
    for (const stored of matched[selection]!) {
      group.handles.add(stored.handle);
      group.wanted.push({ stored, selection });
    }
  });
  const all = [...groups.values()].flat();
  for (const { wanted } of all) wanted.sort((a, b) => a.stored.handle - b.stored.handle);
  return all;
}

function flagsText(query: PointsQuery): string {
  const { metricId, itemId, regionId, partnerRegionId, sourceId, frequencyId, ...flags } = query;
  return JSON.stringify(Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Refuses a conversion before the first byte of an answer is sent. */
async function checkConversion(
  store: ServiceContext['store'],
  unitId: number,
  known: readonly StoredSeries[],
): Promise<void> {
  const ids = [...new Set([unitId, ...known.map((series) => series.unit_id)])];
  const units = new Map((await store.lookup('units', ids)).map((unit) => [unit.id, unit]));
  if (!units.has(unitId)) throw new ArgumentError('unitId', `unitId: there is no unit ${unitId}`);
  requireConvertible(ids, unitId, units);
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

function describe(
  stored: StoredSeries,
  { historical, selection }: { historical: ReadonlySet<number>; selection: number },
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
    `the selection has more than ${SERIES_PER_REQUEST} series; ask for fewer regions or items at a time`,
  );
}
