import { frequencyId } from '../../model/frequency.js';
import { utcDay } from '../../model/time.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { parseRowInteger, parseRowNumber } from '../reading/row-values.js';
import {
  findColumns,
  isTable,
  type RowReader,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { type CountryNames, loadCountryNames } from '../regions/names.js';
import { resolveRegionName } from '../regions/statistical-groups.js';
import { usdaReleaseMs } from '../usda/release.js';
import { SOURCES } from '../vocabulary/sources.js';
import { psdPeriod } from './marketing-years.js';
import { resolvePsdItem, resolvePsdMetric, resolvePsdUnit } from './measures.js';

const DATASET = 'psd';
const ANNUAL = frequencyId('annual');

/**
 * USDA FAS PSD Online: the CSV files of the download page (`psd_grains_pulses_csv.zip` …), with or without leading zeros
 * in codes. The month in which a row was last updated is its reporting date, and that month's release its available
 * date. Periods are the marketing years of country and commodity where known; trade years for attributes of trade years.
 */
export const psd: Importer = {
  dataset: DATASET,
  summary: 'USDA FAS PSD Online: production, supply and distribution (CSV or zip)',
  needsFiles: true,
  recognises: (beginning) => isTable([KIND], beginning),
  read: readPsd,
};

const KIND: TableKind = {
  name: 'a file of PSD Online',
  delimiter: ',',
  quotes: true,
  matches: (fields) => fields.includes('Commodity_Code') && fields.includes('Market_Year'),
};

async function* readPsd({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData([SOURCES.psd]);
  const batch = await BatchBuilder.create({ identities });
  const job = { batch, importedMs, countries: await loadCountryNames() };
  const format: TableFormat = {
    ...KIND,
    createRowReader: (header, { name }) => createRowReader(header, name, job),
  };
  yield* readTables({ dataset: DATASET, files, signal }, [format], batch);
}

interface PsdJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly countries: CountryNames;
}

const COLUMNS = {
  commodityCode: 'Commodity_Code',
  commodity: 'Commodity_Description',
  countryCode: 'Country_Code',
  country: 'Country_Name',
  marketYear: 'Market_Year',
  updatedYear: 'Calendar_Year',
  updatedMonth: 'Month',
  attributeId: 'Attribute_ID',
  attribute: 'Attribute_Description',
  unit: 'Unit_Description',
  value: 'Value',
} as const;

/** The trimmed text of a row's field. */
type ReadField = (field: keyof typeof COLUMNS) => string;

function createRowReader(header: readonly string[], file: string, job: PsdJob): RowReader {
  const at = findColumns(header, COLUMNS, { dataset: DATASET, file });
  return (fields) => addRow((field) => fields[at[field]]!.trim(), job);
}

function addRow(read: ReadField, { batch, importedMs, countries }: PsdJob): void {
  const updatedYear = parseRowInteger(read('updatedYear'), 'calendar year');
  const updated = updateTimes(updatedYear, parseRowInteger(read('updatedMonth'), 'month'));
  const [commodity, attribute, country] = [read('commodity'), read('attribute'), read('country')];
  if (country === '') throw new RowError('the country has no name');
  const key = {
    metric_id: resolvePsdMetric(parseRowInteger(read('attributeId'), 'attribute'), attribute, batch),
    item_id: resolvePsdItem(parseRowInteger(read('commodityCode'), 'commodity code'), commodity, batch),
    region_id: resolveRegionName(country, { countries, batch, dataset: DATASET }),
    partner_region_id: 0,
    source_id: SOURCES.psd.id,
    frequency_id: ANNUAL,
  };
  const marketYear = parseRowInteger(read('marketYear'), 'market year');
  const kind = attribute.startsWith('TY ') ? 'trade' : 'marketing';
  const value = read('value');
  batch.addPoint(key, {
    ...psdPeriod(marketYear, { commodity, country: read('countryCode') }, kind),
    value: value === '' ? null : parseRowNumber(value, 'value'),
    unitId: resolvePsdUnit(read('unit'), batch),
    reportingMs: updated.reportingMs,
    availableMs: Math.min(updated.availableMs, importedMs),
  });
}

/** Month 0, in some old rows, is an unknown month: these rows were available at the end of the year. */
function updateTimes(year: number, month: number): { reportingMs: number; availableMs: number } {
  if (month > 12 || year < 1900 || year > 9999)
    throw new RowError(`month ${month} of ${year} is not in the calendar`);
  if (month === 0) return { reportingMs: utcDay(year, 1, 1), availableMs: utcDay(year + 1, 1, 1) };
  return { reportingMs: utcDay(year, month, 1), availableMs: usdaReleaseMs(year, month) };
}
