import type { MatchedNames } from '../../model/entity.js';
import type { Selection } from '../../model/selection.js';
import type { DataSeries, SeriesKey } from '../../model/series.js';
import { type IdRedirect, movedTo } from '../http/id-redirects.js';
import type { NamedHit } from '../resolve-name.js';

/** The search hits of a name, for one field of a series. */
export interface NameHits {
  readonly name: keyof MatchedNames;
  readonly requested: string;
  readonly field: keyof SeriesKey;
  readonly hits: readonly NamedHit[];
}

/** Selects the series of every combination of the hits. */
export function selectionOf(names: readonly NameHits[]): Selection {
  return Object.fromEntries(names.map(({ field, hits }) => [field, hits.map(({ id }) => id)]));
}

/** The hits of names under the ids that series have where the service redirects those of the hits too. */
export function underMovedIds(names: readonly NameHits[], moved: readonly IdRedirect[]): readonly NameHits[] {
  if (moved.length === 0) return names;
  return names.map((name) => {
    const own = new Set(name.hits.map(({ id }) => id));
    const hits = name.hits.flatMap((hit) => {
      const ids = [...movedTo(name.field, [hit.id], moved)];
      return ids.filter((id) => id === hit.id || !own.has(id)).map((id) => ({ ...hit, id }));
    });
    return { ...name, hits };
  });
}

/** The entities of the series whose names differ from those of the request; none when all match. */
export function matchedOf(
  series: DataSeries,
  names: readonly NameHits[],
): { matched?: MatchedNames | undefined } {
  const matched = names.flatMap(({ name, requested, field, hits }) => {
    const hit = hits.find(({ id }) => id === series[field]);
    return hit === undefined || hit.exact ? [] : [[name, { requested, ...hit }] as const];
  });
  return matched.length === 0 ? {} : { matched: Object.fromEntries(matched) };
}
