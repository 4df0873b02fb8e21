import * as v from 'valibot';
import { INTEGER, optionalWith, withMeaning } from '../../model/schema/schemas.js';
import { parsedBy } from '../parameters.js';

const MAX_PLACES_PER_REQUEST = 10_000;

const EXAMPLE = '[[47.61, -122.33], [41.59, -93.62]]';

/** The form fields of a request for the regions that contain given places. Places may be written as Python tuples. */
export const geocodeForm = v.object({
  latlng: v.pipe(
    withMeaning(
      `a list of latitudes and longitudes in degrees, at most ${MAX_PLACES_PER_REQUEST}`,
      v.string(),
    ),
    v.examples([EXAMPLE]),
    parsedBy(readPlaces),
  ),
});

/** Parses a list of places, each a latitude and a longitude. Returns an error message if the text is invalid. */
function readPlaces(text: string): [latitude: number, longitude: number][] | string {
  const list = parseList(text);
  if (list === null) return `is not a list of latitudes and longitudes, such as ${EXAMPLE}`;
  if (list.length > MAX_PLACES_PER_REQUEST)
    return `has ${list.length} places; request at most ${MAX_PLACES_PER_REQUEST} at a time`;
  for (const [i, place] of list.entries()) {
    const wrong = explainInvalidPlace(place);
    if (wrong !== null) return `place ${i} ${wrong}`;
  }
  return list as [number, number][];
}

function parseList(text: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(text.replaceAll('(', '[').replaceAll(')', ']'));
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

function explainInvalidPlace(place: unknown): string | null {
  const isPair = Array.isArray(place) && place.length === 2 && place.every(Number.isFinite);
  if (!isPair) return 'is not a latitude and a longitude';
  const [latitude, longitude] = place as [number, number];
  if (Math.abs(latitude) > 90) return `has latitude ${latitude}, which is not between -90 and 90`;
  return Math.abs(longitude) > 180 ? `has longitude ${longitude}, which is not between -180 and 180` : null;
}

const regionId = v.nullable(INTEGER);
const regionName = v.nullable(v.string());

/** A place, the regions that contain it, and the nearest weather station. */
export const geocodedPlace = v.object({
  /** The requested latitude in degrees north. */
  latitude: v.number(),
  /** The requested longitude in degrees east. */
  longitude: v.number(),
  /** The id of the district, such as a county. */
  l5_id: withMeaning('id of the district, such as a county; null if no shape contains the place', regionId),
  /** The name of the district. */
  l5_name: regionName,
  /** The id of the province or state. */
  l4_id: withMeaning('id of the province or state', regionId),
  /** The name of the province or state. */
  l4_name: regionName,
  /** The id of the country. */
  l3_id: withMeaning('id of the country', regionId),
  /** The name of the country. */
  l3_name: regionName,
  /** The id of the nearest weather station or grid point with data; null if the service has none. */
  station_id: optionalWith(
    'id of the nearest weather station or grid point with data; null if there is none',
    regionId,
    null,
  ),
  /** The name of the station or grid point. */
  station_name: optionalWith('name of the station or grid point', regionName, null),
  /** The distance to the station or grid point in kilometres. */
  station_km: optionalWith(
    'great-circle distance to the station or grid point in km, rounded to the metre',
    v.nullable(v.number()),
    null,
  ),
});
