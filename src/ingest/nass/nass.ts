import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import {
  findColumns,
  hasColumns,
  isTable,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionTree } from '../regions/tree.js';
import { SOURCES } from '../vocabulary/sources.js';
import { NassRegions } from './regions.js';
import { type NassJob, type NassRow, planNassRows } from './rows.js';

const DATASET = 'nass';

/**
 * USDA NASS Quick Stats: bulk files (tab-separated, 39 columns, usually gzip), answers of the API (the same columns as CSV
 * or JSON) and exports of the web page (CSV, 21 columns). Surveys and censuses are two sources. The load time is the
 * reporting date and the available date; figures of web exports have no reporting date, and are available from their
 * import.
 */
export const nass: Importer = {
  dataset: DATASET,
  summary:
    'USDA NASS Quick Stats: bulk files (qs.*.txt.gz), answers of the API (CSV or JSON), exports of the web page (CSV)',
  needsFiles: true,
  recognises: (beginning) => isTable(KINDS, beginning),
  read: readNass,
};

async function* readNass({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData([SOURCES.nassSurvey, SOURCES.nassCensus]);
  const { byId } = await loadRegionTree();
  const batch = await BatchBuilder.create({ identities });
  const job = { batch, importedMs, regions: new NassRegions(byId, batch), owners: new Map() };
  const formats = KINDS.map((kind) => createFormat(kind, job));
  yield* readTables({ dataset: DATASET, files, signal }, formats, batch);
}

type ColumnNames = Readonly<Record<keyof NassRow, string | null>>;

/** The columns of each format; null where it has none. */
const BULK_COLUMNS: ColumnNames = {
  program: 'SOURCE_DESC',
  commodity: 'COMMODITY_DESC',
  shortDesc: 'SHORT_DESC',
  domain: 'DOMAIN_DESC',
  domainCategory: 'DOMAINCAT_DESC',
  unit: 'UNIT_DESC',
  level: 'AGG_LEVEL_DESC',
  state: 'STATE_NAME',
  stateFips: 'STATE_FIPS_CODE',
  district: 'ASD_DESC',
  districtCode: 'ASD_CODE',
  county: 'COUNTY_NAME',
  countyFips: 'COUNTY_CODE',
  location: 'LOCATION_DESC',
  year: 'YEAR',
  period: 'REFERENCE_PERIOD_DESC',
  weekEnding: 'WEEK_ENDING',
  loadTime: 'LOAD_TIME',
  value: 'VALUE',
  variation: 'CV_%',
  zip: null,
  watershed: null,
  region: null,
};

const EXPORT_COLUMNS: ColumnNames = {
  program: 'Program',
  commodity: 'Commodity',
  shortDesc: 'Data Item',
  domain: 'Domain',
  domainCategory: 'Domain Category',
  unit: null,
  level: 'Geo Level',
  state: 'State',
  stateFips: 'State ANSI',
  district: 'Ag District',
  districtCode: 'Ag District Code',
  county: 'County',
  countyFips: 'County ANSI',
  location: null,
  year: 'Year',
  period: 'Period',
  weekEnding: 'Week Ending',
  loadTime: null,
  value: 'Value',
  variation: 'CV (%)',
  zip: 'Zip Code',
  watershed: 'Watershed',
  region: 'Region',
};

interface QuickStatsKind extends TableKind {
  readonly columns: (header: readonly string[]) => ColumnNames;
}

const BULK: QuickStatsKind = {
  name: 'a bulk file of Quick Stats',
  delimiter: '\t',
  quotes: false,
  matches: hasBulkColumns,
  columns: bulkColumns,
};

const API_CSV: QuickStatsKind = {
  name: 'an answer of the Quick Stats API in CSV',
  delimiter: ',',
  quotes: true,
  matches: hasBulkColumns,
  columns: bulkColumns,
};

const API_JSON: QuickStatsKind = { ...API_CSV, name: 'one in JSON', json: true };

const EXPORT: QuickStatsKind = {
  name: 'an export of the Quick Stats web page',
  delimiter: ',',
  quotes: true,
  matches: (fields) => fields.includes('Data Item') && fields.includes('Ag District Code'),
  columns: () => EXPORT_COLUMNS,
};

const KINDS = [BULK, API_CSV, API_JSON, EXPORT];

function hasBulkColumns(fields: readonly string[]): boolean {
  return hasColumns(fields, ['SHORT_DESC', 'LOAD_TIME']);
}

/** The coefficient of variation is `CV_%` in bulk files, `CV (%)` in the API's answers, and `CV....` once R has read them. */
function bulkColumns(header: readonly string[]): ColumnNames {
  const variation = header.find((name) => /^CV\W/i.test(name));
  return { ...BULK_COLUMNS, variation: variation ?? BULK_COLUMNS.variation };
}

function createFormat(kind: QuickStatsKind, job: NassJob): TableFormat {
  return {
    ...kind,
    planRows(header, { name }) {
      const columns = findColumns(header, kind.columns(header), { dataset: DATASET, file: name });
      return planNassRows(columns, job);
    },
  };
}
