import { dayPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { FIGURES } from '../reading/table-plan.js';
import { type RowPlan, readTextRows } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { subdivisionRegionId, usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { pointRegion } from '../regions/names.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';
import PUBLISHED from './figures.json' with { type: 'json' };

/**
 * Published figures in the package, for use without a download: daily weather of Seattle and New York 2012–2015, English
 * wheat prices and wages 1565–1821, corn area and yield of Washington and New York 2002–2011.
 */
export const demo: Importer = {
  dataset: 'demo',
  summary: 'Weather of Seattle and New York, corn of two states, English wheat prices: no files needed',
  needsFiles: false,
  counts: 'values',
  read: readDemo,
};

/** The sources of the demo's figures. */
export const DEMO_SOURCES = [SOURCES.vegaWeather, SOURCES.playfairWheat, SOURCES.nassCornStates];

interface Figure extends Period {
  /** The series and the unit. */
  readonly of: RowAnswer;
  readonly value: number;
}

async function* readDemo(input: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData(DEMO_SOURCES);
  const batch = await BatchBuilder.create(input, 'demo');
  const figures = [...weather(batch), ...wheat(), ...corn()];
  const kinds = [...new Set(figures.map(({ of }) => of))];
  const records = figures.map(({ of, startMs, endMs, value }, i) => ({
    fields: [kinds.indexOf(of), startMs, endMs, value].map(String),
    line: i + 1,
  }));
  const plan: RowPlan = {
    keys: [
      { texts: [0], resolve: ([kind]) => kinds[Number(kind)]! },
      { texts: [1, 2], resolve: ([start, end]) => ({ startMs: Number(start), endMs: Number(end) }) },
    ],
    values: [{ column: 3, ...FIGURES, keys: [] }],
    constants: { availableMs: input.importedMs },
  };
  const form = { delimiter: ',', quotes: true, skip: 0, columns: 4 };
  const text = { name: 'demo', records: () => records };
  const rows = yield* readTextRows({ rows: text, form, plan, batch });
  yield batch.take({ label: 'figures', done: 1, total: 1, unit: 'data sets', rows });
}

/** A metric, an item and a unit, by their names. */
function measure(metric: string, item: string, unit: string): RowAnswer {
  return { metric_id: metricId(metric), item_id: itemId(item), unit_id: unitId(unit) };
}

/**
 * USDA NASS, Quick Stats: corn for grain, area harvested (acres) and yield (bushels per acre) by state and year, from the
 * R package agridat (nass.corn, "acres harvested" and "average yield").
 */
function* corn(): Generator<Figure> {
  for (const [state, fips] of [['New York', 36] as const, ['Washington', 53] as const]) {
    const shared = {
      region_id: usStateRegionId(fips),
      source_id: SOURCES.nassCornStates.id,
      frequency_id: frequencyId('annual'),
    };
    const area = { ...measure('Area harvested', 'Corn', 'ac'), ...shared };
    const cropYield = { ...measure('Yield', 'Corn', 'bu/ac (corn)'), ...shared };
    for (const [year, acres, bushelsPerAcre] of PUBLISHED.corn[state]) {
      yield { of: area, ...yearsPeriod(year!), value: acres! };
      yield { of: cropYield, ...yearsPeriod(year!), value: bushelsPerAcre! };
    }
  }
}

/** The year in which the chart and its last bar end. */
const LAST_YEAR = 1821;

/**
 * William Playfair (1821): the price of a quarter of wheat and the weekly wage of a good mechanic, in shillings, as in
 * `data/wheat.json` of the package vega-datasets 3.2.1; a test compares them. Each bar covers five years from the one in the
 * data (1565 is 1565–1569). The region is England, whose markets and reigns he describes.
 */
function* wheat(): Generator<Figure> {
  const england = {
    region_id: subdivisionRegionId('GB-ENG'),
    source_id: SOURCES.playfairWheat.id,
    frequency_id: frequencyId('5-year'),
  };
  const prices = { ...measure('Price', 'Wheat', 's/quarter'), ...england };
  const wages = { ...measure('Wage', 'Labour', 's/week'), ...england };
  for (const [first, price, wage] of PUBLISHED.wheat) {
    const last = Math.min(first! + 4, LAST_YEAR);
    const period = { startMs: utcDay(first!, 1, 1), endMs: utcDay(last, 12, 31) };
    yield { of: prices, ...period, value: price! };
    if (wage !== null) yield { of: wages, ...period, value: wage! };
  }
}

const UNNAMED = 'the data set names the city alone, and the coordinates are those of';

/**
 * The data set only contains the names "Seattle" and "New York". The latter is not Central Park, whose published figures
 * of 18 July 2012 (100 °F) and 30 April 2014 (4.97 in) differ. Both large airports of New York are in Queens.
 */
const STATIONS = [
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
] as const;

const FIRST_DAY_MS = utcDay(2012, 1, 1);

/**
 * Daily maximum and minimum temperature (°C) and precipitation (mm) of NOAA, 2012–2015 (public domain), as in
 * `data/weather.csv` of the package vega-datasets 3.2.1. Each day from 1 January 2012 is `max/min/precipitation`, and each
 * text is a month. The package has 42 MB and is not a dependency; a test compares all figures with it. Wind is left out,
 * because the package's description (km/h) and script (m/s) disagree about its unit.
 */
function* weather(batch: BatchBuilder): Generator<Figure> {
  for (const { location, county, ...fields } of STATIONS) {
    const place = pointRegion(fields, null, usCountyRegionId(county));
    const shared = {
      region_id: batch.addNamedEntity('regions', `vega-datasets/weather.csv:${location}`, place),
      source_id: SOURCES.vegaWeather.id,
      frequency_id: frequencyId('daily'),
    };
    const measures = [
      measure('Temperature', 'Temperature max', '°C'),
      measure('Temperature', 'Temperature min', '°C'),
      measure('Precipitation quantity', 'Precipitation', 'mm'),
    ].map((of) => ({ ...of, ...shared }));
    for (const [day, figures] of PUBLISHED.weather[location].join(' ').split(' ').entries())
      for (const [i, figure] of figures.split('/').entries())
        yield { of: measures[i]!, ...dayPeriod(FIRST_DAY_MS + day * DAY_MS), value: Number(figure) };
  }
}
