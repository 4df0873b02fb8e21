import { WORLD_REGION_ID } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import type { PointFlags } from '../model/point.js';
import { SELECTION_FIELDS, type Selection, selectionLists } from '../model/selection.js';
import { parseTime } from '../model/time.js';

const QUERY_KEYS = {
  metric_id: 'metricId',
  item_id: 'itemId',
  region_id: 'regionId',
  partner_region_id: 'partnerRegionId',
  source_id: 'sourceId',
  frequency_id: 'frequencyId',
} as const;

type QueryLists = { [key: string]: readonly number[] | undefined };

/** A selection in the wire's words. @throws ArgumentError when an id is not a whole number */
export function toQuery(selection: Selection): QueryLists {
  const query: QueryLists = {};
  const lists = selectionLists(selection);
  for (const field of SELECTION_FIELDS) {
    const ids = lists[field];
    if (ids === undefined) continue;
    if (ids.length === 0)
      throw new ArgumentError(field, `${field}: the list is empty; leave it out or name an id`);
    const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0);
    if (wrong !== undefined) throw new ArgumentError(field, `${field}: ${String(wrong)} is not an id`);
    const restricts = field !== 'partner_region_id' || ids.some((id) => id !== WORLD_REGION_ID);
    if (restricts) query[QUERY_KEYS[field]] = ids;
  }
  return query;
}

/** The same with the plural keys of the ranking endpoints. */
export function toPluralQuery(selection: Selection): QueryLists {
  return Object.fromEntries(Object.entries(toQuery(selection)).map(([key, ids]) => [`${key}s`, ids]));
}

/** The flags of a retrieval in the wire's words. @throws ArgumentError when a date cannot be read */
export function toFlagQuery(flags: PointFlags): Record<string, string | boolean | undefined> {
  for (const name of ['start_date', 'end_date', 'at_time', 'available_since'] as const) {
    if (flags[name] !== undefined) parseTime(flags[name], name);
  }
  return {
    startDate: flags.start_date,
    endDate: flags.end_date,
    showReportingDate: (flags.reporting_history ?? flags.show_revisions) || undefined,
    showHistory: flags.complete_history || undefined,
    showAvailableDate: flags.show_available_date || undefined,
    showMetaData: flags.show_metadata || undefined,
    insertNull: flags.insert_null || undefined,
    atTime: flags.at_time,
    availableSince: flags.available_since,
    includeHistorical: flags.include_historical === false ? false : undefined,
  };
}
