import type { DegreesFrom, NameFrom, StationFrom } from './mapping.js';
import { mappingError, readObject, readText } from './mapping-json.js';
import { MAX_LATITUDE, MAX_LONGITUDE } from './places.js';

/** Null when the region is not described by a station and its coordinates. */
export function readStation(value: unknown): StationFrom | null {
  if (typeof value !== 'object' || value === null || !('station' in value)) return null;
  const from = readObject(value, 'region', ['station', 'latitude', 'longitude', 'name']);
  return {
    station: readStationText(from.station, 'region.station'),
    latitude: readDegrees(from.latitude, 'region.latitude', MAX_LATITUDE),
    longitude: readDegrees(from.longitude, 'region.longitude', MAX_LONGITUDE),
    name: from.name === undefined ? null : readStationText(from.name, 'region.name'),
  };
}

function readStationText(value: unknown, key: string): NameFrom {
  if (typeof value === 'string') return { column: value };
  if (value === undefined) throw mappingError(key, 'is missing');
  const { column, name } = readObject(value, key, ['column', 'name']);
  if (typeof column === 'string') return { column };
  const text = readText(name, `${key}.name`).trim();
  if (text !== '') return { name: text };
  throw mappingError(`${key}.name`, 'is empty');
}

function readDegrees(value: unknown, key: string, max: number): DegreesFrom {
  if (typeof value === 'string') return { column: value };
  if (typeof value === 'object' && value !== null)
    return { column: readText(readObject(value, key, ['column']).column, `${key}.column`) };
  if (typeof value === 'number' && Math.abs(value) <= max) return { degrees: value };
  throw mappingError(key, `must be a column, or degrees from -${max} to ${max}`);
}
