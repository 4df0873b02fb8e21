import { type DataRequest, endOfDay } from '../../state/request.js';
import type { SeriesId } from '../../state/series-id.js';

/** The query of `GET /v2/data` for a series: names and values in the order of the documentation. */
export function wireQuery(
  key: SeriesId,
  { from, to, asof, unit, vintages }: DataRequest,
): readonly (readonly [name: string, value: string])[] {
  const query: [string, string | number | null][] = [
    ['metricId', key.metric_id],
    ['itemId', key.item_id],
    ['regionId', key.region_id],
    ['partnerRegionId', key.partner_region_id === 0 ? null : key.partner_region_id],
    ['sourceId', key.source_id],
    ['frequencyId', key.frequency_id],
    ['startDate', from],
    ['endDate', to],
    ['atTime', asof === null ? null : endOfDay(asof)],
    ['unitId', unit],
    ['showHistory', vintages ? 'true' : null],
    ['showAvailableDate', vintages ? 'true' : null],
    ['responseType', 'list_of_series'],
  ];
  return query.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as const]));
}

/** What the service does not do, and the program is to do with what it answers. */
export function leftToDo({ every, how, scale }: DataRequest): readonly string[] {
  return [
    ...(every === null ? [] : [`resampled to each ${every} by ${how}`]),
    ...(scale === 'yoy' ? ['compared with the same period of the year before'] : []),
    ...(scale === 'index' ? ['divided by the first value, times 100'] : []),
  ];
}
