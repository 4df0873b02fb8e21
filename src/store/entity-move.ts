import type { EntityType } from '../model/entity.js';
import type { SeriesKey } from '../model/series.js';

/** An entity that stands under another id from now on. */
export interface EntityMove {
  readonly type: EntityType;
  readonly from: number;
  /** An id that nothing had before. */
  readonly to: number;
}

/** The fields of a series that name an entity of a type; units are named by points alone. */
export const SERIES_FIELDS_OF: { readonly [Type in EntityType]: readonly (keyof SeriesKey)[] } = {
  metrics: ['metric_id'],
  items: ['item_id'],
  regions: ['region_id', 'partner_region_id'],
  sources: ['source_id'],
  frequencies: ['frequency_id'],
  units: [],
};

/** The key of the same series after a move; the same object when the move does not concern it. */
export function movedKey(key: SeriesKey, { type, from, to }: EntityMove): SeriesKey {
  const concerned = SERIES_FIELDS_OF[type].filter((field) => key[field] === from);
  if (concerned.length === 0) return key;
  return { ...key, ...Object.fromEntries(concerned.map((field) => [field, to])) };
}
