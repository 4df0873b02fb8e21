import { ArgumentError, ContractError } from '../model/errors.js';
import type { Transport } from './transport.js';

/** A region's shape: longitude and latitude pairs. */
export interface RegionShape {
  type: 'GeometryCollection';
  geometries: { type: 'MultiPolygon'; coordinates: number[][][][] }[];
}

export interface GeoCentre {
  /** Latitude and longitude in degrees; null where no shape or coordinate is known. */
  centre: [number, number] | null;
  regionId: number;
  regionName: string;
}

type Cancel = { signal?: AbortSignal | undefined };

/** Geography: shapes and centres of regions. */
export function geographyOperations(transport: Transport) {
  /** The region's shape, simplified when `zoom_level` (1 to 8) is below 6; null when there is none. */
  async function getGeojson(
    region_id: number,
    { zoom_level = 7, signal }: Cancel & { zoom_level?: number } = {},
  ): Promise<RegionShape | null> {
    if (!Number.isInteger(zoom_level) || zoom_level < 1 || zoom_level > 8) {
      throw new ArgumentError('zoom_level', `zoom_level: ${zoom_level} is not a whole number from 1 to 8`);
    }
    const query = { regionIds: [region_id], includeGeojson: true, zoom: zoom_level };
    const answer = await transport.json('geocentres', { query, signal });
    const shape = answer?.data[0]?.geojson ?? null;
    if (shape === null) return null;
    try {
      return (typeof shape === 'string' ? JSON.parse(shape) : shape) as RegionShape;
    } catch (error) {
      throw new ContractError('geocentres', `geocentres: the shape of region ${region_id} is not JSON`, {
        cause: error,
      });
    }
  }

  async function getGeoCentre(region_id: number, { signal }: Cancel = {}): Promise<GeoCentre[]> {
    const answer = await transport.json('geocentres', { query: { regionIds: [region_id] }, signal });
    return (answer?.data ?? []).map(({ centre, regionId, regionName }) => ({ centre, regionId, regionName }));
  }

  return { getGeojson, getGeoCentre };
}
