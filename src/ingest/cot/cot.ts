import { dateParts, dayPeriod, mondayOf, yearOf } from '../../model/calendar.js';
import type { Source } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetForm, type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  inFolder,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { parseFormattedDate, parseRowDateOfAnyForm } from '../reading/dates.js';
import { JSON_RECORDS } from '../reading/json-records.js';
import { parseRowNumber } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { countryRegionId } from '../regions/ids.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { sourceUnit, unitId } from '../vocabulary/units.js';
import { type CotMeasure, foldColumn, readCotColumns, resolveMarket } from './columns.js';
import lateReleases from './late-releases.json' with { type: 'json' };

type CotPositions = 'futures' | 'combined';
/** A report: the columns that distinguish it, and its sources by the kind of positions. */
interface CotReport extends Partial<Readonly<Record<CotPositions, Source>>> {
  readonly columns: RegExp;
}

const REPORTS: readonly CotReport[] = [
  { columns: /^citpositions|nocit$/, combined: SOURCES.cotSupplemental },
  {
    columns: /^(prodmerc|swap|mmoney)positions/,
    futures: SOURCES.cotDisaggregatedFutures,
    combined: SOURCES.cotDisaggregatedCombined,
  },
  {
    columns: /^(dealer|assetmgr|levmoney)positions/,
    futures: SOURCES.cotFinancialFutures,
    combined: SOURCES.cotFinancialCombined,
  },
  {
    columns: /^(non)?comm(ercial)?positions/,
    futures: SOURCES.cotLegacyFutures,
    combined: SOURCES.cotLegacyCombined,
  },
];

const findReport = (folded: readonly string[]): CotReport | undefined =>
  REPORTS.find(({ columns }) => folded.some((name) => columns.test(name)));

const FORM: Pick<DatasetForm<object>, 'matches' | 'plan'> = {
  matches(fields) {
    const folded = fields.map(foldColumn);
    return folded.includes('cftccontractmarketcode') && findReport(folded) !== undefined;
  },
  plan: planReport,
};

/**
 * CFTC Commitments of Traders: the legacy, disaggregated, financial and supplemental reports, as yearly files and as
 * exports of the public reporting environment. Each report, futures only or combined with options, is a separate source.
 * Positions are those at the end of a day, mostly a Tuesday. The reporting date is the day of release, mostly the Friday
 * after. Open interest, positions, numbers of traders and concentration are read. Changes and shares are not, because
 * they can be computed from these; they are counted as not read.
 */
export const cot = defineTables({
  name: 'cot',
  summary:
    'CFTC Commitments of Traders: yearly files (text or zip), exports of publicreporting.cftc.gov (CSV or JSON)',
  sources: REPORTS.flatMap(({ futures, combined }) => [futures, combined].filter((one) => one !== undefined)),
  frequency: 'weekly',
  counts: 'values',
  settings: {
    positions: {
      words: ['futures', 'combined'],
      description: 'the kind of positions, if neither the name of the file nor its rows say it',
    },
  },
  fetch: { takes: 'reports and years, such as legacy:2020..2024', find: findArchives },
  forms: [
    { name: "a report of the CFTC's Commitments of Traders", ...FORM },
    { name: 'one in JSON', ...JSON_RECORDS, ...FORM },
  ],
});

/** The columns with whole dates, as reports of different years call them. */
const WHOLE = /^(asofdate\w*|reportdateas)(yyyymmdd|mmddyyyy)$/;
const SHORT = /^asofdate\w*yymmdd$/;

function planReport(table: OpenedTable, job: DatasetJob) {
  const { header, file, dataset } = table;
  const { batch, settings } = job;
  const folded = header.map(foldColumn);
  const report = findReport(folded)!;
  const fields = new TableFields({
    whole: folded.findIndex((name) => WHOLE.test(name)),
    short: folded.findIndex((name) => SHORT.test(name) && !WHOLE.test(name)),
    code: folded.indexOf('cftccontractmarketcode'),
    name: folded.indexOf('marketandexchangenames'),
    commodity: folded.indexOf('cftccommoditycode'),
    // All but the yearly files of the legacy report name the kind of positions on each row.
    positions: folded.indexOf('futonlyorcombined'),
    units: folded.indexOf('contractunits'),
  });
  const { whole, short, positions } = fields.at;
  if (whole < 0 && short < 0)
    throw new IngestError(dataset, `${file} has no column with the date of the positions`, { file, row: 1 });
  const ofFile =
    positions < 0 ? findPositions(file, report, settings.positions as CotPositions | undefined) : null;
  const { read, notRead } = readCotColumns(header);
  return planRows({
    keys: [
      fields.key(['whole', 'short'], (texts) => {
        const asOfMs = parseDate(texts);
        return { ...dayPeriod(asOfMs), ...cotRelease(asOfMs) };
      }),
      fields.key(['code'], (market) => ({ item_id: resolveMarket(market, batch) }), ['name', 'commodity']),
      // The legacy report counted grains in thousands of bushels until 1997.
      fields.key(['units'], ({ units }) =>
        /^\W*thousand bushels/i.test(units) ? { notRead: 'figures in thousands of bushels' } : {},
      ),
      fields.key(['positions'], (row) => {
        const source = report[ofFile ?? parsePositions(row.positions, settings.positions)];
        if (source === undefined) throw new RowError(`the supplemental report has no "${row.positions}"`);
        return { source_id: source.id };
      }),
    ],
    values: read.map(({ at: column, measure }) => ({
      column,
      name: measure.name,
      gives: { metric_id: resolveMetric(measure, batch), unit_id: resolveUnit(measure, batch) },
      empty: 'empty cells',
      resolve: (text) => ({ value: text === WITHHELD ? null : parseRowNumber(text, measure.name) }),
    })),
    constants: { region_id: countryRegionId(840) },
    notRead,
  });
}

