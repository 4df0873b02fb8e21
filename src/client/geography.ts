import { ContractError } from '../model/errors.js';
import type { Cancellable } from '../model/progress.js';
import { checkIds, checkWhole } from './argument-checks.js';
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
  /** Polygons of rings of positions; a position is longitude and latitude in degrees. */
  coordinates: number[][][][];
}

/** The centre of a region. */
export interface GeoCentre {
  /** Latitude and longitude in degrees; null where no shape or coordinate is known. */
  centre: [number, number] | null;
  /** Id of the region. */
  regionId: number;
  /** Name of the region. */
  regionName: string;
}

/** How finely a shape is drawn. */
export interface GeojsonOptions extends Cancellable {
  /** 1 to 8, default 7; below 6 the shape is simplified. */
  zoom_level?: number | undefined;
}

/** Shapes and centres of regions. */
export interface GeographyOperations {
  /**
   * The shape of a region; null when the service has none.
   * @throws ArgumentError when the zoom level is not 1 to 8
   */
  getGeojson(region_id: number, options?: GeojsonOptions): Promise<RegionShape | null>;

  /** The centre of a region, in a list of one; empty when there is no such region. */
  getGeoCentre(region_id: number, options?: Cancellable): Promise<GeoCentre[]>;
}

/** Geography, over a transport. */
export function geographyOperations(transport: Transport): GeographyOperations {
  return {
    async getGeojson(region_id, { zoom_level = 7, signal } = {}) {
      checkIds([region_id], 'region_id');
      checkWhole(zoom_level, 'zoom_level', { min: 1, max: 8 });
      const query = { regionIds: [region_id], includeGeojson: true, zoom: zoom_level };
      const answer = await transport.json('geocentres', { query, signal });
      const shape = answer?.data.find((one) => one.regionId === region_id)?.geojson ?? null;
      return readShape(shape, region_id);
    },
    async getGeoCentre(region_id, { signal } = {}) {
      checkIds([region_id], 'region_id');
      const answer = await transport.json('geocentres', { query: { regionIds: [region_id] }, signal });
      return (answer?.data ?? []).map(({ centre, regionId, regionName }) => ({
        centre,
        regionId,
        regionName,
      }));
    },
  };
}

/** A shape as text or as an object; null, also as text, is none. @throws ContractError when it is neither */
function readShape(shape: string | object | null, region_id: number): RegionShape | null {
  let read: unknown = shape;
  try {
    if (typeof shape === 'string') read = JSON.parse(shape);
  } catch (error) {
    const message = `geocentres: the shape of region ${region_id} is not JSON`;
    throw new ContractError('geocentres', message, { cause: error });
  }
  if (read === null || isShape(read)) return read;
  throw new ContractError(
    'geocentres',
    `geocentres: the shape of region ${region_id} is not a GeometryCollection`,
  );
}

function isShape(value: unknown): value is RegionShape {
  if (typeof value !== 'object' || value === null) return false;
  const { type, geometries } = value as Partial<Record<keyof RegionShape, unknown>>;
  return type === 'GeometryCollection' && Array.isArray(geometries);
}
