import { findUndecidedUses, requireAllowed, type UnitUse } from '../../compute/units.js';
import { MAX_SERIES_PER_REQUEST, type PointsQuery } from '../../contract/endpoints.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { badArgument, CropframeError } from '../../model/errors.js';
import { getOrCompute, groupedBy } from '../../model/grouping.js';
import { listedKeys, type SelectionLists } from '../../model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { PointHistory, PointPlan, StoredSeries } from '../../store/plan.js';
import { mapInTurns, turns } from '../../store/turns.js';
import type { CachedSeries } from '../cache/per-version.js';
import type { ServiceContext } from '../handler.js';
import { readPointSelection, readWindow } from '../selection.js';

/** Series that are read together because they were requested with the same flags. */
export interface PlannedPoints {
  /** The store's plan for reading the points. It contains each series once. */
  readonly plan: PointPlan;
  /**
   * The series in the plan, in order. A series is repeated for each selection that contains it. Requested series that
   * are not in the store follow, with a null `unit_id`.
   */
  readonly series: readonly BlockSeries[];
  /** For each series in the plan, the number of selections that contain it. */
  readonly copies: readonly number[];
  readonly insertNull: boolean;
  readonly unitId: number | null;
}

/** The maximum number of requested series that do not exist. It is limited because responses list these series. */
const MAX_MISSING_SERIES = 10 * MAX_SERIES_PER_REQUEST;

/**
 * Plans how to read the points of several selections. Selections with the same flags are read together, in the store's
 * order, and each series is read only once. Each series in the result has the index of the selection that includes it.
 * @throws CropframeError (too_large) if the selections contain more series than one request may contain
 */
export async function planPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  signal: AbortSignal,
): Promise<PlannedPoints[]> {
  const historical = await service.names.historicalRegions();
  const matched = await matchSeries(service, queries, { historical, signal });
  if (sum(matched.map(({ stored }) => stored.length)) > MAX_SERIES_PER_REQUEST) throw tooManySeries();
  if (sum(matched.map(countMissing)) > MAX_MISSING_SERIES)
    throw tooManySeries(`names more than ${MAX_MISSING_SERIES} series that do not exist`);
  const flags = await mapInTurns(queries, flagsText);
  const groups = groupedBy(queries.keys(), (selection) => flags[selection]);
  const planned: PlannedPoints[] = [];
  for (const members of groups.values())
    planned.push(await planGroup(queries[members[0]!]!, { members, matched, historical }, service));
  return planned;
}

interface SelectionGroup {
  /** The indexes of the selections in the group. */
  readonly members: readonly number[];
  /** For each selection in the request, the series that match the selection. */
  readonly matched: readonly MatchedSelection[];
  readonly historical: ReadonlySet<number>;
}

async function planGroup(
  query: PointsQuery,
  { members, matched, historical }: SelectionGroup,
  service: ServiceContext,
): Promise<PlannedPoints> {
  const { unitId = null, insertNull = false } = query;
  const wanted = members
    .flatMap((selection) => matched[selection]!.stored.map((stored) => ({ stored, selection })))
    .sort((a, b) => a.stored.handle - b.stored.handle);
  const bySeries = [...groupedBy(wanted, ({ stored }) => stored.handle).values()];
  const series = bySeries.map(([one]) => one!.stored);
  if (unitId !== null) {
    // An impossible conversion is rejected before the first byte of the response is sent.
    if (!(await service.units()).has(unitId)) throw badArgument('unitId', `there is no unit ${unitId}`);
    await checkConversions(series, unitId, service);
  }
  const described = await mapInTurns(wanted, ({ stored, selection }) => ({
    ...seriesKeyOf(stored),
    unit_id: stored.unit_id,
    includes_historical_region: historical.has(stored.region_id) || undefined,
    includes_historical_partner_region: historical.has(stored.partner_region_id) || undefined,
    selection: selection || undefined,
  }));
  const missing = await mapInTurns(members, (selection) =>
    missingSeries(matched[selection]!).map((key) => ({
      ...key,
      unit_id: null,
      selection: selection || undefined,
    })),
  );
  return {
    plan: { series, ...readPlanFlags(query) },
    series: [...described, ...missing.flat()],
    copies: bySeries.map(({ length }) => length),
    insertNull,
    unitId,
  };
}

