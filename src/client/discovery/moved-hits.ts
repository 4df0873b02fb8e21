import type { SeriesKey } from '../../model/series.js';
import { type IdRedirect, movedTo } from '../http/id-redirects.js';

/** Search hits under the ids that series have where the service redirects those of the hits too. */
export function underMovedIds<Hit extends { readonly id: number }>(
  hits: readonly Hit[],
  field: keyof SeriesKey,
  moved: readonly IdRedirect[],
): readonly Hit[] {
  if (moved.length === 0) return hits;
  const own = new Set(hits.map(({ id }) => id));
  return hits.flatMap((hit) => {
    const ids = [...movedTo(field, [hit.id], moved)];
    return ids.filter((id) => id === hit.id || !own.has(id)).map((id) => ({ ...hit, id }));
  });
}
