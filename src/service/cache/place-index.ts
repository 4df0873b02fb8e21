import { nearestPlace, type Place } from '../../compute/nearest-place.js';
import { areaContains, type PolygonArea, readPolygons, smallestFirst } from '../../compute/polygons.js';
import { REGION_LEVELS } from '../../model/entity.js';
import { chunksOf, groupedBy } from '../../model/grouping.js';
import type { StoreNames, StoreReader } from '../../store/store.js';
import { turns } from '../../store/turns.js';

export interface NamedRegion {
  readonly id: number;
  readonly name: string;
}

export interface PlaceRegions {
  readonly district: NamedRegion | null;
  readonly province: NamedRegion | null;
  readonly country: NamedRegion | null;
  readonly station: (NamedRegion & { readonly km: number }) | null;
}

interface IndexedRegion extends NamedRegion, PolygonArea {
  readonly level: number;
}

type Station = NamedRegion & Place;

const { country, province, district, coordinate } = REGION_LEVELS;
const MAX_DRAWN_LATITUDE = 89.99;
const LEVELS: readonly number[] = [country, province, district];

/** The number of shapes per query. Shapes are long strings, and all results of a query are in memory at once. */
const SHAPES_PER_QUERY = 200;

/** Reads a store's shapes and weather stations into an index. Historical regions are omitted. */
export async function loadPlaceIndex(store: StoreReader & StoreNames): Promise<PlaceIndex> {
  const documents = (await store.searchDocuments('regions')).filter(({ historical }) => !historical);
  await turns.next();
  const named = new Map(documents.map(({ id, name, level }) => [id, { id, name, level }]));
  const ofLevels = documents.filter(({ level }) => LEVELS.includes(level!)).map(({ id }) => id);
  const areas: IndexedRegion[] = [];
  for (const ids of chunksOf(ofLevels, SHAPES_PER_QUERY)) {
    for (const { region_id, geojson } of await store.shapes(ids, 'full')) {
      await turns.next();
      areas.push({ ...(named.get(region_id) as NamedRegion & { level: number }), ...readPolygons(geojson) });
    }
  }
  const ancestors = await store.traverse(
    'regions',
    'belongs-to',
    areas.map(({ id }) => id),
    { distance: null, level: null, includeHistorical: false },
  );
  const withData = documents.filter(({ level, pointCount }) => level === coordinate && pointCount > 0);
  const stations = await store.lookup(
    'regions',
    withData.map(({ id }) => id),
  );
  await turns.next();
  return new PlaceIndex(
    groupedBy(smallestFirst(areas), ({ level }) => level),
    (id) => (ancestors.get(id) ?? []).flatMap((ancestor) => named.get(ancestor) ?? []),
    stations.filter((station): station is typeof station & Station => station.latitude !== null),
  );
}

export class PlaceIndex {
  readonly #byLevel: ReadonlyMap<number, readonly IndexedRegion[]>;
  readonly #ancestorsOf: (id: number) => readonly (NamedRegion & { readonly level: number | null })[];
  readonly #stations: readonly Station[];

  constructor(
    byLevel: ReadonlyMap<number, readonly IndexedRegion[]>,
    ancestorsOf: (id: number) => readonly (NamedRegion & { readonly level: number | null })[],
    stations: readonly Station[],
  ) {
    this.#byLevel = byLevel;
    this.#ancestorsOf = ancestorsOf;
    this.#stations = stations;
  }

  /**
   * Returns the regions whose shapes contain a place, and the nearest station. If a district contains the place, the
   * province and country are taken from the region hierarchy, so that the levels agree even if shapes are coarse.
   */
  find(place: Place): PlaceRegions {
    const inDistrict = this.#containing(district, place);
    const inProvince = this.#above(inDistrict, province) ?? this.#containing(province, place);
    const inCountry =
      this.#above(inDistrict, country) ??
      this.#above(inProvince, country) ??
      this.#containing(country, place);
    const nearest = nearestPlace(this.#stations, place);
    return {
      district: inDistrict,
      province: inProvince,
      country: inCountry,
      station: nearest && { id: nearest.place.id, name: nearest.place.name, km: nearest.km },
    };
  }

  /** Finds the region at a level that contains a place. Shapes use longitude -180 instead of 180 and omit the poles. */
  #containing(level: number, { latitude, longitude }: Place): NamedRegion | null {
    const drawn = Math.max(-MAX_DRAWN_LATITUDE, Math.min(MAX_DRAWN_LATITUDE, latitude));
    const position = [longitude === 180 ? -180 : longitude, drawn];
    return this.#byLevel.get(level)?.find((area) => areaContains(area, position)) ?? null;
  }

  #above(region: NamedRegion | null, level: number): NamedRegion | null {
    if (region === null) return null;
    return this.#ancestorsOf(region.id).find((ancestor) => ancestor.level === level) ?? null;
  }
}
