import { WORLD_REGION_ID } from '../../model/entity.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { countryRegionId, STATE_IDS_BY_ABBREVIATION } from '../regions/ids.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { readTable } from '../vocabulary/text-table.js';
import { unitId } from '../vocabulary/units.js';

/** The metric and item of an element of GHCN-Daily, and its units in GHCN-Daily and Climate Data Online. */
export interface WeatherElement {
  readonly metricId: number;
  readonly itemId: number;
  /** The unit of GHCN-Daily, and of Climate Data Online's files in metric units. */
  readonly metricUnitId: number;
  /** GHCN-Daily's values are whole numbers of parts of the unit: 10 for tenths. */
  readonly partsPerUnit: number;
  /** The unit of Climate Data Online's files in "standard" units. */
  readonly standardUnitId: number;
}

/** The imported elements by GHCN-Daily's abbreviation. All others (weather types, times, gusts, soil) are skipped. */
export const WEATHER_ELEMENTS: ReadonlyMap<string, WeatherElement> = new Map(
  readTable(`
    TMAX | Temperature | Temperature max | °C | °F | 10
    TMIN | Temperature | Temperature min | °C | °F | 10
    TAVG | Temperature | Temperature mean | °C | °F | 10
    TOBS | Temperature | Temperature at observation | °C | °F | 10
    PRCP | Precipitation quantity | Precipitation | mm | in | 10
    SNOW | Snowfall quantity | Snowfall | mm | in | 1
    SNWD | Snow depth | Snow on the ground | mm | in | 1
    AWND | Wind speed | Wind | m/s | mph | 10
  `).map(([code, metric, item, metricUnit, standardUnit, parts]) => [
    code!,
    {
      metricId: metricId(metric!),
      itemId: itemId(item!),
      metricUnitId: unitId(metricUnit!),
      standardUnitId: unitId(standardUnit!),
      partsPerUnit: Number(parts),
    },
  ]),
);

/** The flags of a value. */
interface WeatherFlags {
  /** How it was measured: `T` for a trace. */
  readonly measurement: string;
  /** The quality check that it failed; empty when it passed all. */
  readonly quality: string;
}

/** A value with its flags as JSON; a value that failed a check is null and moves to the JSON, unless `keepFlagged`. */
export function applyQualityFlags(
  value: number,
  { measurement, quality }: WeatherFlags,
  keepFlagged: boolean,
): { value: number | null; metadata: string | null } {
  if (measurement === '' && quality === '') return { value, metadata: null };
  const withheld = quality !== '' && !keepFlagged;
  const remarks = {
    measurement: measurement || undefined,
    quality: quality || undefined,
    withheld: withheld ? value : undefined,
  };
  return { value: withheld ? null : value, metadata: JSON.stringify(remarks) };
}

/** A station of GHCN-Daily. */
export interface Station {
  /** Eleven characters, such as `USC00042319`. */
  readonly id: string;
  /** The name in the source: `DEATH VALLEY, CA US`; empty when unknown. */
  readonly name: string;
  /** In degrees; latitude and longitude are both known or both null. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Postal abbreviation of a US state; empty elsewhere and when unknown. */
  readonly state: string;
}

const UNITED_STATES = countryRegionId(840);

const STATION_ID = /^[A-Z]{2}[A-Z0-9_-]{9}$/;

/** @throws RowError when the text is not the identifier of a station */
export function assertStationId(text: string): void {
  if (!STATION_ID.test(text)) throw new RowError(`"${text}" is not a station of GHCN-Daily`);
}

/** The means of `resolveStation`. */
export interface StationContext {
  readonly locator: Locator;
  readonly batch: BatchBuilder;
}

/** The identity of a station in all data sets with stations of GHCN-Daily. */
export function stationIdentity(id: string): string {
  return `GHCND:${id}`;
}

/**
 * The region of a station, which it adds with the level "coordinate". It belongs to the county or country that contains
 * it; without coordinates to its state, the United States or the world. A station without coordinates never replaces
 * one in the store.
 */
export function resolveStation(station: Station, { locator, batch }: StationContext): number {
  const identity = stationIdentity(station.id);
  const { latitude, longitude } = station;
  if (latitude === null && batch.isStored('regions', identity)) return batch.idOf('regions', identity);
  const fallback =
    STATE_IDS_BY_ABBREVIATION.get(station.state) ??
    (station.id.startsWith('US') ? UNITED_STATES : WORLD_REGION_ID);
  const [place, state] = station.name.split(', ');
  const fields = {
    name: station.name === '' ? `Station ${station.id}` : station.name,
    definition: `Weather station ${station.id} of GHCN-Daily.`,
    latitude,
    longitude,
    aliases: [station.id, identity, ...(state === undefined ? [] : [place!])],
  };
  return batch.addNamedEntity('regions', identity, pointRegion(fields, locator, fallback));
}
