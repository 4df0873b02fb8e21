import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { rowNumber } from '../reading/row-values.js';
import { columnIndex } from '../reading/tables.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/new-regions.js';
import type { Mapping, RegionFrom, StationFrom } from './mapping.js';
import type { NameFinder } from './names.js';

export interface PlaceContext {
  readonly mapping: Mapping;
  readonly names: NameFinder;
  /** Needed only where the table describes its places. */
  readonly locator: Locator | null;
  readonly batch: BatchBuilder;
}

type RegionOf = (fields: readonly string[]) => number;

/**
 * How the region of a row is found: by its name, or, where the table describes its places, by identifier and coordinates. A
 * place described becomes a region of the level "coordinate" under the county or country in which it lies.
 * @throws IngestError when the header lacks a column of the mapping
 */
export function regionReader(header: readonly string[], file: string, context: PlaceContext): RegionOf {
  const { region } = context.mapping;
  const at = (column: string): number => columnIndex(header, column, { dataset: 'csv', file });
  return 'station' in region ? stationReader(region, at, context) : nameReader(region, at, context);
}

function nameReader(from: RegionFrom, at: (column: string) => number, { names }: PlaceContext): RegionOf {
  if ('name' in from) return () => names.id('regions', from.name, from.level);
  const column = at(from.column);
  return (fields) => names.id('regions', fields[column]!.trim(), from.level);
}

function stationReader(
  { station, latitude, longitude, name }: StationFrom,
  at: (column: string) => number,
  { mapping, locator, batch }: PlaceContext,
): RegionOf {
  const [stationAt, latitudeAt, longitudeAt] = [at(station), at(latitude), at(longitude)];
  const nameAt = name === null ? stationAt : at(name);
  const ids = new Map<string, number>();
  const put = (code: string, fields: readonly string[]): number => {
    if (code === '') throw new RowError('the station has no identifier');
    const fieldsOfStation = {
      name: fields[nameAt]!.trim() || code,
      definition: `Station ${code} of ${mapping.source.longName}.`,
      latitude: degrees(fields[latitudeAt]!, 'latitude', 90),
      longitude: degrees(fields[longitudeAt]!, 'longitude', 180),
      aliases: [code],
    };
    const identity = `csv:${mapping.source.name}:${code}`;
    return batch.putNamed('regions', identity, pointRegion(fieldsOfStation, locator));
  };
  return (fields) => {
    const code = fields[stationAt]!.trim();
    return getOrCompute(ids, code, () => put(code, fields));
  };
}

function degrees(text: string, what: string, max: number): number {
  const value = rowNumber(text, what);
  if (Math.abs(value) > max) throw new RowError(`the ${what} ${value} is beyond ${max} degrees`);
  return value;
}
