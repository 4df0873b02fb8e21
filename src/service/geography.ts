import { MIN_FULL_DETAIL_ZOOM } from '../contract/wire-names.js';
import type { Region } from '../model/entity.js';
import type { ShapeDetail } from '../store/store.js';
import { mapInTurns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';

export const geographyHandlers = {
  geocentres: async ({ query, signal }, { store }) => {
    const ids = await selectRegions(store, query.regionIds, query.reqRegionLevelId);
    const regions = await store.lookup('regions', ids, { signal });
    const detail = query.zoom < MIN_FULL_DETAIL_ZOOM ? 'simple' : 'full';
    const shapes = query.includeGeojson === true ? await readShapes(store, { ids, detail, signal }) : null;
    return {
      data: await mapInTurns(regions, (region) => ({
        centre: centreOf(region),
        regionId: region.id,
        regionName: region.name,
        geojson: shapes === null ? undefined : encodeShape(shapes.get(region.id), query.stringify),
      })),
    };
  },

  geocode: async ({ form }, { places }) => {
    const index = await places();
    return {
      data: await mapInTurns(form.latlng, ([latitude, longitude]) => {
        const { district, province, country, station } = index.find({ latitude, longitude });
        return {
          latitude,
          longitude,
          l5_id: district?.id ?? null,
          l5_name: district?.name ?? null,
          l4_id: province?.id ?? null,
          l4_name: province?.name ?? null,
          l3_id: country?.id ?? null,
          l3_name: country?.name ?? null,
          station_id: station?.id ?? null,
          station_name: station?.name ?? null,
          station_km: station === null ? null : Math.round(station.km * 1000) / 1000,
        };
      }),
    };
  },
} satisfies Partial<Handlers>;

async function selectRegions(
  store: ServiceContext['store'],
  ids: readonly number[],
  level: number | undefined,
): Promise<number[]> {
  if (level === undefined) return [...new Set(ids)];
  const reached = await store.traverse('regions', 'contains', ids, {
    distance: null,
    level,
    includeHistorical: true,
  });
  return [...new Set([...reached.values()].flat())];
}

async function readShapes(
  store: ServiceContext['store'],
  { ids, detail, signal }: { ids: readonly number[]; detail: ShapeDetail; signal: AbortSignal },
): Promise<Map<number, string>> {
  return new Map(
    (await store.shapes(ids, detail, { signal })).map((shape) => [shape.region_id, shape.geojson]),
  );
}

function centreOf({ latitude, longitude }: Region): [number, number] | null {
  return latitude === null || longitude === null ? null : [latitude, longitude];
}

function encodeShape(geojson = 'null', stringify: boolean): string | Record<string, unknown> | null {
  return stringify ? geojson : (JSON.parse(geojson) as Record<string, unknown> | null);
}