/** A number of traders below four in the disaggregated report, and figures that cannot be computed. */
const WITHHELD = '.';

function resolveMetric({ name, definition, alias }: CotMeasure, batch: BatchBuilder): number {
  if (name === 'Open interest') return metricId(name);
  const belongsTo = [metricId('Futures positions')];
  const metric = { name, definition, belongsTo, aliases: [alias] };
  return batch.addNamedEntity('metrics', `cot:metric:${name}`, metric);
}

function resolveUnit({ unit }: CotMeasure, batch: BatchBuilder): number {
  if (unit === '%') return unitId('%');
  return batch.addNamedEntity('units', `cot:unit:${unit}`, { ...sourceUnit(unit), namePlural: `${unit}s` });
}

/**
 * Parses the date of a row. Most files have it in two formats, which must agree. Spreadsheets drop leading zeros of
 * `YYMMDD`.
 */
function parseDate(texts: Readonly<Record<'whole' | 'short', string>>): number {
  const short = texts.short === '' ? null : parseFormattedDate(texts.short.padStart(6, '0'), 'YYMMDD');
  const whole = texts.whole === '' && short !== null ? short : parseRowDateOfAnyForm(texts.whole, 'date');
  if (short === null || whole === short) return whole;
  throw new RowError(`the dates "${texts.short}" and "${texts.whole}" differ`);
}

/** Names of the CFTC's archives of the legacy report, and of the texts in them. */
const NAMED: readonly (readonly [RegExp, CotPositions])[] = [
  [/(^|\/)(deahistfo\d|annualof\.|com\d\d_\d\d\.)/i, 'combined'],
  [/(^|\/)(deacot\d|annual\.|fut\d\d_\d\d\.)/i, 'futures'],
];

/**
 * Determines the kind of positions of a file whose rows do not state it. Both kinds have the same columns, so the kind
 * comes from the setting, or from the names of the archive and its text file. The supplemental report has only one kind.
 * @throws IngestError when neither states it, or they disagree
 */
function findPositions(
  file: string,
  { futures }: CotReport,
  setting: CotPositions | undefined,
): CotPositions {
  const named = new Set(NAMED.filter(([name]) => name.test(file)).map(([, positions]) => positions));
  if (futures === undefined) named.add('combined');
  if (setting !== undefined) named.add(setting);
  const [positions, other] = named;
  if (positions !== undefined && other === undefined) return positions;
  const what =
    positions === undefined
      ? 'its name does not say whether its positions include options; give the setting "positions": futures or combined'
      : 'its name and the setting "positions" contradict each other';
  throw new IngestError('cot', `the positions of ${file} are not clear: ${what}`, { file });
}

/** Parses the kind of positions of a row. @throws RowError when it is unknown or contradicts the setting */
function parsePositions(text: string, setting: string | undefined): CotPositions {
  const lower = text.toLowerCase();
  if (lower !== 'futonly' && lower !== 'combined')
    throw new RowError(`"${text}" is neither "FutOnly" nor "Combined"`);
  const positions = lower === 'combined' ? 'combined' : 'futures';
  if (setting === undefined || setting === positions) return positions;
  throw new RowError(`the row is "${text}", but the setting "positions" is "${setting}"`);
}

/** The yearly archives of each report. */
const ARCHIVES: ReadonlyMap<string, { firstYear: number; name: (year: number) => string }> = new Map([
  ['legacy', { firstYear: 1986, name: (year) => `deacot${year}.zip` }],
  ['legacy-combined', { firstYear: 1995, name: (year) => `deahistfo${year < 2004 ? '_' : ''}${year}.zip` }],
  ['financial', { firstYear: 2010, name: (year) => `fut_fin_txt_${year}.zip` }],
  ['financial-combined', { firstYear: 2010, name: (year) => `com_fin_txt_${year}.zip` }],
  ['supplemental', { firstYear: 2006, name: (year) => `dea_cit_txt_${year}.zip` }],
  ['disaggregated', { firstYear: 2010, name: (year) => `fut_disagg_txt_${year}.zip` }],
  ['disaggregated-combined', { firstYear: 2010, name: (year) => `com_disagg_txt_${year}.zip` }],
]);

