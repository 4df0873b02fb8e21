import type { EntityType } from '../model/entity.js';
import type { SeriesKey } from '../model/series.js';

/** An entity that gets a new id. */
export interface IdChange {
  /** The type of the entity. */
  readonly type: EntityType;
  /** Its present id. */
  readonly from: number;
  /** An id that no entity of this type has. */
  readonly to: number;
}

/** The fields of a series key that refer to an entity of a type. Only points refer to units. */
export const SERIES_FIELDS_BY_TYPE: { readonly [Type in EntityType]: readonly (keyof SeriesKey)[] } = {
  metrics: ['metric_id'],
  items: ['item_id'],
  regions: ['region_id', 'partner_region_id'],
  sources: ['source_id'],
  frequencies: ['frequency_id'],
  units: [],
};

/** The series key with the new id in place of the old one; the same object when it does not contain the old one. */
export function applyIdChange(key: SeriesKey, { type, from, to }: IdChange): SeriesKey {
  const affected = SERIES_FIELDS_BY_TYPE[type].filter((field) => key[field] === from);
  if (affected.length === 0) return key;
  return { ...key, ...Object.fromEntries(affected.map((field) => [field, to])) };
}
