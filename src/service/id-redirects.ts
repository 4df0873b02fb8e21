import { QUERY_KEYS } from '../contract/query-keys.js';
import type { IdRedirect } from '../store/store.js';
import type { ServiceContext } from './context.js';

/** What a 301 says of the moved ids among a request's, in the wire's words; null when none moved. */
export async function idRedirectsOf(
  queries: readonly Readonly<Record<string, unknown>>[],
  service: ServiceContext,
): Promise<Record<string, number | null>[] | null> {
  const table = await service.idRedirects();
  if (table.length === 0) return null;
  const found = table.filter((moved) => queries.some((query) => asksFor(query, moved)));
  return found.length === 0 ? null : found.map(describeMove);
}

function asksFor(query: Readonly<Record<string, unknown>>, moved: IdRedirect): boolean {
  const wanted = query[QUERY_KEYS[moved.field]];
  const sources = query.sourceId;
  const sameSource = moved.sourceId === null || !Array.isArray(sources) || sources.includes(moved.sourceId);
  return sameSource && Array.isArray(wanted) && wanted.includes(moved.oldId);
}

function describeMove({ field, oldId, newId, sourceId }: IdRedirect): Record<string, number | null> {
  return { [`old_${field}`]: oldId, [`new_${field}`]: newId, source_id: sourceId };
}
