import { QUERY_KEYS } from '../../contract/wire-names.js';
import type { EntityType } from '../../model/entity.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES } from '../../model/series.js';
import type { IdRedirect } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { ParsedRequest } from './read-request.js';

type Query = ParsedRequest['query'];

/** The redirects of the old ids in a request, as a 301 answer lists them. */
export async function findIdRedirects(
  { path, query, body }: Pick<ParsedRequest, 'path' | 'query' | 'body'>,
  redirects: readonly IdRedirect[],
): Promise<Record<string, number | null>[]> {
  if (redirects.length === 0) return [];
  const queries = Array.isArray(body) ? (body as Query[]) : [query];
  const byKey = redirectsByKey(redirects, (path as { type?: EntityType }).type);
  const requested = new Set<IdRedirect>();
  for (const one of queries) {
    await turns.next();
    for (const redirect of requestedBy(one, byKey)) requested.add(redirect);
  }
  return redirects
    .filter((redirect) => requested.has(redirect))
    .map(({ field, oldId, newId, sourceId }) => ({
      [`old_${field}`]: oldId,
      [`new_${field}`]: newId,
      source_id: sourceId,
    }));
}

type RedirectsByKey = ReadonlyMap<string, ReadonlyMap<number, readonly IdRedirect[]>>;

/** By the parameters that may have the old id: `metricId`, `metricIds`, and the `ids` of metrics. */
function redirectsByKey(redirects: readonly IdRedirect[], type: EntityType | undefined): RedirectsByKey {
  const byKey = new Map<string, Map<number, IdRedirect[]>>();
  const idField = SERIES_KEY_FIELDS.find((field) => SERIES_KEY_TYPES[field] === type);
  for (const redirect of redirects) {
    const { field, oldId, sourceId } = redirect;
    const key = QUERY_KEYS[field];
    const keys = field === idField && sourceId === null ? [key, `${key}s`, 'ids'] : [key, `${key}s`];
    for (const one of keys) {
      const byId = byKey.get(one) ?? new Map<number, IdRedirect[]>();
      byKey.set(one, byId);
      byId.set(oldId, [...(byId.get(oldId) ?? []), redirect]);
    }
  }
  return byKey;
}

function* requestedBy(query: Query, byKey: RedirectsByKey): Generator<IdRedirect, void, undefined> {
  const sources = query.sourceId ?? query.sourceIds;
  for (const [key, byId] of byKey) {
    const ids = query[key];
    if (!Array.isArray(ids)) continue;
    for (const id of ids)
      for (const redirect of byId.get(id) ?? [])
        if (redirect.sourceId === null || !Array.isArray(sources) || sources.includes(redirect.sourceId))
          yield redirect;
  }
}
