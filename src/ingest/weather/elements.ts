import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
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

function element(
  metric: string,
  item: string,
  units: readonly [metric: string, standard: string],
  parts: number,
): WeatherElement {
  return {
    metricId: metricId(metric),
    itemId: itemId(item),
    metricUnitId: unitId(units[0]),
    partsPerUnit: parts,
    standardUnitId: unitId(units[1]),
  };
}

/** The imported elements by GHCN-Daily's abbreviation. All others (weather types, times, gusts, soil) are skipped. */
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