function flagsText(query: PointsQuery): string {
  const { metricId, itemId, regionId, partnerRegionId, sourceId, frequencyId, ...flags } = query;
  return JSON.stringify(Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Checks that values may be converted to the target unit. @throws UnitError if a conversion is not allowed */
export async function checkConversions(
  uses: Iterable<UnitUse>,
  unitId: number,
  { store, units: loadUnits }: ServiceContext,
): Promise<void> {
  const units = await loadUnits();
  await Promise.all(
    findUndecidedUses(uses, unitId, units).map(async (use) => {
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

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

export function tooManySeries(what = `has more than ${MAX_SERIES_PER_REQUEST} series`): CropframeError {
  return new CropframeError('too_large', `the selection ${what}; request fewer regions or items at a time`);
}

interface MatchedSelection {
  readonly selection: SelectionLists;
  /** Returns false for series of historical regions, unless the request includes them. */
  readonly accepts: (series: SeriesKey) => boolean;
  readonly stored: StoredSeries[];
}

/**
 * Finds the stored series for each query's selection. Equal selections share one result. If all series in a selection
 * are cached, the cache is used. The series of all other selections are listed from the store in one pass.
 */
async function matchSeries(
  service: ServiceContext,
  queries: readonly PointsQuery[],
  { historical, signal }: { historical: ReadonlySet<number>; signal: AbortSignal },
): Promise<MatchedSelection[]> {
  const isCurrent = ({ region_id, partner_region_id }: SeriesKey) =>
    !historical.has(region_id) && !historical.has(partner_region_id);
  const distinct = new Map<string, MatchedSelection>();
  const matched = await mapInTurns(queries, (query) => {
    const { includeHistorical = true } = query;
    const selection = readPointSelection(query);
    const text = JSON.stringify([selection, includeHistorical]);
    const accepts = includeHistorical ? () => true : isCurrent;
    return getOrCompute(distinct, text, () => ({ selection, accepts, stored: [] }));
  });
  const cache = await service.series();
  const uncached: MatchedSelection[] = [];
  let lookups = MAX_CACHE_LOOKUPS;
  for (const one of distinct.values()) {
    await turns.next();
    lookups -= combinationCount(one.selection);
    const cached = lookups >= 0 ? cache.find(listedKeys(one.selection)) : null;
    if (cached === null) uncached.push(one);
    else one.stored.push(...cached.filter(one.accepts));
  }
  if (uncached.length > 0) await listMatches(service.store, uncached, { cache, signal });
  return matched;
}

/** The maximum number of cache lookups per request. The series of further selections are read from the store. */
const MAX_CACHE_LOOKUPS = 2 * MAX_SERIES_PER_REQUEST;

/** The maximum number of ids in a filter. With more ids, listing all series and discarding some is faster. */
const MAX_NARROWING_IDS = 10_000;

/** Lists the series of every selection, and caches them. Stops once there are too many for a request. */
async function listMatches(
  store: ServiceContext['store'],
  wanted: readonly MatchedSelection[],
  { cache, signal }: { cache: CachedSeries; signal: AbortSignal },
): Promise<void> {
  const union = await unionSelection(wanted.map((one) => one.selection));
  const findWanted = await createMatcher(wanted, union);
  const narrow = Object.entries(union).filter(([, ids]) => ids.length <= MAX_NARROWING_IDS);
  const plan = { selection: Object.fromEntries(narrow) };
  let found = 0;
  for await (const batch of store.series(plan, { signal })) {
    const requested: StoredSeries[] = [];
    for (const series of batch) {
      await turns.next();
      const selecting = findWanted(series);
      // Historical series are cached even if no selection accepts them, because `find` needs every selected series.
      if (selecting.length > 0) requested.push(series);
      const accepting = selecting.filter((one) => one.accepts(series));
      for (const { stored } of accepting) stored.push(series);
      found += accepting.length;
    }
    cache.add(requested);
    if (found > MAX_SERIES_PER_REQUEST) return;
  }
}

/** Returns a function that finds the selections containing a series, using an index of the field with the most ids. */
async function createMatcher(
  wanted: readonly MatchedSelection[],
  union: SelectionLists,
): Promise<(series: SeriesKey) => readonly MatchedSelection[]> {
  if (wanted.length === 1) return () => wanted;
  const byId = new Map<number, { one: MatchedSelection; sets: ReadonlySet<number>[] }[]>();
  const pivot = SERIES_KEY_FIELDS.reduce((widest, field) =>
    union[field]!.length > union[widest]!.length ? field : widest,
  );
  for (const one of wanted) {
    await turns.next();
    const sets = SERIES_KEY_FIELDS.map((field) => new Set(one.selection[field]));
    for (const id of one.selection[pivot]!) {
      getOrCompute(byId, id, () => []).push({ one, sets });
    }
  }
  return (series) =>
    (byId.get(series[pivot]) ?? [])
      .filter(({ sets }) => SERIES_KEY_FIELDS.every((field, at) => sets[at]!.has(series[field])))
      .map(({ one }) => one);
}

/** Returns the smallest selection that contains all given selections. All of them must restrict every field. */
async function unionSelection(selections: readonly SelectionLists[]): Promise<SelectionLists> {
  const sets = SERIES_KEY_FIELDS.map((field) => [field, new Set<number>()] as const);
  for (const selection of selections) {
    await turns.next();
    for (const [field, ids] of sets) for (const id of selection[field] ?? []) ids.add(id);
  }
  return Object.fromEntries(sets.map(([field, ids]) => [field, [...ids]]));
}

function countMissing({ selection, stored }: MatchedSelection): number {
  const count = combinationCount(selection);
  return count > MAX_SERIES_PER_REQUEST ? 0 : count - stored.length;
}

/** Returns the selected keys that match no series, or no keys if the selection is too large for a request. */
function missingSeries(matched: MatchedSelection): SeriesKey[] {
  if (countMissing(matched) === 0) return [];
  const present = new Set(matched.stored.map(seriesKeyText));
  return listedKeys(matched.selection).filter((key) => !present.has(seriesKeyText(key)));
}

function combinationCount(selection: SelectionLists): number {
  return SERIES_KEY_FIELDS.reduce((product, field) => product * (selection[field]?.length ?? 0), 1);
}
