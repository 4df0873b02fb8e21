import { dateParts, monthsPeriod, shiftDate } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  movedError,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { monthByPrefix, parseRowNumber, remarksJson } from '../reading/row-values.js';
import { NO_FIGURES, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { countryRegionId } from '../regions/ids.js';
import { type CountryNames, loadCountryNames, resolveRegionName } from '../regions/names.js';
import { releaseTime, usdaReleaseMs, usFirstMonth } from '../usda/calendar.js';
import { SOURCES } from '../vocabulary/sources.js';
import { findWasdeUnit, resolveWasdeMetric } from './labels.js';
import { COLUMNS, findBlock, readFigures } from './matrices.js';
import { isReportData, planReportData } from './report-data.js';

const DATASET = 'wasde';

/**
 * USDA WASDE: monthly reports in XML, and their figures in CSV. Each report revises the same marketing years. The
 * reporting date is the day of release, which the XML does not contain. Figures are available from that day on. Figures
 * of tables that are not imported are counted as unread. So are figures that another report or table contains, such as
 * projections of the month before, and the row of the United States in world tables. Marketing years are those of the
 * United States.
 */
export const wasde = defineTables<{ readonly countries: CountryNames }>({
  name: DATASET,
  summary: 'USDA WASDE: monthly reports in XML (wasdeMMYY.xml), report data in CSV',
  sources: [SOURCES.wasde],
  frequency: 'annual',
  counts: 'values',
  forms: [
    {
      name: 'a WASDE report in XML',
      header: () => COLUMNS,
      records: readFigures,
      matches: (_, beginning) => /^\s*</.test(beginning) && /wasde|sub_report_title/i.test(beginning),
      plan: planFigures,
    },
    { name: 'WASDE report data in CSV', matches: isReportData, plan: planReportData },
  ],
  settings: {
    released: {
      form: /^\d{4}-\d\d-\d\d$/,
      example: '2026-06-11',
      description: 'the day of the release of a report, if it is not the usual one',
    },
  },
  fetch: { takes: 'months, such as 2012-05..2013-01', find: findReports },
  prepare: async () => ({ countries: await loadCountryNames() }),
});

/** The first key that rejects a figure, or does not read it, gives the reason. */
function planFigures(
  table: OpenedTable,
  { batch, countries, settings: { released } }: DatasetJob & { readonly countries: CountryNames },
) {
  const saidMs = released === undefined ? null : parseTime(released, 'settings.released');
  const fields = TableFields.named(COLUMNS, table.header);
  return {
    keys: [
      fields.key(['title', 'number'], (row) => {
        const block = findBlock(row);
        if (block !== undefined) return { item_id: block.itemId };
        const { title, number } = row;
        const what = number === '0' ? 'figures outside the blocks' : `block ${number}`;
        return { notRead: `${what} of ${title}` };
      }),
      fields.key(['reportMonth'], ({ reportMonth }) => {
        const releasedMs = parseReportMonth(reportMonth, table, saidMs);
        return { reportingMs: releasedMs - (releasedMs % DAY_MS), availableMs: releasedMs };
      }),
      fields.key(['value', 'year'], ({ value, year }) => answerFigure(value, YEAR.exec(year)?.[2])),
      fields.key(['month', 'reportMonth'], ({ month, reportMonth }) =>
        month === '' || monthByPrefix(month) === monthByPrefix(reportMonth)
          ? {}
          : { notRead: 'projections of the month before' },
      ),
      fields.key(['title', 'number', 'region'], (row) =>
        findBlock(row)!.isOfWorld && row.region === 'United States'
          ? { notRead: 'the United States in tables of the world' }
          : {},
      ),
      fields.key(['year', 'title', 'number'], (row) => {
        const year = YEAR.exec(row.year)?.[1];
        if (year === undefined) throw new RowError(`"${row.year}" is not a marketing year`);
        return monthsPeriod(Number(year), usFirstMonth(findBlock(row)!.itemId) ?? 1, 12);
      }),
      fields.key(['attribute', 'title', 'number'], (row) => ({
        metric_id: resolveWasdeMetric(row.attribute, findBlock(row)!.itemId, batch),
      })),
      fields.key(['title', 'number', 'region'], (row) => ({
        region_id: findBlock(row)!.isOfWorld
          ? resolveRegionName(row.region, { countries, batch, dataset: DATASET })
          : countryRegionId(840),
      })),
      fields.key(['attribute', 'title', 'number', 'units', 'subtitle', 'footer'], (row) => ({
        unit_id: findWasdeUnit(row, findBlock(row)!.itemId),
      })),
    ],
    values: [{ column: fields.at.value, ...NO_FIGURES, keys: [] }],
  };
}

/** A marketing year, and whether it is projected or estimated. */
const YEAR = /^(\d{4})\/\d{2,4}\s*(.*)$/;

/**
 * The time of a report's release.
 * @throws RowError when its month is none; IngestError when the settings say that it was released in another month
 */
function parseReportMonth(text: string, { file }: OpenedTable, saidMs: number | null): number {
  const [, name, digits] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
  const month = monthByPrefix(name ?? '');
  if (month === 0) throw new RowError(`the report month "${text}" is not a month`);
  const year = Number(digits);
  if (saidMs === null) return usdaReleaseMs(year, month);
  const day = dateParts(saidMs);
  if (day.year === year && day.month === month) return releaseTime(saidMs);
  throw new IngestError(
    DATASET,
    `${file} is the report of ${text}, which was not released on ${formatDay(saidMs)}; import it by itself, with its own day`,
    { file },
  );
}

/** Months without a report: federal funding had lapsed. */
const NEVER_PUBLISHED: ReadonlySet<string> = new Set(['2013-10', '2019-01', '2025-10']);

/** The XML reports of months: `2012-05`, `2012-05..2013-01`, `2024-01..` until the newest, joined by commas. */
async function findReports(request: string, finding: Finding): Promise<PlannedFile[]> {
  const ranges = words(request).map(parseRange);
  const from = ranges.map((range) => range.from).sort()[0]!;
  const reports = await listReports(from, finding);
  const newest = [...reports.keys()].sort().at(-1);
  if (newest === undefined) throw movedError('wasde', ADDRESSES.wasdeReleases);
  const months = new Set(ranges.flatMap(({ from, to }) => monthsBetween(from, to ?? newest)));
  const missing = [...months].filter((month) => !reports.has(month) && !NEVER_PUBLISHED.has(month)).sort();
  if (missing.length > 0) {
    throw new FetchRequestError(
      `there is no XML report of ${missing.join(', ')}; leave it out, as in 2012-05..2012-08,2012-10..2013-01`,
    );
  }
  return [...months].sort().flatMap((month) => reports.get(month) ?? []);
}

const MONTH = '\\d{4}-(?:0[1-9]|1[0-2])';
const MONTHS = new RegExp(`^(${MONTH})(?:\\.\\.(|${MONTH}))?$`);

/** The ends of a range; null for the newest month. */
function parseRange(text: string): { from: string; to: string | null } {
  const [, from, to = from] = MONTHS.exec(text) ?? [];
  if (from !== undefined && (to === '' || to! >= from)) return { from, to: to || null };
  throw new FetchRequestError(
    `"${text}" is not a month or a range of months, such as 2012-05..2013-01, or 2024-01.. until the newest`,
  );
}

function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms = shiftDate(ms, { months: 1 }))
    months.push(formatDay(ms).slice(0, 7));
  return months;
}

