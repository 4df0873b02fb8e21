import type { SeriesKey } from '../../../model/series.js';
import { type DataRequest, endOfDay } from '../../state/request.js';

/** The name of a parameter, and its value or values. */
type Parameter = readonly [name: string, value: string | readonly string[]];

/** The query of `GET /v2/data` for a series: names and values in the order of the documentation. */
export function wireQuery(
  key: SeriesKey,
  { regions, from, to, asof, unit, vintages }: DataRequest,
): readonly Parameter[] {
  const query: [string, string | number | readonly number[] | null][] = [
    ['metricId', key.metric_id],
    ['itemId', key.item_id],
    ['regionId', regions ?? key.region_id],
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
  return query.flatMap(([name, value]): Parameter[] => {
    if (value === null) return [];
    return [[name, typeof value === 'object' ? value.map(String) : String(value)]];
  });
}

/** What the service does not do, and the program is to do with what it answers. */
export function leftToDo({ every, how, scale }: DataRequest): readonly string[] {
  return [
    ...(every === null ? [] : [`resampled to each ${every} by ${how}`]),
    ...(scale === 'yoy' ? ['compared with the same period of the year before'] : []),
    ...(scale === 'index' ? ['divided by the first value, times 100'] : []),
  ];
}
