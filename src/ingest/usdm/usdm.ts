import { frequencyId } from '../../model/frequency.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput, ImporterSettings } from '../importer.js';
import type { ValueColumns } from '../reading/row-sink.js';
import { parseRowNumber } from '../reading/row-values.js';
import {
  findColumns,
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
  const wanted = ['MapDate', ...places, ...CATEGORIES].map((column) => column.toLowerCase());
  return {
    name,
    delimiter: ',',
    quotes: true,
    matches: (fields) => {
      const present = new Set(fields.map((field) => field.toLowerCase()));
      return wanted.every((column) => present.has(column));
    },
  };
}

async function* readUsdm(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, signal } = input;
  yield* readReferenceData([SOURCES.droughtMonitor]);
  const batch = await BatchBuilder.create(input);
  const { regions } = await loadRegionTree();
  const counties = new DroughtCounties(new Map(regions.map((region) => [region.id, region])), batch);
  const job = { batch, importedMs, settings: settings ?? {} };
  const formats = [
    createFormat(COUNTIES, { fips: 'FIPS', county: 'County', state: 'State' }, job, (place) =>
      counties.resolve(place.fips, place.county, place.state),
    ),
    createFormat(STATES, { state: 'StateAbbreviation' }, job, (place) => resolveState(place.state)),
  ];
  yield* readTables({ dataset: DATASET, files, signal }, formats, batch);
}

interface UsdmJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly settings: ImporterSettings;
}

const DATE_COLUMNS = {
  mapDate: 'MapDate',
  validStart: 'ValidStart',
  validEnd: 'ValidEnd',
  format: 'StatisticFormatID',
} as const;

function createFormat<Place extends string>(
  kind: TableKind,
  placeColumns: Readonly<Record<Place, string>>,
  job: UsdmJob,
  resolve: (place: Readonly<Record<Place, string>>) => number,
): TableFormat {
  const known = [...Object.values<string>(placeColumns), ...Object.values(DATE_COLUMNS)];
  const createRowReader = (
    header: readonly string[],
    { name, sample }: { name: string; sample: string },
  ): RowReader => {
    const where = { dataset: DATASET, file: name };
    const placeAt = findColumns(header, placeColumns, where);
    const dateAt = findColumns(header, DATE_COLUMNS, where);
    const categoryAt = findColumns(header, Object.fromEntries(CATEGORIES.map((one) => [one, one])), where);
    const positions = CATEGORIES.map((category) => categoryAt[category]!);
    const totals = sampleTotals(sample, { positions, formatAt: dateAt.format, columns: header.length });
    const measure = DROUGHT_MEASURES[findStatistic(name, totals, job.settings.statistic)];
    return (fields) => {
      const { availableMs, ...week } = parseWeek((field) => fields[dateAt[field]]!.trim());
      const items = ITEMS.get(fields[dateAt.format]!.trim());
      if (items === undefined)
        throw new RowError(
          `the StatisticFormatID "${fields[dateAt.format]}" is neither 1, cumulative, nor 2, categorical`,
        );
      const names = Object.entries<number>(placeAt).map(([field, at]) => [field, fields[at]!.trim()]);
      const region_id = resolve(Object.fromEntries(names) as Record<Place, string>);
      for (const [i, at] of positions.entries()) {
        const text = fields[at]!.trim();
        if (text === '') {
          job.batch.skip('empty cells');
          continue;
        }
        const key = {
          metric_id: measure.metricId,
          item_id: items[i]!,
          region_id,
          partner_region_id: 0,
          source_id: SOURCES.droughtMonitor.id,
          frequency_id: WEEKLY,
        };
        job.batch.addPoint(key, {
          ...week,
          value: parseFigure(text, CATEGORIES[i]!, measure.isShare),
          unitId: measure.unitId,
          availableMs: Math.min(availableMs, job.importedMs),
        });
      }
    };
  };
  return { ...kind, createRowReader, valueColumns: (header) => valueColumns(header, known) };
}

function valueColumns(header: readonly string[], known: readonly string[]): ValueColumns {
  const described = new Set([...known, ...CATEGORIES].map((name) => name.toLowerCase()));
  const notRead = header.filter((name) => name !== '' && !described.has(name.toLowerCase()));
  return { read: CATEGORIES.length, notRead };
}

function parseFigure(text: string, category: string, isShare: boolean): number {
  const value = parseRowNumber(text, category);
  if (value < 0 || (isShare && value > 100.01))
    throw new RowError(`the ${category} "${text}" is not ${isShare ? 'a percentage' : 'an extent'}`);
  return value;
}
