import * as z from 'zod';

/** Maximum number of places in one request. */
const MAX_PLACES_PER_REQUEST = 10_000;

const EXAMPLE = '[[47.61, -122.33], [41.59, -93.62]]';

/** Form of a request for the regions of places. Python's tuples are read too. */
export const geocodeForm = z.object({
  latlng: z
    .string()
    .transform((text, { addIssue }) => {
      const read = readPlaces(text);
      if (typeof read !== 'string') return read;
      addIssue({ code: 'custom', message: read });
      return z.NEVER;
    })
    .meta({
      description: `a list of latitudes and longitudes in degrees, at most ${MAX_PLACES_PER_REQUEST}`,
      examples: [EXAMPLE],
    }),
});

/** Returns the places of a text, or its fault. */
function readPlaces(text: string): [latitude: number, longitude: number][] | string {
  const list = parseList(text);
  if (list === null) return `is not a list of latitudes and longitudes, such as ${EXAMPLE}`;
  if (list.length > MAX_PLACES_PER_REQUEST)
    return `has ${list.length} places; ask for at most ${MAX_PLACES_PER_REQUEST} at a time`;
  for (const [i, place] of list.entries()) {
    const wrong = whatIsWrong(place);
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

function whatIsWrong(place: unknown): string | null {
  const isPair = Array.isArray(place) && place.length === 2 && place.every(Number.isFinite);
  if (!isPair) return 'is not a latitude and a longitude';
  const [latitude, longitude] = place as [number, number];
  if (Math.abs(latitude) > 90) return `has latitude ${latitude}, which is not from -90 to 90`;
  return Math.abs(longitude) > 180 ? `has longitude ${longitude}, which is not from -180 to 180` : null;
}

const regionId = z.int().nullable();
const regionName = z.string().nullable();

/** A place, the regions that contain it, and the nearest weather station. */
export const geocodedPlace = z.object({
  latitude: z.number(),
  longitude: z.number(),
  l5_id: regionId.meta({ description: 'district, such as a county; null where no shape contains the place' }),
  l5_name: regionName,
  l4_id: regionId.meta({ description: 'province or state' }),
  l4_name: regionName,
  l3_id: regionId.meta({ description: 'country' }),
  l3_name: regionName,
  station_id: regionId.default(null).meta({
    description: 'nearest weather station or grid point that has data; null when there is none',
  }),
  station_name: regionName.default(null).meta({ description: 'name of the station' }),
  station_km: z.number().nullable().default(null).meta({
    description: 'great-circle distance of the station in km, to the metre',
  }),
});
