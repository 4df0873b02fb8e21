import { dayPeriod, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import type { SeriesKey } from '../../model/series.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { planRows } from '../reading/table-plan.js';
import { readTextRows, rowKey } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { subdivisionRegionId, usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { pointRegion } from '../regions/names.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';
import { CORN_BY_STATE, WEATHER_DAYS, WHEAT_BY_YEAR } from './figures.js';

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

/** A figure with its series and unit. */
interface Figure {
  readonly of: SeriesKey & { readonly unit_id: number };
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number;
}

async function* readDemo(input: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData(DEMO_SOURCES);
  const batch = await BatchBuilder.create(input);
  const figures = [...weather(batch), ...wheat(), ...corn()];
  const kinds = [...new Set(figures.map(({ of }) => of))];
  const records = figures.map(({ of, startMs, endMs, value }, i) => ({
    fields: [kinds.indexOf(of), startMs, endMs, value].map(String),
    line: i + 1,
  }));
  const plan = planRows({
    keys: [
      rowKey({
        texts: [0],
        resolve: ([kind]) => kinds[Number(kind)]!,
      }),
      rowKey({
        texts: [1, 2],
        resolve: ([start, end]) => ({ startMs: Number(start), endMs: Number(end) }),
      }),
    ],
    values: [{ column: 3, name: 'figure' }],
    constants: { availableMs: input.importedMs },
  });
  const form = { delimiter: ',', quotes: true, skip: 0, columns: 4 };
  const progress = { rows: 0 };
  yield* readTextRows({ name: 'demo', records: () => records }, { form, plan }, { batch, progress });
  yield batch.take({ label: 'figures', done: 1, total: 1, unit: 'data sets', ...progress });
}

const STATE_FIPS = { 'New York': 36, Washington: 53 } as const;

function* corn(): Generator<Figure> {
  for (const state of ['New York', 'Washington'] as const) {
    const shared = {
      item_id: itemId('Corn'),
      region_id: usStateRegionId(STATE_FIPS[state]),
      partner_region_id: 0,
      source_id: SOURCES.nassCornStates.id,
      frequency_id: frequencyId('annual'),
    };
    const area = { ...shared, metric_id: metricId('Area harvested'), unit_id: unitId('ac') };
    const cropYield = { ...shared, metric_id: metricId('Yield'), unit_id: unitId('bu/ac (corn)') };
    for (const [year, acres, bushelsPerAcre] of CORN_BY_STATE[state]) {
      yield { of: area, ...yearsPeriod(year), value: acres };
      yield { of: cropYield, ...yearsPeriod(year), value: bushelsPerAcre! };
    }
  }
}

/** The year in which the chart and its last bar end. */
const LAST_YEAR = 1821;

/**
 * Playfair's price of a quarter of wheat and weekly wage of a good mechanic, in shillings. Each bar covers five years
 * from the one in the data (1565 is 1565–1569). The region is England, whose markets and reigns he describes.
 */
function* wheat(): Generator<Figure> {
  for (const [first, price, wage] of WHEAT_BY_YEAR) {
    const period = { startMs: utcDay(first, 1, 1), endMs: utcDay(Math.min(first + 4, LAST_YEAR), 12, 31) };
    yield { of: WHEAT_PRICE, ...period, value: price };
    if (wage !== null) yield { of: WAGE, ...period, value: wage };
  }
}

const ENGLAND = {
  region_id: subdivisionRegionId('GB-ENG'),
  partner_region_id: 0,
  source_id: SOURCES.playfairWheat.id,
  frequency_id: frequencyId('5-year'),
};
const WHEAT_PRICE = {
  ...{ metric_id: metricId('Price'), item_id: itemId('Wheat'), unit_id: unitId('s/quarter') },
  ...ENGLAND,
};
const WAGE = {
  ...{ metric_id: metricId('Wage'), item_id: itemId('Labour'), unit_id: unitId('s/week') },
  ...ENGLAND,
};

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
 * Daily maximum and minimum temperature (°C) and precipitation (mm), 2012–2015. Wind is left out, because the
 * package's description (km/h) and script (m/s) disagree about its unit.
 */
function* weather(batch: BatchBuilder): Generator<Figure> {
  const regionIds = addStations(batch);
  for (const [station, { location }] of STATIONS.entries()) {
    const measures = MEASURES.map(({ metric, item, unit }) => ({
      metric_id: metricId(metric),
      item_id: itemId(item),
      unit_id: unitId(unit),
      region_id: regionIds[station]!,
      partner_region_id: 0,
      source_id: SOURCES.vegaWeather.id,
      frequency_id: frequencyId('daily'),
    }));
    for (const [day, figures] of WEATHER_DAYS[location].trim().split(/\s+/).entries())
      for (const [i, figure] of figures.split('/').entries())
        yield { of: measures[i]!, ...dayPeriod(FIRST_DAY_MS + day * DAY_MS), value: Number(figure) };
  }
}

const FIRST_DAY_MS = utcDay(2012, 1, 1);
