import type { ServiceClient } from '../../client/client.js';
import type { LongFrame } from '../../frame/frame.js';
import { readSeries, type SeriesPoints } from '../../frame/series/series-points.js';
import { badArgument } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import { getSavedFrame } from '../../saved/get-df.js';
import { type ExtremesOf, TEMPERATURE_SYMBOLS, type TemperatureUnit } from '../degree-days/plan.js';
import { temperaturesOf } from './temperature-series.js';

/** The daily minima and maxima of a place, in one unit. */
export interface StationTemperatures extends ExtremesOf<SeriesPoints> {
  readonly table: LongFrame;
  readonly unit_id: number | null;
  readonly unit: TemperatureUnit;
}

/**
 * Retrieves the daily minima and maxima of a place.
 * @throws ArgumentError when the place has none, or they have no values
 */
export async function stationTemperatures(
  client: ServiceClient,
  region_id: number,
  { unit, at_time, signal }: Cancellable & { unit: TemperatureUnit; at_time?: string | undefined },
): Promise<StationTemperatures> {
  const pair = (await temperaturesOf(client, [region_id], { exact: true, signal })).get(region_id);
  if (pair === undefined)
    throw badArgument('region', 'this place has no daily minima and maxima', {
      remedy: 'choose another one',
    });
  const units = await client.listUnits({ signal });
  const symbol = TEMPERATURE_SYMBOLS[unit];
  const unit_id = units.find(({ abbreviation }) => abbreviation === symbol)?.id ?? null;
  const options = { include_names: true, at_time, unit_id: unit_id ?? undefined, signal } as const;
  const table = (await getSavedFrame(client, [pair.tmin, pair.tmax], options)) as LongFrame;
  const series = readSeries(table);
  const [tmin, tmax] = [pair.tmin, pair.tmax].map(({ item_id }) =>
    series.find(({ view }) => view.key.item_id === item_id),
  );
  if (tmin === undefined || tmax === undefined)
    throw badArgument('region', 'the temperatures of this place have no values', {
      remedy: 'choose another place, or another date',
    });
  return { tmin, tmax, table, unit_id, unit };
}
