export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Returns the great-circle distance in kilometres, using the haversine formula with the mean Earth radius. */
export function distanceKm(a: Place, b: Place): number {
  const across = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const along = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const shrink = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(across ** 2 + shrink * along ** 2)));
}

export function nearestPlace<Known extends Place>(
  places: readonly Known[],
  from: Place,
): { readonly place: Known; readonly km: number } | null {
  let best: { place: Known; km: number } | null = null;
  for (const place of places) {
    // Most places are skipped, because the difference in latitude alone exceeds the smallest distance found so far.
    const least = Math.abs(place.latitude - from.latitude) * RADIANS * EARTH_RADIUS_KM;
    if (best !== null && least > best.km) continue;
    const km = distanceKm(from, place);
    if (best === null || km < best.km) best = { place, km };
  }
  return best;
}
