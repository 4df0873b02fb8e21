import { frequencyId } from '../../model/frequency.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { parseRowNumber } from '../reading/row-values.js';
import {
  findColumn,
  findColumns,
  hasColumns,
  isTable,
  type RowReader,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionTree } from '../regions/tree.js';
import { itemId } from '../vocabulary/items.js';
import { SOURCES } from '../vocabulary/sources.js';
import { DroughtCounties, resolveState } from './regions.js';
import { DROUGHT_MEASURES, findStatistic, sampleTotals } from './statistics.js';
import { parseWeek } from './weeks.js';

const DATASET = 'usdm';
const WEEKLY = frequencyId('weekly');

/**
 * US Drought Monitor: comprehensive statistics of counties or states as CSV, one row a week and place. A week is from
 * the map's Tuesday to the next Monday; the Thursday of its release is the reporting date. Cumulative figures (D1 or
 * worse) and categorical ones (D1 alone) have different items. The columns are the same for area, population and their
 * percentages: the setting `statistic`, or the file's name, says which of them the figures are.
 */
export const usdm: Importer = {
  dataset: DATASET,
  summary: 'US Drought Monitor: weekly statistics of counties and states (CSV)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => isTable([COUNTIES, STATES], beginning),
  read: readUsdm,
};

const CATEGORIES = ['None', 'D0', 'D1', 'D2', 'D3', 'D4'] as const;

/** The items of the categories by `StatisticFormatID`: 1 is cumulative, 2 categorical. None and D4 are the same in both. */
const ITEMS: ReadonlyMap<string, readonly number[]> = new Map([
  [
    '1',
    [
      'No drought',
      'Abnormally dry or worse (D0-D4)',
      'Moderate drought or worse (D1-D4)',
      'Severe drought or worse (D2-D4)',
      'Extreme drought or worse (D3-D4)',
      'Exceptional drought (D4)',
    ].map(itemId),
  ],
  [
    '2',
    [
      'No drought',
      'Abnormally dry (D0)',
      'Moderate drought (D1)',
      'Severe drought (D2)',
      'Extreme drought (D3)',
      'Exceptional drought (D4)',
    ].map(itemId),
  ],
]);

const COUNTIES = createKind('statistics of counties of the US Drought Monitor', ['FIPS', 'County', 'State']);
const STATES = createKind('of its states', ['StateAbbreviation']);

function createKind(name: string, places: readonly string[]): TableKind {
  return {
    name,
    delimiter: ',',
    quotes: true,
    matches: (fields) => hasColumns(fields, ['MapDate', ...places, ...CATEGORIES]),
  };
}

async function* readUsdm(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings = {}, signal } = input;
  yield* readReferenceData([SOURCES.droughtMonitor]);
  const batch = await BatchBuilder.create(input);
  const { byId } = await loadRegionTree();
  const counties = new DroughtCounties(byId, batch);
  const job = { batch, importedMs, settings };
  const formats = [
    createFormat(COUNTIES, job, {
      columns: { fips: 'FIPS', county: 'County', state: 'State' },
      resolve: ({ fips, county, state }) => counties.resolve(fips, county, state),
    }),
    createFormat(STATES, job, {
      columns: { state: 'StateAbbreviation' },
      resolve: ({ state }) => resolveState(state),
    }),
  ];
  yield* readTables({ dataset: DATASET, files, signal }, formats, batch);
}

interface UsdmJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly settings: ImporterSettings;
}

/** The columns that name a row's place, and its region. */
interface Places<Field extends string> {
  readonly columns: Readonly<Record<Field, string>>;
  resolve(place: Readonly<Record<Field, string>>): number;
}

const DATE_COLUMNS = {
  mapDate: 'MapDate',
  validStart: 'ValidStart',
  validEnd: 'ValidEnd',
  format: 'StatisticFormatID',
} as const;

function createFormat<Field extends string>(
  kind: TableKind,
  job: UsdmJob,
  places: Places<Field>,
): TableFormat {
  const known = [...Object.values<string>(places.columns), ...Object.values(DATE_COLUMNS), ...CATEGORIES];
  const described = new Set(known.map((name) => name.toLowerCase()));
  return {
    ...kind,
    createRowReader: (header, text) => createRowReader(header, text, { ...job, places }),
    valueColumns: (header) => ({
      read: CATEGORIES.length,
      notRead: header
        .map((name, at) => name || `column ${at + 1}`)
        .filter((name) => !described.has(name.toLowerCase())),
    }),
  };
}

function createRowReader<Field extends string>(
  header: readonly string[],
  { name, sample }: { readonly name: string; readonly sample: string },
  { batch, importedMs, settings, places }: UsdmJob & { readonly places: Places<Field> },
): RowReader {
  const where = { dataset: DATASET, file: name };
  const placeAt = Object.entries<number>(findColumns(header, places.columns, where));
  const dateAt = findColumns(header, DATE_COLUMNS, where);
  const categories = CATEGORIES.map((category) => ({ category, at: findColumn(header, category, where) }));
  const positions = categories.map(({ at }) => at);
  const totals = sampleTotals(sample, { positions, formatAt: dateAt.format, columns: header.length });
  const measure = DROUGHT_MEASURES[findStatistic(name, totals, settings.statistic)];
  return (fields) => {
    const read = (at: number): string => fields[at]!.trim();
    const { availableMs, ...week } = parseWeek((field) => read(dateAt[field]));
    const items = itemsOf(read(dateAt.format));
    const place = Object.fromEntries(placeAt.map(([field, at]) => [field, read(at)]));
    const key = {
      metric_id: measure.metricId,
      region_id: places.resolve(place as Record<Field, string>),
      partner_region_id: 0,
      source_id: SOURCES.droughtMonitor.id,
      frequency_id: WEEKLY,
    };
    const times = { ...week, availableMs: Math.min(availableMs, importedMs) };
    for (const [i, { category, at }] of categories.entries()) {
      const text = read(at);
      if (text === '') batch.skip('empty cells');
      else {
        const value = parseFigure(text, category, measure.isShare);
        batch.addPoint({ ...key, item_id: items[i]! }, { ...times, value, unitId: measure.unitId });
      }
    }
  };
}

function itemsOf(format: string): readonly number[] {
  const items = ITEMS.get(format);
  if (items !== undefined) return items;
  throw new RowError(`the StatisticFormatID "${format}" is neither 1, cumulative, nor 2, categorical`);
}

function parseFigure(text: string, category: string, isShare: boolean): number {
  const value = parseRowNumber(text, category);
  if (value < 0 || (isShare && value > 100.01))
    throw new RowError(`the ${category} "${text}" is not ${isShare ? 'a percentage' : 'an extent'}`);
  return value;
}
