import type { PointsQuery } from '../contract/endpoints.js';
import { SERIES_PER_REQUEST } from '../contract/endpoints.js';
import type { BlockSeries } from '../contract/series-blocks.js';
import { CropframeError } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { parseTime } from '../model/time.js';
import type { PointHistory, PointPlan, StoredSeries } from '../store/plan.js';
import type { ServiceContext } from './context.js';
import { readPointSelection, readWindow } from './selection.js';
import { historicalRegions } from './series.js';

/** One selection of a retrieval, parsed and looked up, ready to be read. */
export interface PointRequest {
  readonly plan: PointPlan;
  /** The plan's series as the answer describes them, then those asked for that the store does not have. */
  readonly series: readonly BlockSeries[];
  readonly insertNull: boolean;
  readonly unitId: number | null;
}

/** @throws CropframeError (too_large) when the selection names more series than one request may ask for */
export async function planPoints(
  query: PointsQuery,
  { store }: ServiceContext,
  signal: AbortSignal,
): Promise<PointRequest> {
  const selection = readPointSelection(query);
  const known = await knownSeries(
    store,
    { selection, includeHistorical: query.includeHistorical ?? true },
    signal,
  );
  const historical = await historicalRegions(
    store,
    known.flatMap((s) => [s.region_id, s.partner_region_id]),
  );
  const described = known.map((series) => describe(series, historical));
  return {
    plan: { series: known, ...readPlanFlags(query) },
    series: [...described, ...absentSeries(selection, known)],
    insertNull: query.insertNull ?? false,
    unitId: query.unitId ?? null,
  };
}

async function knownSeries(
  store: ServiceContext['store'],
  plan: { selection: SelectionLists; includeHistorical: boolean },
  signal: AbortSignal,
): Promise<StoredSeries[]> {
  const known: StoredSeries[] = [];
  for await (const batch of store.series(plan, { signal })) {
    known.push(...batch);
    if (known.length <= SERIES_PER_REQUEST) continue;
    throw new CropframeError(
      'too_large',
      `the selection has more than ${SERIES_PER_REQUEST} series; ask for fewer regions or items at a time`,
    );
  }
  return known;
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

function describe(series: StoredSeries, historical: ReadonlySet<number>): BlockSeries {
  return {
    ...keyOf(series),
    unit_id: series.unit_id,
    includes_historical_region: historical.has(series.region_id),
    includes_historical_partner_region: historical.has(series.partner_region_id),
  };
}

function keyOf(series: SeriesKey): SeriesKey {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  return { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id };
}

/** Combinations asked for that the store does not have, as long as naming them all is reasonable. */
function absentSeries(selection: SelectionLists, known: readonly StoredSeries[]): BlockSeries[] {
  const {
    metric_id = [],
    item_id = [],
    region_id = [],
    partner_region_id = [],
    source_id = [],
    frequency_id = [],
  } = selection;
  const lists = [metric_id, item_id, region_id, partner_region_id, source_id, frequency_id];
  const combinations = lists.reduce((product, list) => product * list.length, 1);
  if (combinations > SERIES_PER_REQUEST || combinations === known.length) return [];
  const present = new Set(known.map(seriesKeyText));
  return product(lists)
    .map(([metric, item, region, partner, source, frequency]) => ({
      metric_id: metric!,
      item_id: item!,
      region_id: region!,
      partner_region_id: partner!,
      frequency_id: frequency!,
      source_id: source!,
      unit_id: null,
    }))
    .filter((key) => !present.has(seriesKeyText(key)));
}

function product(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (rows, list) => rows.flatMap((row) => list.map((id) => [...row, id])),
    [[]],
  );
}