/** The first report of a year comes out in its second week, and its archive with it. */
const FIRST_RELEASE_MS = 14 * DAY_MS;

/** The archives of reports and years: `legacy:2024`, `disaggregated:2020..2024`, `legacy:2020..` until this year. */
function findArchives(request: string, { nowMs }: Finding): PlannedFile[] {
  const thisYear = yearOf(nowMs - FIRST_RELEASE_MS);
  return words(request).flatMap((word) => {
    const [, report = '', from, dots, to] = /^([a-z-]+):(\d{4})(?:(\.\.)(\d{4})?)?$/.exec(word) ?? [];
    const archives = ARCHIVES.get(report);
    const first = Number(from);
    const last = dots === undefined ? first : to === undefined ? thisYear : Number(to);
    if (archives === undefined || last < first || last > thisYear) {
      const reports = [...ARCHIVES.keys()].join(', ');
      throw new FetchRequestError(
        `"${word}" is not a report and years, such as legacy:2020..2024; reports: ${reports}`,
      );
    }
    if (first < archives.firstYear) {
      throw new FetchRequestError(`"${word}": there are archives of ${report} from ${archives.firstYear} on`);
    }
    const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return years.map((year) => inFolder(ADDRESSES.cotFolder, archives.name(year)));
  });
}

/** Reports are released at 15:30 Washington time, which is 20:30 UTC at the latest. */
const RELEASE_TIME_MS = 20.5 * 3_600_000;

/**
 * The release of a report in UTC milliseconds, which its files do not contain. Since reports are weekly, it is the third business day after
 * the day of the positions: a Friday, or a Monday when a federal holiday is in between. Of earlier reports only the latest
 * day is known (CFTC, About the Commitments of Traders).
 */
export function cotRelease(asOfMs: number): { reportingMs: number; availableMs: number } {
  const reportingMs = LATE_RELEASES.get(asOfMs) ?? scheduledRelease(asOfMs);
  return { reportingMs, availableMs: reportingMs + RELEASE_TIME_MS };
}

function scheduledRelease(asOfMs: number): number {
  const year = yearOf(asOfMs);
  // Monthly, on the eleventh or twelfth of the next month.
  if (year < 1990) return utcDay(year, dateParts(asOfMs).month + 1, 12);
  // In the middle and at the end of the month, on the sixth business day after.
  if (year <= 1992) return addBusinessDays(asOfMs, 6);
  const thirdDay = addBusinessDays(asOfMs, 3);
  // Every two weeks, for two Tuesdays.
  return year <= 2000 ? thirdDay + 7 * DAY_MS : thirdDay;
}

/** Reports that were late: the day of their positions, and that of their release. */
const LATE_RELEASES: ReadonlyMap<number, number> = new Map(
  lateReleases.flatMap(({ released }) =>
    Object.entries(released).map(([asOf, day]) => [Date.parse(asOf), Date.parse(day)] as const),
  ),
);

/** The day that is `count` business days of the federal government of the United States after another. */
function addBusinessDays(ms: number, count: number): number {
  let day = ms;
  for (let left = count; left > 0; ) {
    day += DAY_MS;
    if (isBusinessDay(day)) left--;
  }
  return day;
}

function isBusinessDay(ms: number): boolean {
  const isWeekend = ms - mondayOf(ms) >= 5 * DAY_MS;
  const year = yearOf(ms);
  // New Year's Day on a Saturday is observed in the year before.
  return !isWeekend && ![...federalHolidays(year), observed(utcDay(year + 1, 1, 1))].includes(ms);
}

/** The days on which the federal holidays of a year are observed (5 U.S.C. 6103). */
function federalHolidays(year: number): number[] {
  const day = (text: string): number => Date.parse(`${year}-${text}`);
  const fixed = ['01-01', '07-04', '11-11', '12-25', ...(year >= 2021 ? ['06-19'] : [])];
  // The third Mondays of January and February, the last of May, the first of September, and the second of October.
  const mondays = ['01-21', '02-21', '05-31', '09-07', '10-14'];
  const thanksgiving = mondayOf(day('11-25')) + 3 * DAY_MS;
  return [
    ...fixed.map((text) => observed(day(text))),
    ...mondays.map((latest) => mondayOf(day(latest))),
    thanksgiving,
  ];
}

/** Holidays on a Saturday are observed on the Friday before, those on a Sunday on the Monday after. */
function observed(ms: number): number {
  const weekday = new Date(ms).getUTCDay();
  return weekday === 6 ? ms - DAY_MS : weekday === 0 ? ms + DAY_MS : ms;
}
