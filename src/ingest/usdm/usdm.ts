import { REGION_LEVELS } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  isDate,
  isInterval,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { parseRowDateOfAnyForm } from '../reading/dates.js';
import { splitRecords } from '../reading/delimited.js';
import { parseRowNumber } from '../reading/row-values.js';
import { FIGURES, NO_FIGURES, planRows, TableFields } from '../reading/table-plan.js';
import { findColumn, hasColumns, type OpenedTable } from '../reading/tables.js';
import {
  countryRegionId,
  STATE_IDS_BY_ABBREVIATION,
  usCountyRegionId,
  usStateRegionId,
} from '../regions/ids.js';
import { otherRegion } from '../regions/names.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { listed, readTable } from '../vocabulary/text-table.js';
import { unitId } from '../vocabulary/units.js';

/** The categories, with their items in cumulative figures and in categorical ones. */
const CATEGORIES = readTable(`
  None | No drought | No drought
  D0 | Abnormally dry or worse (D0-D4) | Abnormally dry (D0)
  D1 | Moderate drought or worse (D1-D4) | Moderate drought (D1)
  D2 | Severe drought or worse (D2-D4) | Severe drought (D2)
  D3 | Extreme drought or worse (D3-D4) | Extreme drought (D3)
  D4 | Exceptional drought (D4) | Exceptional drought (D4)
`).map(([name, ...items]) => ({ name: name!, items: items.map(itemId) }));
/**
 * The `StatisticFormatID` of cumulative figures and of categorical ones, as the web service numbers them
 * (https://droughtmonitor.unl.edu/DmData/DataDownload/WebServiceInfo.aspx).
 */
const FORMATS = ['1', '2'];

/**
 * The quantity of the figures of a file, with the name of the service's operation, which saved files often have in
 * theirs.
 */
const STATISTICS = readTable(`
  area-percent | ByAreaPercent | Drought area share | %
  population-percent | ByPopulationPercent | Drought population share | %
  area | ByArea | Drought area | sq mi
  population | ByPopulation | Drought population | people
`).map(([name, operation, metric, unit]) => ({
  name,
  operation: new RegExp(operation!, 'i'),
  ids: { metric_id: metricId(metric!), unit_id: unitId(unit!) },
  isShare: unit === '%',
}));

const DATES = {
  mapDate: 'MapDate',
  validStart: 'ValidStart',
  validEnd: 'ValidEnd',
  format: 'StatisticFormatID',
} as const;
const COUNTY = { fips: 'FIPS', county: 'County', state: 'State' } as const;
const STATE = { fips: null, county: null, state: 'StateAbbreviation' } as const;

/**
 * Finds the columns of the place. Statistics of areas other than counties and states have one or two columns named for
 * the kind of area: `AreaOfInterest`, or `HUCId` and `HUC`.
 */
function findPlaces(header: readonly string[]) {
  if (hasColumns(header, Object.values(COUNTY))) return { ...COUNTY, area: null, code: null };
  if (hasColumns(header, [STATE.state])) return { ...STATE, area: null, code: null };
  const [first, last] = ['mapdate', 'none'].map((name) =>
    header.findIndex((one) => one.toLowerCase() === name),
  );
  const columns = header.slice(first! + 1, last);
  const code = columns.find((name) => /(id|code)$/i.test(name)) ?? null;
  const [area = code, ...others] = columns.filter((name) => name !== code);
  return others.length > 0 || area === null ? undefined : { ...STATE, state: null, area, code };
}

/**
 * US Drought Monitor: comprehensive statistics of counties, states, the nation or other areas as CSV, with one row per
 * week and place. A week runs from the map's Tuesday to the next Monday. The reporting date is the Thursday of the
 * release. Cumulative figures (D1 or worse) and categorical ones (D1 alone) have different items. Area, population and
 * their percentages have the same columns, so the setting `statistic` or the file's name says which of them the figures
 * are.
 */
export const usdm = defineTables<RegionTree>({
  name: 'usdm',
  summary: 'US Drought Monitor: weekly statistics of counties, states, the nation and other areas (CSV)',
  sources: [SOURCES.droughtMonitor],
  frequency: 'weekly',
  counts: 'values',
  forms: [
    {
      name: 'statistics of the US Drought Monitor, with the columns of the place after "MapDate"',
      matches: (header) =>
        hasColumns(header, [...Object.values(DATES), ...CATEGORIES.map(({ name }) => name)]) &&
        findPlaces(header) !== undefined,
      plan: planStatistics,
    },
  ],
  prepare: loadRegionTree,
  fetch: { takes: 'STATES or COUNTIES,FROM,TO, such as IA,2020-01-01,2020-12-31', find: findDrought },
});

