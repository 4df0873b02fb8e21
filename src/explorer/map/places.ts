import type { RegionShape } from '../../client/geography.js';
import { ask } from '../state/service.js';

/** Where a region is on the map. */
export interface Place {
  readonly level: number | null;
  readonly shape: RegionShape | null;
  /** Longitude and latitude of the centre; null where it is not known. */
  readonly centre: readonly [number, number] | null;
}

/** Below this zoom level, a service simplifies shapes. */
const SIMPLE_ZOOM = 5;

/** The places of regions, with their names, by id; a region that the service does not know is left out. */
export async function loadPlaces(
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Place & { readonly name: string }>> {
  const [entities, shapes] = await Promise.all([
    ask((client) => client.lookup('regions', ids, { signal }), signal),
    ask((client) => client.getShapes(ids, { zoom_level: SIMPLE_ZOOM, signal }), signal),
  ]);
  return new Map(
    ids.flatMap((id) => {
      const entity = entities[id];
      if (entity === undefined) return [];
      const { name, level, latitude, longitude } = entity;
      const centre = latitude === null || longitude === null ? null : ([longitude, latitude] as const);
      return [[id, { name, level, shape: shapes.get(id) ?? null, centre }]];
    }),
  );
}
