import { FLAG_KEYS } from '../../contract/wire-names.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { camelCaseKeyOf, SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { type FlagQuery, toFlagQuery } from '../query.js';

export interface SeriesRequest extends SeriesKey, PointFlags {}

export interface NumberedRequest {
  readonly position: number;
  readonly request: SeriesRequest;
}

/** The series in a batch that differ only in their region. */
export interface BatchSelection {
  readonly body: Readonly<Record<string, unknown>>;
  /** The requests for each series, keyed by series key. A series has several if it was requested more than once. */
  readonly requests: ReadonlyMap<string, readonly NumberedRequest[]>;
}

/** Combines requests that differ only in their region, so that the service plans them together. */
export function planBatch(batch: readonly NumberedRequest[]): BatchSelection[] {
  const groups = new Map<string, RequestGroup>();
  let group: RequestGroup | undefined;
  for (const numbered of batch) {
    const { request } = numbered;
    // Adjacent requests usually have the same flags, which are then parsed only once.
    if (group === undefined || !differInRegionOnly(group.first, request)) group = groupOf(groups, request);
    const key = seriesKeyText(request);
    const same = group.requests.get(key);
    if (same === undefined) {
      group.requests.set(key, [numbered]);
      group.regions.push(request.region_id);
    } else {
      same.push(numbered);
    }
  }
  return [...groups.values()].map(({ first, flags, requests, regions }) => ({
    body: { ...camelCaseKeyOf(first), regionId: regions, ...flags },
    requests,
  }));
}

interface RequestGroup {
  readonly first: SeriesRequest;
  readonly flags: FlagQuery;
  readonly requests: Map<string, NumberedRequest[]>;
  readonly regions: number[];
}

function groupOf(groups: Map<string, RequestGroup>, request: SeriesRequest): RequestGroup {
  const flags = toFlagQuery(request);
  const text = `${seriesKeyText({ ...request, region_id: 0 })} ${JSON.stringify(flags)}`;
  const group = groups.get(text) ?? { first: request, flags, requests: new Map(), regions: [] };
  groups.set(text, group);
  return group;
}

const COMMON_FIELDS = [...SERIES_KEY_FIELDS, ...(Object.keys(FLAG_KEYS) as (keyof PointFlags)[])].filter(
  (field) => field !== 'region_id',
);

function differInRegionOnly(request: SeriesRequest, other: SeriesRequest): boolean {
  return COMMON_FIELDS.every((field) => request[field] === other[field]);
}