function planStatistics(table: OpenedTable, job: DatasetJob & RegionTree) {
  const { header } = table;
  const places = findPlaces(header)!;
  const fields = TableFields.of(table, { ...DATES, ...places });
  const columns = CATEGORIES.map(({ name }) => findColumn(header, name, table));
  const totals = sampleTotals(table, columns, fields.at.format);
  const { ids, isShare } = findStatistic(table.file, totals, job.settings.statistic);
  const read = new Set([...Object.values(fields.at), ...columns]);
  return planRows({
    keys: [
      fields.key(['mapDate', 'validStart', 'validEnd'], answerWeek),
      fields.key(['format'], ({ format }) => {
        if (FORMATS.includes(format)) return {};
        throw new RowError(`the StatisticFormatID "${format}" is neither 1, cumulative, nor 2, categorical`);
      }),
      fields.key(['fips', 'county', 'state', 'area', 'code'], ({ area, code, ...place }) => {
        if (places.fips !== null) return { region_id: resolveCounty(place, job) };
        if (places.area === null) return { region_id: resolveState(place.state) };
        return { region_id: resolveArea({ kind: places.area, area, code }, job.batch) };
      }),
    ],
    values: CATEGORIES.map(({ name, items }, i) => ({
      column: columns[i]!,
      name,
      figures: isShare ? NO_FIGURES : { ...FIGURES, plain: '[0-9]+([.][0-9]+)?' },
      empty: 'empty cells',
      resolve: (text) => answerFigure(text, name, isShare),
      keys: [fields.key(['format'], ({ format }) => ({ item_id: items[FORMATS.indexOf(format)]! }))],
    })),
    constants: ids,
    notRead: header.flatMap((name, at) => (read.has(at) ? [] : name || `column ${at + 1}`)),
  });
}

function answerFigure(text: string, category: string, isShare: boolean): RowAnswer {
  const value = parseRowNumber(text, category);
  if (value < 0 || (isShare && value > 100.01))
    throw new RowError(`the ${category} "${text}" is not ${isShare ? 'a percentage' : 'an extent'}`);
  return { value };
}

/** Released on the Thursday after the map's Tuesday, at 8:30 Washington time, which is 13:30 UTC at the latest. */
const RELEASE_DAYS = 2;
const RELEASE_TIME_MS = 13.5 * 3_600_000;

/** @throws RowError when a date is not in the calendar, or the dates contradict each other */
function answerWeek({
  mapDate,
  validStart,
  validEnd,
}: Readonly<Record<'mapDate' | 'validStart' | 'validEnd', string>>): RowAnswer {
  const mapMs = parseRowDateOfAnyForm(mapDate, 'map date');
  const startMs = parseRowDateOfAnyForm(validStart, 'start of validity');
  const endMs = parseRowDateOfAnyForm(validEnd, 'end of validity');
  if (endMs < startMs) throw new RowError('the end of validity is before its start');
  if (mapMs < startMs || mapMs > endMs) throw new RowError('the map date is not in the time of validity');
  const reportingMs = mapMs + RELEASE_DAYS * DAY_MS;
  return { startMs, endMs, reportingMs, availableMs: reportingMs + RELEASE_TIME_MS };
}

/** The areas of national statistics, by `AreaOfInterest` in upper case. The total includes Puerto Rico. */
const NATIONAL = new Map(
  readTable(`
    CONUS | Contiguous United States | The 48 contiguous states and the District of Columbia. | CONUS; Lower 48
    TOTAL | United States and Puerto Rico | The 50 states, the District of Columbia and Puerto Rico: the total of the US Drought Monitor. | US total
  `).map(([text, name, definition, aliases]) => [
    text,
    { name: name!, definition: definition!, aliases: listed(aliases) },
  ]),
);
const NATIONAL_COLUMN = 'areaofinterest';

/**
 * Resolves an area that is neither a county nor a state; adds it below the United States. @throws RowError without a
 * name
 */
