import { QUERY_KEYS } from '../../contract/wire-names.js';
import type { IdRedirect } from '../../store/store.js';
import type { ParsedRequest } from './read-request.js';

type Query = ParsedRequest['query'];

/** The redirects of the old ids in a request, as a 301 answer lists them. */
export function findIdRedirects(
  { query, body }: ParsedRequest,
  redirects: readonly IdRedirect[],
): Record<string, number | null>[] {
  const queries = Array.isArray(body) ? (body as Query[]) : [query];
  return redirects
    .filter((redirect) => queries.some((one) => isRequested(one, redirect)))
    .map(({ field, oldId, newId, sourceId }) => ({
      [`old_${field}`]: oldId,
      [`new_${field}`]: newId,
      source_id: sourceId,
    }));
}

function isRequested(query: Query, { field, oldId, sourceId }: IdRedirect): boolean {
  const ids = query[QUERY_KEYS[field]];
  const sources = query.sourceId;
  const isOfSource = sourceId === null || !Array.isArray(sources) || sources.includes(sourceId);
  return isOfSource && Array.isArray(ids) && ids.includes(oldId);
}