/** The XML report of each month since `from`, in its last correction; the newest releases come first. */
async function listReports(from: string, { listing }: Finding): Promise<Map<string, PlannedFile>> {
  const found = new Map<string, Report>();
  for (let page = 0; ; page++) {
    const links = readLinks(await listing(`${ADDRESSES.wasdeReleases}?page=${page}`));
    // Every page repeats the newest release.
    const added = links.filter(({ address }) => !found.has(address));
    for (const link of added) found.set(link.address, link);
    if (added.length === 0 || added.some(({ month }) => month < from)) break;
  }
  const reports = [...found.values()].filter(({ name }) => name.endsWith('.xml'));
  // The last one of a month counts.
  const ascending = reports.reverse().sort((a, b) => a.version - b.version);
  return new Map(ascending.map(({ month, address, name }) => [month, { address, name }]));
}

interface Report extends PlannedFile {
  readonly month: string;
  /** 1, or the number of a correction. */
  readonly version: number;
}

const RELEASE = /<time[^>]*\sdatetime="(\d{4}-\d\d)|href="([^"]*\/release-files\/[^"]+)"/gi;

/** The files of a page of the list, each below the date of its release. */
function readLinks(page: string): Report[] {
  const links: Report[] = [];
  let released = '';
  for (const [, time, href] of page.matchAll(RELEASE)) {
    if (time !== undefined) released = time;
    if (href === undefined) continue;
    const address = new URL(href, ADDRESSES.wasdeReleases).href;
    const name = address.split('/').at(-1)!.toLowerCase();
    const [, mm, yy, version = '1'] = /^wasde(\d\d)(\d\d)(?:v(\d+))?\./.exec(name) ?? [];
    const [, longMonth, longYear] = /^wasde-(\d\d)-\d\d-(\d{4})\./.exec(name) ?? [];
    const named = yy === undefined ? longYear && `${longYear}-${longMonth}` : `20${yy}-${mm}`;
    const month = named ?? released;
    if (month !== '') links.push({ address, name, month, version: Number(version) });
  }
  return links;
}

const NUMBER = '-?(?:(?:\\d+|\\d{1,3}(?:,\\d{3})+)(?:\\.\\d+)?|\\.\\d+)';
const MARK = '(?:\\*{1,3}|\\d{1,2}/)';
const FIGURE = new RegExp(`^(${NUMBER})(?:\\s*-\\s*(${NUMBER}))?\\s*${MARK}?$`);
const ABSENT = new RegExp(`^(NA|N/A|--|-|filler|${MARK})$`, 'i');

/**
 * The value of a cell. A figure may have thousands separators and a footnote mark. A range, in which prices were projected
 * until 2019, is a null value with its ends in the remarks. So is a footnote mark alone, with the mark as code: it stands
 * for a figure too small to print ("3/ Less than 5,000 bales").
 * @throws RowError when the text is none of these
 */
function answerFigure(text: string, status: string | undefined): RowAnswer {
  if (text === '') return { notRead: 'empty cells' };
  if (ABSENT.test(text)) return { value: null, metadata: remarksJson({ status, code: text }) };
  const [, figure, end] = FIGURE.exec(text) ?? [];
  if (figure === undefined) throw new RowError(`the value "${text}" is not a number`);
  const value = parseRowNumber(figure, 'value');
  if (end === undefined) return { value, metadata: remarksJson({ status }) };
  return { value: null, metadata: remarksJson({ status, low: value, high: parseRowNumber(end, 'value') }) };
}
