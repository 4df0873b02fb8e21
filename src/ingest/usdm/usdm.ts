import { REGION_LEVELS } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { RowAnswer, RowKey } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetForm, type DatasetJob, defineDataset } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  isDate,
  isInterval,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { splitRecords } from '../reading/delimited.js';
import { parseRowDateOfAnyForm, parseRowNumber } from '../reading/row-values.js';
import { NO_FIGURES, planRows, TableFields } from '../reading/table-plan.js';
import { findColumn, hasColumns, type OpenedTable } from '../reading/tables.js';
import type { RowPlan } from '../reading/text-rows.js';
import { usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { otherRegion } from '../regions/names.js';
import { loadRegionTree } from '../regions/tree.js';
import { STATE_IDS_BY_ABBREVIATION } from '../regions/united-states.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';

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

const DATES = {
  mapDate: 'MapDate',
  validStart: 'ValidStart',
  validEnd: 'ValidEnd',
  format: 'StatisticFormatID',
} as const;
const COUNTY = { fips: 'FIPS', county: 'County', state: 'State' } as const;
const STATE = { state: 'StateAbbreviation' } as const;

/**
 * US Drought Monitor: comprehensive statistics of counties or states as CSV, one row a week and place. A week is from
 * the map's Tuesday to the next Monday; the Thursday of its release is the reporting date. Cumulative figures (D1 or
 * worse) and categorical ones (D1 alone) have different items. The columns are the same for area, population and their
 * percentages: the setting `statistic`, or the file's name, says which of them the figures are.
 */
export const usdm = defineDataset<Regions>({
  name: 'usdm',
  summary: 'US Drought Monitor: weekly statistics of counties and states (CSV)',
  sources: [SOURCES.droughtMonitor],
  counts: 'values',
  forms: [
    createForm('statistics of counties of the US Drought Monitor', COUNTY, (table, job) =>
      TableFields.of(table, COUNTY).key(['fips', 'county', 'state'], ['region_id'], (county) => ({
        region_id: resolveCounty(county, job),
      })),
    ),
    createForm('of its states', STATE, (table) =>
      TableFields.of(table, STATE).key(['state'], ['region_id'], ({ state }) => ({
        region_id: resolveState(state),
      })),
    ),
  ],
  prepare: loadRegionTree,
  fetch: { takes: 'STATES or COUNTIES,FROM,TO, such as IA,2020-01-01,2020-12-31', find: findDrought },
});

type Regions = Pick<Awaited<ReturnType<typeof loadRegionTree>>, 'byId'>;

function createForm(
  name: string,
  places: Readonly<Record<string, string>>,
  keyOf: (table: OpenedTable, job: DatasetJob & Regions) => RowKey,
): DatasetForm<Regions> {
  return {
    name,
    matches: (fields) => hasColumns(fields, ['MapDate', ...Object.values(places), ...CATEGORIES]),
    plan: (table, job) =>
      planStatistics(table, job, { places: Object.values(places), place: keyOf(table, job) }),
  };
}

function planStatistics(
  table: OpenedTable,
  { importedMs, settings }: DatasetJob,
  { places, place }: { places: readonly string[]; place: RowKey },
): RowPlan {
  const { header, sample, file } = table;
  const fields = TableFields.of(table, DATES);
  const categories = CATEGORIES.map((name) => ({ name, column: findColumn(header, name, table) }));
  const totals = sampleTotals(sample, {
    positions: categories.map(({ column }) => column),
    formatAt: fields.at.format,
    columns: header.length,
  });
  const { metricId, unitId, isShare } = DROUGHT_MEASURES[findStatistic(file, totals, settings.statistic)];
  const read = [...places, ...Object.values(DATES), ...CATEGORIES].map((name) => name.toLowerCase());
  return planRows({
    keys: [
      fields.key(
        ['mapDate', 'validStart', 'validEnd'],
        ['startMs', 'endMs', 'reportingMs', 'availableMs'],
        (dates) => answerWeek(dates, importedMs),
      ),
      fields.key(['format'], [], ({ format }) => {
        if (ITEMS.has(format)) return {};
        throw new RowError(`the StatisticFormatID "${format}" is neither 1, cumulative, nor 2, categorical`);
      }),
      place,
    ],
    values: categories.map(({ name, column }, i) => ({
      column,
      name,
      figures: isShare ? NO_FIGURES : EXTENTS,
      resolve: (text) => answerFigure(text, name, isShare),
      keys: [fields.key(['format'], ['item_id'], ({ format }) => ({ item_id: ITEMS.get(format)![i]! }))],
    })),
    constants: {
      metric_id: metricId,
      unit_id: unitId,
      partner_region_id: 0,
      source_id: SOURCES.droughtMonitor.id,
      frequency_id: frequencyId('weekly'),
    },
    notRead: header
      .map((name, at) => name || `column ${at + 1}`)
      .filter((name) => !read.includes(name.toLowerCase())),
  });
}

/** Figures that are not negative. */
const EXTENTS = { plain: '[0-9]+([.][0-9]+)?', decimal: '.', thousands: '' } as const;

function answerFigure(text: string | null, category: string, isShare: boolean): RowAnswer {
  if (text === null) return {};
  if (text === '') return { notRead: 'empty cells' };
  const value = parseRowNumber(text, category);
  if (value < 0 || (isShare && value > 100.01))
    throw new RowError(`the ${category} "${text}" is not ${isShare ? 'a percentage' : 'an extent'}`);
  return { value };
}

/** Released on the Thursday after the map's Tuesday, at 8:30 Washington time, which is 13:30 UTC at the latest. */
const RELEASE_DAYS = 2;
const RELEASE_TIME_MS = 13.5 * 3_600_000;

/** @throws RowError when a date is not in the calendar, or the dates contradict each other */
function answerWeek(
  { mapDate, validStart, validEnd }: Readonly<Record<'mapDate' | 'validStart' | 'validEnd', string>>,
  importedMs: number,
): RowAnswer {
  const mapMs = parseRowDateOfAnyForm(mapDate, 'map date');
  const startMs = parseRowDateOfAnyForm(validStart, 'start of validity');
  const endMs = parseRowDateOfAnyForm(validEnd, 'end of validity');
  if (endMs < startMs) throw new RowError('the end of validity is before its start');
  if (mapMs < startMs || mapMs > endMs) throw new RowError('the map date is not in the time of validity');
  const reportingMs = mapMs + RELEASE_DAYS * DAY_MS;
  return { startMs, endMs, reportingMs, availableMs: Math.min(reportingMs + RELEASE_TIME_MS, importedMs) };
}

/** The region of a state or territory by its postal abbreviation. @throws RowError when it is unknown */
function resolveState(abbreviation: string): number {
  const id = STATE_IDS_BY_ABBREVIATION.get(abbreviation);
  if (id === undefined) throw new RowError(`the state "${abbreviation}" is unknown`);
  return id;
}

/**
 * The region of a county by its FIPS code; adds counties that are not in the region tree, such as former ones.
 * @throws RowError when the code is not that of a county of the state
 */
function resolveCounty(
  { fips, county, state }: Readonly<Record<keyof typeof COUNTY, string>>,
  { byId, batch }: Regions & { readonly batch: BatchBuilder },
): number {
  const stateId = resolveState(state);
  if (!/^\d{4,5}$/.test(fips)) throw new RowError(`the FIPS code "${fips}" is not a number of five digits`);
  const code = Number(fips);
  if (usStateRegionId(Math.floor(code / 1000)) !== stateId)
    throw new RowError(`the FIPS code "${fips}" is not one of the state "${state}"`);
  const id = usCountyRegionId(code);
  if (byId.has(id)) return id;
  if (county === '') throw new RowError('the county has no name');
  const region = otherRegion({
    name: `${county}, ${byId.get(stateId)!.name}`,
    definition: `County or equivalent as the US Drought Monitor lists it; FIPS ${String(id).slice(1)}.`,
    belongsTo: [stateId],
  });
  batch.addEntity('regions', { ...region, id, level: REGION_LEVELS.district });
  return id;
}

/** Cumulative percentages of the area of states, or of counties by FIPS; without the last date, until today. */
function findDrought(request: string, { nowMs }: Finding): PlannedFile[] {
  const given = words(request);
  const places = given.filter((word) => !isDate(word));
  const [from = '', to = formatDay(nowMs), ...rest] = given.filter(isDate);
  const areStates = places.every((place) => /^[A-Za-z]{2}$/.test(place));
  const areCounties = places.every((place) => /^\d{5}$/.test(place));
  if (places.length === 0 || !(areStates || areCounties) || !isInterval(from, to) || rest.length > 0) {
    throw new FetchRequestError(
      `"${request}" is not states or counties (FIPS) and dates, such as IA,MN,2020-01-01,2020-12-31`,
    );
  }
  const operation = `${areStates ? 'State' : 'County'}Statistics/GetDroughtSeverityStatisticsByAreaPercent`;
  const query = new URLSearchParams({
    aoi: places.join(',').toUpperCase(),
    startdate: americanDate(from),
    enddate: americanDate(to),
    statisticsType: '1',
  });
  // The importer reads in the name what the figures count.
  const name = `usdm_ByAreaPercent_${places.join('_').toUpperCase()}.csv`;
  return [{ address: `${ADDRESSES.usdmService}${operation}?${query}`, name }];
}

function americanDate(text: string): string {
  const [year, month, day] = text.split('-').map(Number);
  return `${month}/${day}/${year}`;
}

/** What the figures of a file count. */
type DroughtStatistic = NonNullable<ImporterSettings['statistic']>;

/** How the figures of a statistic are stored. */
interface DroughtMeasure {
  readonly metricId: number;
  readonly unitId: number;
  readonly isShare: boolean;
}

function measure(metric: string, unit: string): DroughtMeasure {
  return { metricId: metricId(metric), unitId: unitId(unit), isShare: unit === '%' };
}

const DROUGHT_MEASURES: Readonly<Record<DroughtStatistic, DroughtMeasure>> = {
  area: measure('Drought area', 'sq mi'),
  'area-percent': measure('Drought area share', '%'),
  population: measure('Drought population', 'people'),
  'population-percent': measure('Drought population share', '%'),
};

/** Names of the service's operations, which files that are saved from it often have in theirs. */
const NAMED: readonly (readonly [RegExp, DroughtStatistic])[] = [
  [/ByAreaPercent/i, 'area-percent'],
  [/ByPopulationPercent/i, 'population-percent'],
  [/ByArea/i, 'area'],
  [/ByPopulation/i, 'population'],
];

/**
 * What the figures of a file count. All four statistics have the same columns, so the setting says it, or the name of
 * the service's operation in the name of the file. Figures that add up to 100 in most rows are shares.
 * @param totals what the categories of each of the first rows add up to
 * @throws IngestError when neither says it, they disagree, or the figures contradict it
 */
function findStatistic(
  file: string,
  totals: readonly number[],
  setting: DroughtStatistic | undefined,
): DroughtStatistic {
  const named = NAMED.find(([name]) => name.test(file))?.[1];
  if (setting !== undefined && named !== undefined && setting !== named)
    throw statisticError(file, `its name says "${named}", but the setting "statistic" is "${setting}"`);
  const statistic = setting ?? named;
  if (statistic === undefined)
    throw statisticError(
      file,
      `its name does not say the quantity of its figures; set "statistic" to ${CHOICES}`,
    );
  if (totals.length === 0) return statistic;
  const areShares = 2 * totals.filter(isWhole).length > totals.length;
  const { isShare } = DROUGHT_MEASURES[statistic];
  if (areShares === isShare) return statistic;
  const found = areShares
    ? 'add up to 100, as percentages do'
    : `do not add up to 100, but for example to ${totals.find((total) => !isWhole(total))}`;
  throw statisticError(file, `its figures ${found}, so they are not of the statistic "${statistic}"`);
}

/** Six figures with two decimals each, all of which may be rounded up. */
const MAX_ROUNDING = 0.05;

function isWhole(total: number): boolean {
  return Math.abs(total - 100) <= MAX_ROUNDING;
}

const CHOICES = '"area", "area-percent", "population" or "population-percent"';

function statisticError(file: string, what: string): IngestError {
  return new IngestError('usdm', `the statistic of ${file} is not clear: ${what}`, { file });
}

interface SampleColumns {
  /** Of None and the categories. */
  readonly positions: readonly number[];
  readonly formatAt: number;
  /** Number of all columns. */
  readonly columns: number;
}

/** What the categories of each row of a sample add up to; cumulative ones up to D0, which includes the others. */
function sampleTotals(sample: string, { positions, formatAt, columns }: SampleColumns): readonly number[] {
  const rows = [...splitRecords(sample, 1, { delimiter: ',', quotes: true })]
    .map(({ fields }) => fields.map((field) => field.replace(/["\s,]/g, '')))
    .filter((fields) => fields.length === columns && /^[12]$/.test(fields[formatAt]!));
  return rows
    .map((fields) => positions.slice(0, fields[formatAt] === '1' ? 2 : 6).map((at) => fields[at]!))
    .filter((texts) => texts.every((text) => /^\d+(\.\d+)?$/.test(text)))
    .map((texts) => texts.reduce((sum, text) => sum + Number(text), 0));
}
