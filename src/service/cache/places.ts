import { nearestPlace, type Place } from '../../compute/nearest-place.js';
import { areaContains, type PolygonArea, readPolygons, smallestFirst } from '../../compute/polygons.js';
import type { EndpointAnswer } from '../../contract/endpoints.js';
import { REGION_LEVELS, type SearchDocument } from '../../model/entity.js';
import { chunksOf, groupedBy } from '../../model/grouping.js';
import type { StoreNames, StoreReader } from '../../store/store.js';
import { turns } from '../../store/turns.js';

type NamedRegion = Pick<SearchDocument, 'id' | 'name' | 'level'>;

const { country, province, district, coordinate } = REGION_LEVELS;
const MAX_DRAWN_LATITUDE = 89.99;
const LEVELS: readonly number[] = [country, province, district];

/** The number of shapes per query. Shapes are long strings, and all results of a query are in memory at once. */
const SHAPES_PER_QUERY = 200;

/**
 * Finds the regions whose shapes contain a place, and the nearest station. If a district contains the place, the
 * province and country are taken from the region hierarchy, so that the levels agree even if shapes are coarse.
 */
export type FindPlace = (place: Place) => EndpointAnswer<'geocode'>['data'][number];

/** Reads a store's shapes and weather stations, except those of historical regions. */
export async function loadPlaces(store: StoreReader & StoreNames): Promise<FindPlace> {
  const documents = (await store.searchDocuments('regions')).filter(({ historical }) => !historical);
  await turns.next();
  const named = new Map(documents.map(({ id, name, level }) => [id, { id, name, level }]));
  const ofLevels = documents.filter(({ level }) => LEVELS.includes(level!)).map(({ id }) => id);
  const areas: (NamedRegion & PolygonArea)[] = [];
  for (const ids of chunksOf(ofLevels, SHAPES_PER_QUERY)) {
    for (const { region_id, geojson } of await store.shapes(ids, 'full')) {
      await turns.next();
      areas.push({ ...named.get(region_id)!, ...readPolygons(geojson) });
    }
  }
  const ancestors = await store.traverse(
    'regions',
    'belongs-to',
    areas.map(({ id }) => id),
    { distance: null, level: null, includeHistorical: false },
  );
  const withData = documents.filter(({ level, pointCount }) => level === coordinate && pointCount > 0);
  const regions = await store.lookup(
    'regions',
    withData.map(({ id }) => id),
  );
  await turns.next();
  const stations = regions.filter((region): region is typeof region & Place => region.latitude !== null);
  const byLevel = groupedBy(smallestFirst(areas), ({ level }) => level);

  /** Finds the region that contains a place at a level. Shapes use longitude -180 instead of 180 and omit the poles. */
  const containing = (level: number, { latitude, longitude }: Place): NamedRegion | null => {
    const drawn = Math.max(-MAX_DRAWN_LATITUDE, Math.min(MAX_DRAWN_LATITUDE, latitude));
    const position = [longitude === 180 ? -180 : longitude, drawn];
    return byLevel.get(level)?.find((area) => areaContains(area, position)) ?? null;
  };
  const above = (region: NamedRegion | null, level: number): NamedRegion | null => {
    const ids = region === null ? [] : (ancestors.get(region.id) ?? []);
    return ids.map((id) => named.get(id)).find((ancestor) => ancestor?.level === level) ?? null;
  };
  return (place) => {
    const inDistrict = containing(district, place);
    const inProvince = above(inDistrict, province) ?? containing(province, place);
    const inCountry = above(inDistrict, country) ?? above(inProvince, country) ?? containing(country, place);
    const nearest = nearestPlace(stations, place);
    return {
      latitude: place.latitude,
      longitude: place.longitude,
      l5_id: inDistrict?.id ?? null,
      l5_name: inDistrict?.name ?? null,
      l4_id: inProvince?.id ?? null,
      l4_name: inProvince?.name ?? null,
      l3_id: inCountry?.id ?? null,
      l3_name: inCountry?.name ?? null,
      station_id: nearest?.place.id ?? null,
      station_name: nearest?.place.name ?? null,
      station_km: nearest && Math.round(nearest.km * 1000) / 1000,
    };
  };
}
