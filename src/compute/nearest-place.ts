import { groupedBy } from '../model/grouping.js';

/** A place and its coordinates in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/**
 * The distance of two places along the surface, in kilometres, by the haversine formula on a sphere of the mean radius of
 * the Earth.
 */
export function distanceKm(a: Place, b: Place): number {
  const across = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const along = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const shrink = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(across ** 2 + shrink * along ** 2)));
}

/** Finds the nearest of many places. It looks north and south of a place only as far as a nearer one can be. */
export class NearestPlace<Known extends Place> {
  readonly #byLatitude: readonly Known[];

  constructor(places: readonly Known[]) {
    this.#byLatitude = sortByLatitude(places);
  }

  /** The nearest place and its distance; null when there are no places. */
  find(from: Place): { readonly place: Known; readonly km: number } | null {
    let best: { place: Known; km: number } | null = null;
    const places = this.#byLatitude;
    const start = this.#firstFrom(from.latitude);
    for (let step = 0, open = true; open; step++) {
      open = false;
      for (const place of [places[start - 1 - step], places[start + step]]) {
        if (place === undefined) continue;
        const nearest = kmOfLatitude(place.latitude - from.latitude);
        if (best !== null && nearest > best.km) continue;
        open = true;
        const km = distanceKm(from, place);
        if (best === null || km < best.km) best = { place, km };
      }
    }
    return best;
  }

  /** The position of the first place at or north of a latitude. */
  #firstFrom(latitude: number): number {
    let [low, high] = [0, this.#byLatitude.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#byLatitude[middle]!.latitude < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Numbers by themselves are sorted several times as fast as places that are compared. */
function sortByLatitude<Known extends Place>(places: readonly Known[]): Known[] {
  const byLatitude = groupedBy(places, ({ latitude }) => latitude);
  const latitudes = Float64Array.from(byLatitude.keys()).sort();
  return Array.from(latitudes, (latitude) => byLatitude.get(latitude)!).flat();
}

function kmOfLatitude(degrees: number): number {
  return Math.abs(degrees) * RADIANS * EARTH_RADIUS_KM;
}
