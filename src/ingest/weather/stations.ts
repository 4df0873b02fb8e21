import { WORLD_REGION_ID } from '../../model/entity.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { countryRegionId } from '../regions/ids.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/new-regions.js';
import { STATE_IDS_BY_ABBREVIATION } from '../regions/united-states.js';

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

/** What `resolveStation` needs. */
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
  const fields = {
    name: station.name === '' ? `Station ${station.id}` : station.name,
    definition: `Weather station ${station.id} of GHCN-Daily.`,
    latitude,
    longitude,
    aliases: [station.id, identity],
  };
  return batch.addNamedEntity('regions', identity, pointRegion(fields, locator, fallback));
}
