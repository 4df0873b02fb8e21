import { ContractError } from '../model/errors.js';
import { checkIds, checkWhole } from './argument-checks.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';

/** A region's shape: longitude and latitude pairs. */
export interface RegionShape {
  type: 'GeometryCollection';
  geometries: { type: 'MultiPolygon'; coordinates: number[][][][] }[];
}

/** Where a region is. */
export interface GeoCentre {
  /** Latitude and longitude in degrees; null where no shape or coordinate is known. */
  centre: [number, number] | null;
  regionId: number;
  regionName: string;
}

/** Geography: shapes and centres of regions. */
export function geographyOperations(transport: Transport) {
  /** The region's shape, simplified when `zoom_level` (1 to 8) is below 6; null when there is none. */
  async function getGeojson(
    region_id: number,
    { zoom_level = 7, signal }: Cancellable & { zoom_level?: number | undefined } = {},
  ): Promise<RegionShape | null> {
    checkIds([region_id], 'region_id');
    checkWhole(zoom_level, 'zoom_level', { min: 1, max: 8 });
    const query = { regionIds: [region_id], includeGeojson: true, zoom: zoom_level };
    const answer = await transport.json('geocentres', { query, signal });
    const shape = answer?.data.find((one) => one.regionId === region_id)?.geojson ?? null;
    return shape === null ? null : readShape(shape, region_id);
  }

  /** Where a region is: its centre in degrees. Empty when there is no such region. */
  async function getGeoCentre(region_id: number, { signal }: Cancellable = {}): Promise<GeoCentre[]> {
    checkIds([region_id], 'region_id');
    const answer = await transport.json('geocentres', { query: { regionIds: [region_id] }, signal });
    return (answer?.data ?? []).map(({ centre, regionId, regionName }) => ({ centre, regionId, regionName }));
  }

  return { getGeojson, getGeoCentre };
}

/** @throws ContractError when it is not a collection of geometries */
function readShape(shape: string | object, region_id: number): RegionShape {
  let read: unknown = shape;
  try {
    if (typeof shape === 'string') read = JSON.parse(shape);
  } catch (error) {
    const message = `geocentres: the shape of region ${region_id} is not JSON`;
    throw new ContractError('geocentres', message, { cause: error });
  }
  if (isShape(read)) return read;
  throw new ContractError(
    'geocentres',
    `geocentres: the shape of region ${region_id} is no GeometryCollection`,
  );
}

function isShape(value: unknown): value is RegionShape {
  if (typeof value !== 'object' || value === null) return false;
  const { type, geometries } = value as Partial<Record<keyof RegionShape, unknown>>;
  return type === 'GeometryCollection' && Array.isArray(geometries);
}
