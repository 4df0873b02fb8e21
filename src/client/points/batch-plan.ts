import type { PointFlags } from '../../model/point.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { type FlagQuery, toFlagQuery } from '../query.js';

/** One series to retrieve, with flags of its own. */
export interface SeriesRequest extends SeriesKey, PointFlags {}

/** A request under its number, by which its points are handed over. */
export interface NumberedRequest {
  readonly position: number;
  readonly request: SeriesRequest;
}

/** Series of one batch that differ in their region alone, as one selection of the wire. */
export interface BatchSelection {
  readonly body: Readonly<Record<string, unknown>>;
  /** Who asked for each series, by its key: several, where one series is asked for repeatedly. */
  readonly askedBy: ReadonlyMap<string, readonly NumberedRequest[]>;
}

/**
 * The selections of a batch: requests that differ in their region alone become one, so that the service plans it once.
 * @throws ArgumentError when a date cannot be read
 */
export function planBatch(requests: readonly NumberedRequest[]): BatchSelection[] {
  const groups = new Map<string, Group>();
  for (const numbered of requests) {
    const { request } = numbered;
    const flags = toFlagQuery(request);
    const text = `${seriesKeyText({ ...request, region_id: 0 })} ${JSON.stringify(flags)}`;
    const group: Group = groups.get(text) ?? { flags, askedBy: new Map(), regions: [] };
    groups.set(text, group);
    const key = seriesKeyText(request);
    const asking = group.askedBy.get(key);
    if (asking === undefined) {
      group.askedBy.set(key, [numbered]);
      group.regions.push(request.region_id);
    } else {
      asking.push(numbered);
    }
  }
  return [...groups.values()].map(({ flags, askedBy, regions }) => ({
    body: { ...bodyOf([...askedBy.values()][0]![0]!.request), regionId: regions, ...flags },
    askedBy,
  }));
}

interface Group {
  readonly flags: FlagQuery;
  readonly askedBy: Map<string, NumberedRequest[]>;
  readonly regions: number[];
}

function bodyOf({ metric_id, item_id, partner_region_id, source_id, frequency_id }: SeriesKey) {
  return {
    metricId: metric_id,
    itemId: item_id,
    partnerRegionId: partner_region_id,
    sourceId: source_id,
    frequencyId: frequency_id,
  };
}
