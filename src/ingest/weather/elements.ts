import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { unitId } from '../vocabulary/units.js';

/** What an element of GHCN-Daily is here, and the units in which the archive and Climate Data Online give it. */
export interface WeatherElement {
  readonly metric_id: number;
  readonly item_id: number;
  /** Unit in the store, for GHCN-Daily and for metric files of Climate Data Online. */
  readonly metricUnitId: number;
  /** GHCN-Daily gives whole numbers of this part of the unit: 10 for tenths. */
  readonly partsPerUnit: number;
  /** Unit of files of Climate Data Online in "standard" units. */
  readonly standardUnitId: number;
}

function element(
  metric: string,
  item: string,
  units: readonly [metric: string, standard: string],
  parts: number,
): WeatherElement {
  return {
    metric_id: metricId(metric),
    item_id: itemId(item),
    metricUnitId: unitId(units[0]),
    partsPerUnit: parts,
    standardUnitId: unitId(units[1]),
  };
}

/**
 * The elements that are read, as GHCN-Daily abbreviates them. Its others (kinds of weather, times, gusts, soil) are left out.
 */
export const WEATHER_ELEMENTS: ReadonlyMap<string, WeatherElement> = new Map([
  ['TMAX', element('Temperature', 'Temperature max', ['°C', '°F'], 10)],
  ['TMIN', element('Temperature', 'Temperature min', ['°C', '°F'], 10)],
  ['TAVG', element('Temperature', 'Temperature mean', ['°C', '°F'], 10)],
  ['TOBS', element('Temperature', 'Temperature at observation', ['°C', '°F'], 10)],
  ['PRCP', element('Precipitation quantity', 'Precipitation', ['mm', 'in'], 10)],
  ['SNOW', element('Snowfall quantity', 'Snowfall', ['mm', 'in'], 1)],
  ['SNWD', element('Snow depth', 'Snow on the ground', ['mm', 'in'], 1)],
  ['AWND', element('Wind speed', 'Wind', ['m/s', 'mph'], 10)],
]);

/** What a source says beside a value. */
interface WeatherFlags {
  /** How it was measured: `T` a trace. */
  readonly measurement: string;
  /** Which check it failed; empty when none. */
  readonly quality: string;
}

/** A value as it is kept: withheld when it failed a check, unless flagged values are kept; the flags stand beside it. */
export function applyQualityFlags(
  value: number,
  { measurement, quality }: WeatherFlags,
  keepFlagged: boolean,
): { value: number | null; metadata: string | null } {
  if (measurement === '' && quality === '') return { value, metadata: null };
  const withheld = quality !== '' && !keepFlagged;
  const remarks = {
    ...(measurement === '' ? {} : { measurement }),
    ...(quality === '' ? {} : { quality }),
    ...(withheld ? { withheld: value } : {}),
  };
  return { value: withheld ? null : value, metadata: JSON.stringify(remarks) };
}
