import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import type { ImporterSettings, StationUnits } from '../../model/importing/job.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { sampleRows } from '../reading/peek.js';
import type { ValueColumns } from '../reading/row-sink.js';
import { parseRowDate } from '../reading/row-values.js';
import {
  findColumn,
  isTable,
  type RowReader,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { SOURCES } from '../vocabulary/sources.js';
import { applyQualityFlags, WEATHER_ELEMENTS, type WeatherElement } from '../weather/elements.js';
import { assertStationId, resolveStation, type StationContext } from '../weather/stations.js';

const DATASET = 'cdo';
const DAILY = frequencyId('daily');

/**
 * NOAA Climate Data Online: daily summaries as CSV, one row per station and day. The file does not name its units,
 * standard (°F, inches) or metric (°C, mm): they are detected by the number of decimals, unless the setting `units` gives
 * them. Columns of attributes, where the order included them, hold the flags of GHCN-Daily.
 */
export const cdo: Importer = {
  dataset: DATASET,
  summary: 'NOAA Climate Data Online: daily summaries (CSV)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => isTable([KIND], beginning),
  read: readCdo,
};

const KIND: TableKind = {
  name: 'a file of daily summaries of Climate Data Online',
  delimiter: ',',
  quotes: true,
  matches: (fields) => fields.includes('STATION') && fields.includes('DATE'),
};

async function* readCdo(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, signal } = input;
  yield* readReferenceData([SOURCES.climateDataOnline]);
  const batch = await BatchBuilder.create(input);
  const job = { batch, importedMs, settings: settings ?? {}, locator: await loadRegionLocator() };
  const format: TableFormat = {
    ...KIND,
    createRowReader: (header, text) => createRowReader(header, text, job),
    valueColumns,
  };
  yield* readTables({ dataset: DATASET, files, signal }, [format], batch);
}

interface CdoJob extends StationContext {
  readonly importedMs: number;
  readonly settings: ImporterSettings;
}

interface ElementColumn {
  readonly name: string;
  readonly at: number;
  readonly element: WeatherElement;
  /** Position of the column with the flags; -1 when there is none. */
  readonly attributesAt: number;
}

function createRowReader(
  header: readonly string[],
  text: { name: string; sample: string },
  job: CdoJob,
): RowReader {
  const where = { dataset: DATASET, file: text.name };
  const stationAt = findColumn(header, 'STATION', where);
  const dateAt = findColumn(header, 'DATE', where);
  const columns = findElementColumns(header);
  const units = job.settings.units ?? detectUnits(text, columns);
  const stations = createStationReader(header, job);
  return (fields) => {
    const ms = parseRowDate(fields[dateAt]!, 'date');
    const regionId = stations(fields[stationAt]!, fields);
    const valueJob = { ...job, ms, regionId, units };
    for (const column of columns) addValue(fields, column, valueJob);
  };
}

function findElementColumns(header: readonly string[]): ElementColumn[] {
  return header.flatMap((name, at) => {
    const element = WEATHER_ELEMENTS.get(name);
    return element === undefined
      ? []
      : [{ name, at, element, attributesAt: header.indexOf(`${name}_ATTRIBUTES`) }];
  });
}

/** Columns that say where and when; with those of attributes, they have no values. */
const DESCRIPTIONS = new Set([
  'STATION',
  'NAME',
  'STATION_NAME',
  'LATITUDE',
  'LONGITUDE',
  'ELEVATION',
  'DATE',
]);

function valueColumns(header: readonly string[]): ValueColumns {
  const values = header.filter((name) => !DESCRIPTIONS.has(name) && !name.endsWith('_ATTRIBUTES'));
  const notRead = values.filter((name) => !WEATHER_ELEMENTS.has(name));
  return { read: values.length - notRead.length, notRead };
}

/** Standard units have whole degrees and hundredths of inches; metric units have tenths of °C and mm. */
function detectUnits(
  { name, sample }: { name: string; sample: string },
  columns: readonly ElementColumn[],
): StationUnits {
  const rows = sampleRows(sample).slice(1, -1);
  const values = (wanted: RegExp): string[] =>
    columns
      .filter((column) => wanted.test(column.name))
      .flatMap(({ at }) => rows.map((fields) => (fields[at] ?? '').replaceAll('"', '').trim()))
      .filter((value) => value !== '');
  const precipitation = values(/^PRCP$/);
  const temperatures = values(/^T/);
  if (precipitation.some((value) => /\.\d\d$/.test(value))) return 'standard';
  if (precipitation.some((value) => /\.\d$/.test(value)) || temperatures.some((value) => value.includes('.')))
    return 'metric';
  if (temperatures.length > 0) return 'standard';
  const message = `the units of ${name} cannot be detected; set "units" to "standard" (°F, inches) or "metric" (°C, mm)`;
  throw new IngestError(DATASET, message, { file: name });
}

interface ValueJob extends CdoJob {
  readonly ms: number;
  readonly regionId: number;
  readonly units: StationUnits;
}

function addValue(
  fields: readonly string[],
  { at, element, attributesAt, name }: ElementColumn,
  job: ValueJob,
): void {
  const text = fields[at]!.trim();
  if (text === '') {
    job.batch.skip('empty cells');
    return;
  }
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RowError(`the ${name} "${text}" is not a number`);
  const [measurement = '', quality = ''] = (fields[attributesAt] ?? '').split(',').map((flag) => flag.trim());
  const key = {
    metric_id: element.metricId,
    item_id: element.itemId,
    region_id: job.regionId,
    partner_region_id: 0,
    source_id: SOURCES.climateDataOnline.id,
    frequency_id: DAILY,
  };
  job.batch.addPoint(key, {
    startMs: job.ms,
    endMs: job.ms,
    ...applyQualityFlags(Number(text), { measurement, quality }, job.settings.keepFlagged ?? false),
    unitId: job.units === 'metric' ? element.metricUnitId : element.standardUnitId,
    reportingMs: null,
    availableMs: job.importedMs,
  });
}

/** A reader of a row's station, with name and coordinates where the file has them. */
function createStationReader(
  header: readonly string[],
  job: CdoJob,
): (id: string, fields: readonly string[]) => number {
  const [nameAt, latitudeAt, longitudeAt] = ['NAME', 'LATITUDE', 'LONGITUDE'].map((name) =>
    header.indexOf(name),
  );
  const ids = new Map<string, number>();
  const put = (text: string, fields: readonly string[]): number => {
    const id = text.trim().replace(/^GHCND:/, '');
    assertStationId(id);
    const name = fields[nameAt!]?.trim() ?? '';
    const [latitude, longitude] = [degrees(fields[latitudeAt!]), degrees(fields[longitudeAt!])];
    const place =
      latitude === null || longitude === null ? { latitude: null, longitude: null } : { latitude, longitude };
    return resolveStation({ id, name, ...place, state: /, ([A-Z]{2}) US$/.exec(name)?.[1] ?? '' }, job);
  };
  return (text, fields) => getOrCompute(ids, text, () => put(text, fields));
}

function degrees(text: string | undefined): number | null {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}
