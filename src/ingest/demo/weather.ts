import { dayPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import type { SeriesKey } from '../../model/series.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { usCountyRegionId } from '../regions/ids.js';
import { pointRegion } from '../regions/names.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';
import { WEATHER_DAYS } from './weather-days.js';

interface DemoStation {
  /** Its name in the data set. */
  readonly location: keyof typeof WEATHER_DAYS;
  readonly name: string;
  readonly county: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly aliases: readonly string[];
  readonly definition: string;
}

const UNNAMED = 'the data set names the city alone, and the coordinates are those of';

/**
 * The data set only contains the names "Seattle" and "New York". The latter is not Central Park, whose published figures
 * of 18 July 2012 (100 °F) and 30 April 2014 (4.97 in) differ. Both large airports of New York are in Queens.
 */
const STATIONS: readonly DemoStation[] = [
  {
    location: 'Seattle',
    name: 'Seattle weather station',
    county: 53033,
    latitude: 47.4444,
    longitude: -122.3138,
    aliases: ['Seattle', 'Seattle, Washington', 'Seattle, WA'],
    definition: `Weather station in Seattle; ${UNNAMED} Seattle-Tacoma airport, its likely place.`,
  },
  {
    location: 'New York',
    name: 'New York City weather station',
    county: 36081,
    latitude: 40.6386,
    longitude: -73.7622,
    aliases: ['New York City', 'New York weather station', 'NYC'],
    definition: `Weather station in New York City; ${UNNAMED} Kennedy airport, its likely place.`,
  },
];

/** Adds the stations, each in its county. @returns their region ids in the same order */
function addStations(batch: BatchBuilder): number[] {
  return STATIONS.map(({ location, county, ...fields }) =>
    batch.addNamedEntity(
      'regions',
      `vega-datasets/weather.csv:${location}`,
      pointRegion(fields, null, usCountyRegionId(county)),
    ),
  );
}

/** In the order of a day's figures. */
const MEASURES = [
  { metric: 'Temperature', item: 'Temperature max', unit: '°C' },
  { metric: 'Temperature', item: 'Temperature min', unit: '°C' },
  { metric: 'Precipitation quantity', item: 'Precipitation', unit: 'mm' },
] as const;

/**
 * Adds daily maximum and minimum temperature (°C) and precipitation (mm), 2012–2015. Wind is left out, because the
 * package's description (km/h) and script (m/s) disagree about its unit.
 */
export function addWeather(batch: BatchBuilder, availableMs: number): void {
  const regionIds = addStations(batch);
  const measures = MEASURES.map(({ metric, item, unit }) => ({
    key: { metric_id: metricId(metric), item_id: itemId(item) },
    unitId: unitId(unit),
  }));
  STATIONS.forEach(({ location }, station) => {
    const days = WEATHER_DAYS[location].trim().split(/\s+/);
    for (const [day, figures] of days.entries()) {
      const period = dayPeriod(FIRST_DAY_MS + day * DAY_MS);
      for (const [i, figure] of figures.split('/').entries()) {
        const { key: measure, unitId } = measures[i]!;
        const key: SeriesKey = { ...measure, region_id: regionIds[station]!, ...DAILY_WEATHER };
        batch.addPoint(key, { ...period, value: Number(figure), unitId, reportingMs: null, availableMs });
      }
    }
  });
}

const FIRST_DAY_MS = utcDay(2012, 1, 1);
const DAILY_WEATHER = {
  partner_region_id: 0,
  source_id: SOURCES.vegaWeather.id,
  frequency_id: frequencyId('daily'),
};
