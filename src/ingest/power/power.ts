import { dayPeriod, yearOf } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { calendarDay, DAY_MS, formatDay, utcDay } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  isInterval,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { parseRowInteger, parseRowNumber } from '../reading/row-values.js';
import { NO_FIGURES, planRows, TableFields, type TableValue } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { type Locator, loadRegionLocator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readTable } from '../vocabulary/text-table.js';
import { sourceUnit, unitsByText } from '../vocabulary/units.js';

const HEADER_BEGIN = '-BEGIN HEADER-';
const HEADER_END = '-END HEADER-';

/**
 * NASA POWER: daily data of one point as CSV, one row per day, after a header with location, parameters and units.
 * Missing values are skipped. Days are those of the file's time standard, local solar time or UTC.
 */
export const power = defineTables<{ readonly locator: Locator }>({
  name: 'power',
  summary: 'NASA POWER: daily data of a point (CSV with header)',
  sources: [SOURCES.nasaPower],
  frequency: 'daily',
  counts: 'values',
  forms: [
    {
      name: 'a daily point of NASA POWER',
      delimiter: ',',
      quotes: false,
      headerLine: (sample) => {
        const end = linesOf(sample).findIndex((line) => line.startsWith(HEADER_END));
        return end < 0 ? Number.POSITIVE_INFINITY : end + 2;
      },
      matches: (_, beginning) => beginning.startsWith(HEADER_BEGIN),
      plan: planPoint,
    },
  ],
  prepare: async () => ({ locator: await loadRegionLocator() }),
  fetch: {
    takes: 'LATITUDE,LONGITUDE,FROM,TO, such as 42.0,-93.6,2020-01-01,2020-12-31',
    find: findPoint,
  },
});

const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);

const DATES = ['YEAR', 'DOY', 'MO', 'DY'];

/** @throws IngestError when the text has no header with a location, or its rows have no dates */
function planPoint(table: OpenedTable, job: DatasetJob & { readonly locator: Locator }) {
  const { header: columns, dataset, file } = table;
  const notPower = (row: number, reason = 'it has no header with location and parameters'): IngestError =>
    new IngestError(dataset, `${file} is not a daily point of NASA POWER: ${reason}`, { file, row });
  const header = parseHeader(table.sample);
  if (header === null) throw notPower(linesOf(table.sample).indexOf(columns.join(',')) + 1);
  if (columns.includes('HR')) throw notPower(1, 'its figures are hourly');
  const fields = TableFields.of(table, { year: 'YEAR', dayOfYear: 'DOY?', month: 'MO?', day: 'DY?' });
  const { dayOfYear, month, day } = fields.at;
  if (dayOfYear < 0 && (month < 0 || day < 0)) throw notPower(1, 'its rows have no days');
  return planRows({
    keys: [
      fields.key(['year', 'dayOfYear', 'month', 'day'], (texts) => {
        const year = parseRowInteger(texts.year, 'year');
        return dayPeriod(dayOfYear < 0 ? dayOfMonth(year, texts) : dayOf(year, texts.dayOfYear));
      }),
    ],
    values: columns.flatMap((name, column): TableValue[] => {
      const described = header.parameters.get(name);
      if (described === undefined) return [];
      const resolve = (text: string): RowAnswer => {
        const value = parseRowNumber(text, name);
        return value === header.missing ? { notRead: `missing values (${header.missing})` } : { value };
      };
      return [
        { column, name, gives: resolveParameter(name, described, job.batch), figures: NO_FIGURES, resolve },
      ];
    }),
    constants: { region_id: resolveGridPoint(header, job) },
    notRead: columns.filter((name) => !(DATES.includes(name) || header.parameters.has(name))),
  });
}

/** @throws RowError when the year does not have the day */
function dayOf(year: number, text: string): number {
  const day = parseRowInteger(text, 'day of the year');
  const ms = utcDay(year, 1, day);
  if (yearOf(ms) !== year) throw new RowError(`day ${day} of ${year} is not in the calendar`);
  return ms;
}

/** @throws RowError when the month does not have the day */
function dayOfMonth(year: number, texts: { readonly month: string; readonly day: string }): number {
  const [month, day] = [parseRowInteger(texts.month, 'month'), parseRowInteger(texts.day, 'day')];
  const ms = calendarDay(year, month, day);
  if (ms === null) throw new RowError(`day ${day} of month ${month} of ${year} is not in the calendar`);
  return ms;
}

/** The header of a NASA POWER file. */
type PowerHeader = NonNullable<ReturnType<typeof parseHeader>>;

/**
 * The header at the beginning of a text: the place, the number that marks missing values, and description and unit of each
 * parameter by its name, `T2M`; null when it has no location.
 */