function resolveArea(
  { kind, area, code }: Readonly<Record<'kind' | 'area' | 'code', string>>,
  batch: BatchBuilder,
): number {
  if (area === '') throw new RowError(`the ${kind} is empty`);
  const isNational = kind.toLowerCase() === NATIONAL_COLUMN;
  const state = isNational ? STATE_IDS_BY_ABBREVIATION.get(area) : undefined;
  if (state !== undefined) return state;
  const words = kind.replace(/([a-z])([A-Z])/g, '$1 $2');
  const named = (isNational ? NATIONAL.get(area.toUpperCase()) : undefined) ?? {
    name: `${area} (${[words, code].join(' ').trim()})`,
    definition: `Area of the US Drought Monitor: ${words} ${area}.`,
  };
  const region = otherRegion({ ...named, belongsTo: [countryRegionId(840)] });
  return batch.addNamedEntity('regions', `usdm:${kind.toLowerCase()}:${code || area}`, region);
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
  { byId, batch }: RegionTree & { readonly batch: BatchBuilder },
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

/**
 * Plans downloads of cumulative percentages of area: of states, of counties by FIPS code, or of the nation. Without a
 * last date, they run until today.
 */
function findDrought(request: string, { nowMs }: Finding): PlannedFile[] {
  const given = words(request);
  const places = given.filter((word) => !isDate(word));
  const [from = '', to = formatDay(nowMs), ...rest] = given.filter(isDate);
  const areNational = places.every((place) => /^(US|CONUS)$/i.test(place));
  const areStates = places.every((place) => /^[A-Za-z]{2}$/.test(place));
  const areCounties = places.every((place) => /^\d{5}$/.test(place));
  if (
    places.length === 0 ||
    !(areNational || areStates || areCounties) ||
    !isInterval(from, to) ||
    rest.length > 0
  ) {
    throw new FetchRequestError(
      `"${request}" is not states, counties (FIPS), US or CONUS and dates, such as IA,MN,2020-01-01,2020-12-31`,
    );
  }
  const kind = areNational ? 'US' : areStates ? 'State' : 'County';
  const operation = `${kind}Statistics/GetDroughtSeverityStatisticsByAreaPercent`;
  const american = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' });
  const query = new URLSearchParams({
    aoi: places.join(',').toUpperCase(),
    startdate: american.format(Date.parse(from)),
    enddate: american.format(Date.parse(to)),
    statisticsType: '1',
  });
  // The importer reads the quantity of the figures in the name.
  const name = `usdm_ByAreaPercent_${places.join('_').toUpperCase()}.csv`;
  return [{ address: `${ADDRESSES.usdmService}${operation}?${query}`, name }];
}

/**
 * The quantity of the figures of a file. All four statistics have the same columns, so the setting says it, or the name
 * of the service's operation in the name of the file. Figures that add up to 100 in most rows are shares.
 * @param totals the sum of the categories of each of the first rows
 * @throws IngestError when neither says it, they disagree, or the figures contradict it
 */
function findStatistic(
  file: string,
  totals: readonly number[],
  setting: ImporterSettings['statistic'],
): (typeof STATISTICS)[number] {
  const unclear = (what: string) =>
    new IngestError('usdm', `the statistic of ${file} is not clear: ${what}`, { file });
  const named = STATISTICS.find(({ operation }) => operation.test(file));
  const statistic = STATISTICS.find(({ name }) => name === setting) ?? named;
  if (named !== undefined && statistic !== named)
    throw unclear(`its name says "${named.name}", but the setting "statistic" is "${setting}"`);
  if (statistic === undefined)
    throw unclear(
      'its name does not say the quantity of its figures; set "statistic" to "area", "area-percent", "population" or "population-percent"',
    );
  const others = totals.filter((total) => Math.abs(total - 100) > MAX_ROUNDING);
  const areShares = 2 * others.length < totals.length;
  if (totals.length === 0 || areShares === statistic.isShare) return statistic;
  const found = areShares
    ? 'add up to 100, as percentages do'
    : `do not add up to 100, but for example to ${others[0]}`;
  throw unclear(`its figures ${found}, so they are not of the statistic "${statistic.name}"`);
}

/** Six figures with two decimals each, all of which may be rounded up. */
const MAX_ROUNDING = 0.05;

/** The sum of the categories of each row of a sample; cumulative ones up to D0, which includes the others. */
function sampleTotals({ sample, header }: OpenedTable, columns: readonly number[], format: number): number[] {
  return [...splitRecords(sample, 1, { delimiter: ',', quotes: true })]
    .map((record) => record.fields.map((field) => field.replace(/["\s,]/g, '')))
    .filter((texts) => texts.length === header.length && FORMATS.includes(texts[format]!))
    .map((texts) => columns.slice(0, texts[format] === '1' ? 2 : 6).map((at) => texts[at]!))
    .filter((texts) => texts.every((text) => /^\d+(\.\d+)?$/.test(text)))
    .map((texts) => texts.reduce((sum, text) => sum + Number(text), 0));
}
