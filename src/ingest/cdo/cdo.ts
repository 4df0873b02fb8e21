import { dayPeriod } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import {
  applyQualityFlags,
  FLAGGED,
  resolveStation,
  type StationContext,
  WEATHER_ELEMENTS,
} from '../ghcnd/ghcnd.js';
import { parseRowDateOfAnyForm } from '../reading/dates.js';
import { splitRecords } from '../reading/delimited.js';
import { NO_FIGURES, planRows, TableFields, type TableValue } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { type Locator, loadRegionLocator } from '../regions/locate.js';
import { SOURCES } from '../vocabulary/sources.js';

const UNITS = { standard: '°F and inches', metric: '°C and mm', tenths: 'tenths of °C and mm' } as const;

/**
 * NOAA Climate Data Online: daily summaries as CSV, one row per station and day. The file does not name its units,
 * standard (°F, inches), metric (°C, mm) or tenths of metric ones: they are detected by the number of decimals, unless the
 * setting `units` gives them. Columns of attributes, where the order included them, hold the flags of GHCN-Daily; in older
 * files each flag has a column after that of the value.
 */
export const cdo = defineTables<{ readonly locator: Locator }>({
  name: 'cdo',
  summary: 'NOAA Climate Data Online: daily summaries (CSV)',
  sources: [SOURCES.climateDataOnline],
  frequency: 'daily',
  counts: 'values',
  settings: {
    units: {
      words: Object.keys(UNITS),
      description: 'the units of a file, if its decimals do not show them',
    },
    flagged: FLAGGED,
  },
  forms: [
    {
      name: 'a file of daily summaries of Climate Data Online',
      // The Global Summary of the Day has a station, a date and PRCP too, but also FRSHTT.
      matches: (fields) =>
        ['STATION', 'DATE'].every((name) => fields.includes(name)) && !fields.includes('FRSHTT'),
      plan: planSummaries,
    },
  ],
  prepare: async () => ({ locator: await loadRegionLocator() }),
});

/** Columns that say where and when; with those of attributes, they have no values. */
const DESCRIPTIONS = ['STATION', 'NAME', 'STATION_NAME', 'LATITUDE', 'LONGITUDE', 'ELEVATION', 'DATE'];
const FLAGS = ['Measurement Flag', 'Quality Flag'] as const;
/** The figure of a missing value in older files. */
const MISSING = -9999;

function planSummaries(table: OpenedTable, job: DatasetJob & StationContext) {
  const { header } = table;
  const { settings } = job;
  const fields = TableFields.of(table, {
    station: 'STATION',
    date: 'DATE',
    name: header.includes('NAME') ? 'NAME' : 'STATION_NAME?',
    latitude: 'LATITUDE?',
    longitude: 'LONGITUDE?',
  });
  const units = (settings.units as keyof typeof UNITS | undefined) ?? detectUnits(table);
  if (settings.units === undefined)
    job.batch.addNote(
      `${table.file} is read in ${UNITS[units]}, by its decimals; if it has others, give the setting "units"`,
    );
  return planRows({
    keys: [
      fields.key(['date'], ({ date }) => dayPeriod(parseRowDateOfAnyForm(date, 'date'))),
      fields.key(
        ['station'],
        ({ station, name, latitude, longitude }) => {
          const id = station.replace(/^GHCND:/, '');
          const state = /,? ([A-Z]{2}) US$/.exec(name)?.[1] ?? '';
          return { region_id: resolveStation({ id, name, ...placeOf(latitude, longitude), state }, job) };
        },
        ['name', 'latitude', 'longitude'],
      ),
    ],
    values: header.flatMap((name, column): TableValue | [] => {
      const element = WEATHER_ELEMENTS.get(name);
      if (element === undefined) return [];
      const { metricId, itemId, metricUnitId, standardUnitId, partsPerUnit } = element;
      const unit_id = units === 'standard' ? standardUnitId : metricUnitId;
      const divisor = units === 'tenths' ? partsPerUnit : 1;
      const attributes = header.indexOf(`${name}_ATTRIBUTES`);
      const flags = FLAGS.every((flag, i) => header[column + 1 + i] === flag) ? [column + 1, column + 2] : [];
      return {
        column,
        name,
        gives: { metric_id: metricId, item_id: itemId, unit_id },
        figures: NO_FIGURES,
        remarks: attributes < 0 ? flags : [attributes],
        empty: 'empty cells',
        resolve(text, remarks) {
          if (Number(text) === MISSING) return { notRead: `missing values (${MISSING})` };
          if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RowError(`the ${name} "${text}" is not a number`);
          const [measurement = '', quality = ''] = remarks
            .join()
            .split(',')
            .map((flag) => flag.trim());
          const value = Number(text) / divisor;
          return applyQualityFlags(value, { measurement, quality }, settings.flagged);
        },
      };
    }),
    notRead: header.filter(
      (name) => !(DESCRIPTIONS.includes(name) || name.endsWith('_ATTRIBUTES') || WEATHER_ELEMENTS.has(name)),
    ),
  });
}

/**
 * Standard units have whole degrees and hundredths of inches; metric units have tenths of °C and mm. NCEI's files by station
 * have whole numbers of tenths. Zeros alone say nothing: a spreadsheet drops their decimals.
 */
function detectUnits({ dataset, file, header, sample }: OpenedTable): keyof typeof UNITS {
  // The last row of the sample may be cut off.
  const whole = sample.slice(0, sample.lastIndexOf('\n') + 1);
  const rows = [...splitRecords(whole, 1, { delimiter: ',', quotes: true })].slice(1);
  const values = (wanted: RegExp): string[] =>
    header
      .flatMap((name, at) => (wanted.test(name) ? rows.map(({ fields }) => (fields[at] ?? '').trim()) : []))
      .filter((value) => value !== '' && Number(value) !== MISSING);
  const precipitation = values(/^PRCP$/);
  const temperatures = values(/^T(MAX|MIN|AVG|OBS)$/);
  if (precipitation.some((value) => /\.\d\d$/.test(value))) return 'standard';
  const hasDecimals = precipitation.some((value) => value.includes('.'));
  if (temperatures.some((value) => value.includes('.')) || (hasDecimals && temperatures.length === 0))
    return 'metric';
  if (!hasDecimals && precipitation.some((value) => Number(value) > 0)) return 'tenths';
  const message = `the units of ${file} cannot be detected; give the setting "units": standard (°F, inches), metric (°C, mm) or tenths of metric ones`;
  throw new IngestError(dataset, message, { file });
}

/** The coordinates of a station; null unless both are known. */
function placeOf(latitude: string, longitude: string) {
  const [north, east] = [latitude, longitude].map((text) => (text === '' ? Number.NaN : Number(text)));
  const isKnown = !Number.isNaN(north! + east!);
  return { latitude: isKnown ? north! : null, longitude: isKnown ? east! : null };
}
