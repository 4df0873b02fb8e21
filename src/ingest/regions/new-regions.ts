import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import type { Locator } from './locate.js';

type NewRegion = NewEntity<'regions'>;
type RegionFields = Pick<NewRegion, 'name' | 'definition' | 'aliases'>;

/** A region of the level "other", such as a group of countries; it has no coordinates. */
export function otherRegion(fields: RegionFields & Pick<NewRegion, 'belongsTo'>): Omit<NewRegion, 'id'> {
  return {
    ...fields,
    aliases: fields.aliases ?? [],
    level: REGION_LEVELS.other,
    latitude: null,
    longitude: null,
    historical: false,
  };
}

/** A point in degrees; both coordinates are null where they are unknown. */
interface Point {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * A region of the level "coordinate", such as a station. It belongs to the county or country that contains the point,
 * or to `fallback` when no region does or the coordinates are unknown.
 */
export function pointRegion(
  { latitude, longitude, ...fields }: RegionFields & Point,
  locator: Locator | null,
  fallback = WORLD_REGION_ID,
): Omit<NewRegion, 'id'> {
  const located = latitude === null || longitude === null ? null : locator?.locate(latitude, longitude);
  return {
    ...fields,
    level: REGION_LEVELS.coordinate,
    belongsTo: [located ?? fallback],
    latitude,
    longitude,
    historical: false,
  };
}
