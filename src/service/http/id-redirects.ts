import { QUERY_KEYS } from '../../contract/wire-names.js';
import type { EntityType } from '../../model/entity.js';
import { SERIES_FIELDS_BY_TYPE } from '../../store/id-change.js';
import type { IdRedirect } from '../../store/store.js';
import type { ParsedRequest } from './read-request.js';

type Query = ParsedRequest['query'];

/** The redirects of the old ids in a request, as a 301 answer lists them. */
export function findIdRedirects(
  { path, query, body }: Pick<ParsedRequest, 'path' | 'query' | 'body'>,
  redirects: readonly IdRedirect[],
): Record<string, number | null>[] {
  const queries = Array.isArray(body) ? (body as Query[]) : [query];
  const { type } = path as { type?: EntityType };
  return redirects
    .filter((redirect) => queries.some((one) => isRequested(one, type, redirect)))
    .map(({ field, oldId, newId, sourceId }) => ({
      [`old_${field}`]: oldId,
      [`new_${field}`]: newId,
      source_id: sourceId,
    }));
}

/** Whether a request has the old id: in `metricId`, in `metricIds`, or in the `ids` of metrics. */
function isRequested(query: Query, type: EntityType | undefined, redirect: IdRedirect): boolean {
  const { field, oldId, sourceId } = redirect;
  const key = QUERY_KEYS[field];
  const sources = query.sourceId ?? query.sourceIds;
  const isOfSource = sourceId === null || !Array.isArray(sources) || sources.includes(sourceId);
  const isOfType = type !== undefined && SERIES_FIELDS_BY_TYPE[type]?.[0] === field;
  const lists = [query[key], query[`${key}s`], ...(isOfType && sourceId === null ? [query.ids] : [])];
  return isOfSource && lists.some((ids) => Array.isArray(ids) && ids.includes(oldId));
}