function parseHeader(sample: string) {
  const text = sample.split(HEADER_END)[0]!;
  const [, latitude, longitude] = /latitude\s+(-?[\d.]+)\s+longitude\s+(-?[\d.]+)/i.exec(text) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  const missing = /missing[^\n]*?:\s*(-?\d+(?:\.\d+)?)/i.exec(text)?.[1] ?? '-999';
  const parameters = new Map<string, { description: string; unit: string }>();
  for (const line of linesOf(text)) {
    const [, name, description, unit] = /^([A-Z][A-Z0-9_]+)\s+(.+?)\s*\(([^()]+)\)\s*$/.exec(line) ?? [];
    if (name !== undefined) parameters.set(name, { description: description!, unit: unit! });
  }
  const place = { latitude: Number(latitude), longitude: Number(longitude), isUtc: /\bin UTC\b/.test(text) };
  return { ...place, missing: Number(missing), parameters };
}

function resolveGridPoint(
  { latitude, longitude, isUtc }: PowerHeader,
  { batch, locator }: { readonly batch: BatchBuilder; readonly locator: Locator },
): number {
  // Days of UTC are other ones than those of local solar time, so their figures are no revisions.
  const days = isUtc ? ', days of UTC' : '';
  const identity = `POWER:${latitude},${longitude}${days}`;
  const name = `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}${days}`;
  const definition =
    'Place for which NASA POWER was asked; its figures are those of the grid cell around it.';
  const place = { name, definition, latitude, longitude, aliases: [identity] };
  return batch.addNamedEntity('regions', identity, pointRegion(place, locator));
}

const POWER_PARAMETERS = 'T2M,T2M_MAX,T2M_MIN,PRECTOTCORR,RH2M,PS,WS10M,ALLSKY_SFC_SW_DWN';

/** The days of a place; without the last date, until yesterday. */
function findPoint(request: string, { nowMs }: Finding): PlannedFile[] {
  const [latitude = '', longitude = '', from = '', to = formatDay(nowMs - DAY_MS), ...rest] = words(request);
  const isPlace = isWithin(latitude, 90) && isWithin(longitude, 180);
  if (!isPlace || !isInterval(from, to) || rest.length > 0) {
    throw new FetchRequestError(
      `"${request}" is not LATITUDE,LONGITUDE,FROM,TO, such as 42.0,-93.6,2020-01-01,2020-12-31`,
    );
  }
  const query = new URLSearchParams({
    parameters: POWER_PARAMETERS,
    community: 'AG',
    latitude,
    longitude,
    start: from.replaceAll('-', ''),
    end: to.replaceAll('-', ''),
    format: 'CSV',
    header: 'true',
  });
  return [{ address: `${ADDRESSES.powerDaily}?${query}`, name: `power_${latitude}_${longitude}.csv` }];
}

/** Parameters with the metric and the item of the vocabulary. */
const SHARED = new Map(
  readTable(`
    T2M | Temperature | Temperature mean
    T2M_MAX | Temperature | Temperature max
    T2M_MIN | Temperature | Temperature min
    PRECTOTCORR | Precipitation quantity | Precipitation
    RH2M | Relative humidity | Air
    PS | Air pressure | Air
    WS10M | Wind speed | Wind
    ALLSKY_SFC_SW_DWN | Solar radiation | Sunlight
  `).map(([name, metric, item]) => [name!, { metric_id: metricId(metric!), item_id: itemId(item!) }]),
);

/** Units by the header's text in lower case. Depth and energy per day are the day's totals. */
const UNITS = unitsByText(`
  c = °C; % = %; m/s = m/s; kpa = kPa; mm = mm; mm/day = mm; mm day-1 = mm; mj/m^2/day = MJ/m²; kw-hr/m^2/day = kWh/m²
`);

/** The metric, item and unit of a parameter; adds an item or unit of NASA POWER where the vocabulary has none. */
export function resolveParameter(
  name: string,
  { description, unit }: { description: string; unit: string },
  batch: BatchBuilder,
): { metric_id: number; item_id: number; unit_id: number } {
  const unit_id =
    UNITS.get(unit.toLowerCase()) ?? batch.addNamedEntity('units', `power:unit:${unit}`, sourceUnit(unit));
  const shared = SHARED.get(name);
  if (shared !== undefined) return { ...shared, unit_id };
  const definition = `Parameter ${name} of NASA POWER: ${description}.`;
  const item = { name: description, definition, belongsTo: [itemId('Weather variables')], aliases: [name] };
  const item_id = batch.addNamedEntity('items', `power:item:${name}`, item);
  return { metric_id: metricId('Weather'), item_id, unit_id };
}

/** Whether a text is a number of degrees within a bound. */
function isWithin(text: string, bound: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= bound;
}
