import * as v from 'valibot';
import type { geocodedPlace } from '../contract/requests/geocode.js';
import type { geoCentre } from '../contract/shapes.js';
import { MIN_FULL_DETAIL_ZOOM } from '../contract/wire-names.js';
import { badAnswer } from '../model/errors.js';
import { chunksOf } from '../model/grouping.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { type ArgumentsOf, optional, positional, promise } from '../model/schema/operation.js';
import { ID, integer, isNot } from '../model/schema/schemas.js';
import type { Transport } from './http/transport.js';

/** A region's shape as GeoJSON. */
export interface RegionShape {
  /** The GeoJSON type. */
  type: 'GeometryCollection';
  /** The polygons of the region. */
  geometries: RegionPolygons[];
}

/** Polygons of a region's shape. */
export interface RegionPolygons {
  /** The GeoJSON type. */
  type: 'MultiPolygon';
  /** The polygons, each a list of rings. A ring is a list of positions: longitude and latitude in degrees. */
  coordinates: number[][][][];
}

/** The centre of a region. */
export interface GeoCentre extends Omit<v.InferOutput<typeof geoCentre>, 'geojson'> {}

const SHAPE = {
  ...CANCELLABLE,
  /** The level of detail, from 1 to 8; default 7. Below 6, the shape is simplified. */
  zoom_level: integer({ min: 1, max: 8 }),
};
/** Options that set the level of detail of shapes. */
export interface GeojsonOptions extends Cancellable, OptionsOf<typeof SHAPE> {}

/** A place and the regions that contain it. Region ids and names are null if no region's shape contains the place. */
export interface GeocodedPlace extends v.InferOutput<typeof geocodedPlace> {}

/** Retrieves the shapes and centres of regions, and finds the regions that contain a place. */
export interface GeographyOperations {
  /**
   * Returns a region's shape, or null if the service has none.
   * @throws ArgumentError if the zoom level is not between 1 and 8; ContractError if the response is neither a shape
   * nor null
   */
  getGeojson(region_id: number, options?: GeojsonOptions): Promise<RegionShape | null>;

  /**
   * Returns the shapes of several regions, keyed by region id. The value is null for a region without a shape. Regions
   * that the service does not know are omitted. Each request fetches up to 200 shapes.
   * @throws ArgumentError if the zoom level is not between 1 and 8; ContractError if a shape is neither valid nor null
   * @example
   * ```ts
   * const shapes = await client.getShapes([12, 13], { zoom_level: 5 });
   * ```
   */
  getShapes(
    region_ids: readonly number[],
    options?: GeojsonOptions,
  ): Promise<Map<number, RegionShape | null>>;

  /** Returns a region's centre as a one-element list, or an empty list if there is no such region. */
  getGeoCentre(region_id: number, options?: Cancellable): Promise<GeoCentre[]>;

  /**
   * Returns the country, province, district and nearest weather station of each place, in the order of `points`. A
   * place at sea is not in any region.
   * @param points latitudes and longitudes in degrees
   * @throws ArgumentError if a latitude is not between -90 and 90, or a longitude is not between -180 and 180
   */
  reverseGeocodePoints(
    points: readonly (readonly [latitude: number, longitude: number])[],
    options?: Cancellable,
  ): Promise<GeocodedPlace[]>;
}

const REGION_ID = positional('region_id', ID);
const PLACE = v.custom(
  (value) =>
    Array.isArray(value) && value.length === 2 && isDegrees(value[0], 90) && isDegrees(value[1], 180),
  isNot('a place: a latitude from -90 to 90 and a longitude from -180 to 180'),
);

function isDegrees(value: unknown, max: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= max;
}

geographyOperations.takes = {
  getGeojson: promise(REGION_ID, optional(SHAPE)),
  getShapes: promise(positional('region_ids', v.array(ID)), optional(SHAPE)),
  getGeoCentre: promise(REGION_ID, optional(CANCELLABLE)),
  reverseGeocodePoints: promise(positional('points', v.array(PLACE)), optional(CANCELLABLE)),
} satisfies ArgumentsOf<GeographyOperations>;

export function geographyOperations(transport: Transport): GeographyOperations {
  async function centresOf(regionIds: readonly number[], { zoom_level, signal }: GeojsonOptions) {
    const shape = zoom_level === undefined ? {} : { includeGeojson: true, zoom: zoom_level };
    const call = { query: { regionIds, ...shape }, signal };
    return (await transport.json('geocentres', call)).data;
  }

  const getShapes: GeographyOperations['getShapes'] = async (region_ids, { zoom_level = 7, signal } = {}) => {
    const size = SHAPES_PER_REQUEST[zoom_level < MIN_FULL_DETAIL_ZOOM ? 'simple' : 'full'];
    const chunks = chunksOf([...new Set(region_ids)], size);
    const found = await Promise.all(chunks.map((ids) => centresOf(ids, { zoom_level, signal })));
    return new Map(found.flat().map(({ regionId, geojson }) => [regionId, readShape(geojson, regionId)]));
  };

  return {
    getShapes,
    async getGeojson(region_id, options) {
      return (await getShapes([region_id], options)).get(region_id) ?? null;
    },
    async getGeoCentre(region_id, { signal } = {}) {
      const found = await centresOf([region_id], { signal });
      return found.map(({ centre, regionId, regionName }) => ({ centre, regionId, regionName }));
    },
    async reverseGeocodePoints(points, { signal } = {}) {
      const geocode = async (places: typeof points): Promise<GeocodedPlace[]> => {
        const latlng = JSON.stringify(places);
        const { data } = await transport.json('geocode', { form: { latlng }, signal });
        // This is checked here because the request mark does not cover form fields.
        if (JSON.stringify(data.map(({ latitude, longitude }) => [latitude, longitude])) !== latlng)
          throw badAnswer('geocode', 'the response does not match the requested places');
        return data;
      };
      return (await Promise.all(chunksOf(points, PLACES_PER_REQUEST).map(geocode))).flat();
    },
  };
}

const PLACES_PER_REQUEST = 1000;

/** The number of shapes per request, chosen to keep responses small and URLs within the limits of most servers. */
const SHAPES_PER_REQUEST = { simple: 200, full: 100 };

const SHAPE_OR_NULL = v.nullable(
  v.looseObject({ type: v.literal('GeometryCollection'), geometries: v.array(v.unknown()) }),
);
/** A shape as a JSON string or an object, or null if the region has no shape. */
const SHAPE_FORMS = v.union([SHAPE_OR_NULL, v.pipe(v.string(), v.parseJson(), SHAPE_OR_NULL)]);

function readShape(shape: unknown, region_id: number): RegionShape | null {
  const read = v.safeParse(SHAPE_FORMS, shape);
  if (read.success) return read.output as RegionShape | null;
  const what = shape === undefined ? 'missing' : 'not a GeometryCollection';
  throw badAnswer('geocentres', `the geojson of region ${region_id} is ${what}`, { field: 'geojson' });
}
