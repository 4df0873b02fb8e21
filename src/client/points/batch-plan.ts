import { FLAG_KEYS } from '../../contract/wire-names.js';
import { groupedBy } from '../../model/grouping.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { camelCaseKeyOf, SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { toFlagQuery } from '../query.js';

export interface SeriesRequest extends SeriesKey, PointFlags {}

export interface NumberedRequest {
  readonly position: number;
  readonly request: SeriesRequest;
}

/** A group of series in a batch that differ only in their region. */
export interface BatchSelection {
  readonly body: Readonly<Record<string, unknown>>;
  /** The requests for each series, keyed by series key. A series that was requested repeatedly has several requests. */
  readonly requests: ReadonlyMap<string, readonly NumberedRequest[]>;
}

/** Combines requests that differ only in their region, so that the service can plan them together. */
export function planBatch(batch: readonly NumberedRequest[]): BatchSelection[] {
  let previous: SeriesRequest | undefined;
  let text = '';
  const withoutRegion = ({ request }: NumberedRequest): string => {
    // Adjacent requests usually have the same flags, which are then parsed only once.
    if (previous === undefined || !differInRegionOnly(previous, request))
      text = `${seriesKeyText({ ...request, region_id: 0 })} ${JSON.stringify(toFlagQuery(request))}`;
    previous = request;
    return text;
  };
  return [...groupedBy(batch, withoutRegion).values()].map((group) => {
    const { request } = group[0]!;
    const requests = groupedBy(group, ({ request }) => seriesKeyText(request));
    const regionId = Array.from(requests.values(), ([first]) => first!.request.region_id);
    return { body: { ...camelCaseKeyOf(request), regionId, ...toFlagQuery(request) }, requests };
  });
}

const COMMON_FIELDS = [...SERIES_KEY_FIELDS, ...(Object.keys(FLAG_KEYS) as (keyof PointFlags)[])].filter(
  (field) => field !== 'region_id',
);

function differInRegionOnly(request: SeriesRequest, other: SeriesRequest): boolean {
  return COMMON_FIELDS.every((field) => request[field] === other[field]);
}
