import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { countryRegionId, usStateRegionId } from '../regions/ids.js';
import type { Locator } from '../regions/locate.js';
import { STATE_ABBREVIATIONS } from '../regions/united-states.js';

/** What is known of a station of GHCN-Daily. */
export interface Station {
  /** Eleven characters, such as `USC00042319`. */
  readonly id: string;
  /** As the source writes it: `DEATH VALLEY, CA US`; empty when unknown. */
  readonly name: string;
  /** Degrees, both or neither. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Postal abbreviation of a US state; empty elsewhere and when unknown. */
  readonly state: string;
}

const UNITED_STATES = countryRegionId(840);
const STATE_IDS: ReadonlyMap<string, number> = new Map(
  Object.entries(STATE_ABBREVIATIONS).map(([fips, abbreviation]) => [abbreviation, usStateRegionId(fips)]),
);

/** What it takes to place stations. */
export interface StationContext {
  readonly locator: Locator;
  readonly batch: BatchBuilder;
}

/** What tells a station apart, in every data set that has stations of GHCN-Daily. */
export function stationIdentity(id: string): string {
  return `GHCND:${id}`;
}

/**
 * Puts a station as a region of the level "coordinate" and gives its id. It stands under the county or country that its
 * coordinates lie in; without coordinates under its state, the United States, or the world. A station whose place is not
 * told never replaces what the store knows of it.
 */
export function putStation(station: Station, { locator, batch }: StationContext): number {
  const identity = stationIdentity(station.id);
  const id = batch.named('regions', identity);
  const { latitude, longitude } = station;
  if (latitude === null && batch.isStored('regions', identity)) return id;
  const located = latitude === null || longitude === null ? null : locator.locate(latitude, longitude);
  const fallback =
    STATE_IDS.get(station.state) ?? (station.id.startsWith('US') ? UNITED_STATES : WORLD_REGION_ID);
  const region = {
    id,
    name: station.name === '' ? `Station ${station.id}` : station.name,
    definition: `Weather station ${station.id} of GHCN-Daily.`,
    level: REGION_LEVELS.coordinate,
    belongsTo: [located ?? fallback],
    latitude,
    longitude,
    historical: false,
    aliases: [station.id, identity],
  };
  batch.put('regions', region);
  return id;
}
