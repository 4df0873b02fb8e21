import { WORLD_REGION_ID } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { parseTime } from '../model/time.js';

type Ids = readonly number[] | undefined;

interface SelectionQuery {
  metricId?: Ids | undefined;
  itemId?: Ids | undefined;
  regionId?: Ids | undefined;
  partnerRegionId?: Ids | undefined;
  sourceId?: Ids | undefined;
  frequencyId?: Ids | undefined;
}

/** The selection of a query. When series are listed, partner region 0 alone is the same as none. */
export function readSelection(query: SelectionQuery): SelectionLists {
  const lists: { [Field in keyof SelectionLists]: readonly number[] } = {};
  if (query.metricId) lists.metric_id = unique(query.metricId);
  if (query.itemId) lists.item_id = unique(query.itemId);
  if (query.regionId) lists.region_id = unique(query.regionId);
  if (query.sourceId) lists.source_id = unique(query.sourceId);
  if (query.frequencyId) lists.frequency_id = unique(query.frequencyId);
  const partners = query.partnerRegionId ? unique(query.partnerRegionId) : [];
  if (partners.length > 0 && !isWorldOnly(partners)) lists.partner_region_id = partners;
  return lists;
}

/** The selection of a retrieval, where the default partner region is the world. */
export function readPointSelection(query: SelectionQuery): SelectionLists {
  return { ...readSelection(query), partner_region_id: unique(query.partnerRegionId ?? [WORLD_REGION_ID]) };
}

/** The selection of the ranking endpoints, whose keys are plural. */
export function readPluralSelection(query: {
  metricIds?: Ids | undefined;
  itemIds?: Ids | undefined;
  regionIds?: Ids | undefined;
  partnerRegionIds?: Ids | undefined;
  sourceIds?: Ids | undefined;
  frequencyIds?: Ids | undefined;
}): SelectionLists {
  return readSelection({
    metricId: query.metricIds,
    itemId: query.itemIds,
    regionId: query.regionIds,
    partnerRegionId: query.partnerRegionIds,
    sourceId: query.sourceIds,
    frequencyId: query.frequencyIds,
  });
}

/** The dates of a query in UTC milliseconds. @throws ArgumentError when the start is after the end */
export function readWindow(query: { startDate?: string | undefined; endDate?: string | undefined }): {
  startMs: number | null;
  endMs: number | null;
} {
  const startMs = query.startDate === undefined ? null : parseTime(query.startDate, 'startDate');
  const endMs = query.endDate === undefined ? null : parseTime(query.endDate, 'endDate');
  if (startMs !== null && endMs !== null && startMs > endMs) {
    throw new ArgumentError('startDate', `startDate: ${query.startDate} is after endDate ${query.endDate}`);
  }
  return { startMs, endMs };
}

function unique(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)];
}

function isWorldOnly(partners: readonly number[]): boolean {
  return partners.length === 1 && partners[0] === WORLD_REGION_ID;
}
