import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { createTextReader } from './columns.js';
import {
  type DegreesFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type Mapping,
  type RegionFrom,
  type StationFrom,
} from './mapping.js';
import type { NameResolver } from './names.js';
import type { NumberParser } from './numbers.js';

export interface PlaceContext {
  readonly mapping: Mapping;
  readonly names: NameResolver;
  /** Null when the table does not describe its places. */
  readonly locator: Locator | null;
  readonly batch: BatchBuilder;
  readonly parseNumber: NumberParser;
}

type RegionOf = (fields: readonly string[]) => number;

/**
 * A reader of a row's region: by its name, or by identifier and coordinates where the table describes its places. Such a
 * place is added as a region of the level "coordinate".
 * @param at the position of a column in the table
 */
export function createRegionReader(
  from: RegionFrom | StationFrom,
  at: (column: string) => number,
  context: PlaceContext,
): RegionOf {
  return 'station' in from ? createStationReader(from, at, context) : createNameReader(from, at, context);
}

function createNameReader(
  from: RegionFrom,
  at: (column: string) => number,
  { names }: PlaceContext,
): RegionOf {
  const read = createTextReader(from, at);
  const readWithin = from.within === undefined ? () => '' : createTextReader(from.within, at);
  const resolve = (name: string) =>
    from.code === 'fips' ? names.resolveFips(name) : names.resolve('regions', name, from.level);
  return (fields) => {
    const within = readWithin(fields);
    return resolve(within === '' ? read(fields) : `${read(fields)}, ${within}`);
  };
}

function createStationReader(
  { station, latitude, longitude, name }: StationFrom,
  at: (column: string) => number,
  { mapping, locator, batch, parseNumber }: PlaceContext,
): RegionOf {
  const readCode = createTextReader(station, at);
  const readName = createTextReader(name ?? station, at);
  const readDegrees = (from: DegreesFrom, what: string, max: number): DegreesOf => {
    if ('degrees' in from) return () => from.degrees;
    const column = at(from.column);
    return (fields) => checkDegrees(parseNumber(fields[column]!, what), what, max);
  };
  const readLatitude = readDegrees(latitude, 'latitude', MAX_LATITUDE);
  const readLongitude = readDegrees(longitude, 'longitude', MAX_LONGITUDE);
  const ids = new Map<string, number>();
  const put = (code: string, fields: readonly string[]): number => {
    if (code === '') throw new RowError('the station has no identifier');
    const station = {
      name: readName(fields) || code,
      definition: `Station ${code} of ${mapping.source.longName}.`,
      latitude: readLatitude(fields),
      longitude: readLongitude(fields),
      aliases: [code],
    };
    const identity = `csv:${mapping.source.name}:${code}`;
    return batch.addNamedEntity('regions', identity, pointRegion(station, locator));
  };
  return (fields) => {
    const code = readCode(fields);
    return getOrCompute(ids, code, () => put(code, fields));
  };
}

type DegreesOf = (fields: readonly string[]) => number;

/** @throws RowError when the degrees are too many */
function checkDegrees(value: number, what: string, max: number): number {
  if (Math.abs(value) > max)
    throw new RowError(`the ${what} ${value} is not between -${max} and ${max} degrees`);
  return value;
}
