import { dateParts } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  movedError,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { describeFirstLine, peekText } from '../reading/peek.js';
import { monthByPrefix } from '../reading/row-values.js';
import { readTexts } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { countryRegionId } from '../regions/ids.js';
import { type CountryNames, loadCountryNames, resolveRegionName } from '../regions/names.js';
import { marketingYear, releaseTime, usdaReleaseMs, usMarketingYearMonth } from '../usda/calendar.js';
import { SOURCES } from '../vocabulary/sources.js';
import { findBlock, readMatrices, type WasdeCell, type WasdeMatrix } from './matrices.js';
import { findWasdeUnit, resolveWasdeMetric } from './measures.js';

const DATASET = 'wasde';

/**
 * USDA WASDE: monthly reports in XML. Each report revises the same marketing years. Its reporting date is the day of its
 * release, which the XML does not contain, and its figures are available from that day on. Tables that are not imported are counted as not read. So are two things that another report or table has:
 * projections of the month before, and the row of the United States in tables of the world. Marketing years are those of
 * the United States.
 */
export const wasde: Importer = {
  dataset: DATASET,
  summary: 'USDA WASDE: monthly reports in XML (wasdeMMYY.xml)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => /^\s*</.test(beginning) && /wasde|sub_report_title/i.test(beginning),
  fetch: { takes: 'months, such as 2012-05..2013-01', find: findReports },
  read: readWasde,
};

async function* readWasde({
  files,
  importedMs,
  settings,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  const releasedMs =
    settings?.released === undefined ? null : parseTime(settings.released, 'settings.released');
  yield* readReferenceData([SOURCES.wasde]);
  const countries = await loadCountryNames();
  const batch = await BatchBuilder.create({ identities });
  yield* readTexts({ dataset: DATASET, files, signal }, batch, async function* ({ name, chunks }, progress) {
    let found = 0;
    batch.ignoreLines();
    const peeked = await peekText(chunks);
    if (!/^(\uFEFF)?\s*</.test(peeked.sample)) throw notReportError(name, describeFirstLine(peeked.head));
    await readMatrices(peeked.chunks, (matrix) => {
      found++;
      progress.rows += matrix.cells.length;
      addMatrix(matrix, { batch, countries, importedMs, releasedMs, file: name });
    });
    if (found === 0) throw notReportError(name, 'it has no tables');
    yield;
  });
}

interface MatrixJob {
  readonly batch: BatchBuilder;
  readonly countries: CountryNames;
  readonly importedMs: number;
  /** The day of the release that the settings say; null where they say none. */
  readonly releasedMs: number | null;
  readonly file: string;
}

function addMatrix(matrix: WasdeMatrix, job: MatrixJob): void {
  const block = findBlock(matrix.title, matrix.number);
  const report = parseReportMonth(matrix.reportMonth, job);
  const { batch } = job;
  const values = matrix.cells.length;
  if (block === undefined) {
    batch.countRows(values);
    batch.countNotRead(describeBlock(matrix), values);
    return;
  }
  if (report === null) {
    const reason = `the report month "${matrix.reportMonth}" is not a month`;
    batch.countRows(values);
    batch.reject({ file: job.file, line: matrix.line, reason, text: matrix.title, values });
    return;
  }
  for (const cell of matrix.cells) {
    const { line, region, attribute, year, value } = cell;
    const text = () => `${matrix.title}, ${region} ${attribute}, ${year}: ${value}`;
    batch.addRow({ file: job.file, line, text }, (skip) =>
      addCell(cell, { ...job, matrix, block, report, skip }),
    );
  }
}

function describeBlock({ number, title }: WasdeMatrix): string {
  return number === 0 ? `figures outside the blocks of ${title}` : `block ${number} of ${title}`;
}

interface CellJob extends MatrixJob {
  readonly matrix: WasdeMatrix;
  readonly block: NonNullable<ReturnType<typeof findBlock>>;
  readonly report: ReportMonth;
  readonly skip: (kind: string) => void;
}

function addCell(
  cell: WasdeCell,
  { matrix, block, report, batch, countries, importedMs, skip }: CellJob,
): void {
  const value = parseWasdeValue(cell.value);
  if (value === null) {
    skip('empty cells');
    return;
  }
  if (!isOwnMonth(cell.month, report)) {
    skip('projections of the month before');
    return;
  }
  const isWorld = block.scope === 'world';
  if (isWorld && cell.region === 'United States') {
    skip('the United States in tables of the world');
    return;
  }
  const { itemId } = block;
  const [, year, status = ''] = /^(\d{4})\/\d{2,4}\s*(.*)$/.exec(cell.year) ?? [];
  if (year === undefined) throw new RowError(`"${cell.year}" is not a marketing year`);
  const key = {
    metric_id: resolveWasdeMetric(cell.attribute, batch),
    item_id: itemId,
    region_id: isWorld
      ? resolveRegionName(cell.region, { countries, batch, dataset: DATASET })
      : UNITED_STATES,
    partner_region_id: 0,
    source_id: SOURCES.wasde.id,
    frequency_id: ANNUAL,
  };
  batch.addPoint(key, {
    ...marketingYear(Number(year), usMarketingYearMonth(itemId)),
    value: value.value,
    unitId: findWasdeUnit(cell.attribute, itemId, matrix),
    reportingMs: report.releasedMs - (report.releasedMs % DAY_MS),
    availableMs: Math.min(report.releasedMs, importedMs),
    metadata: formatMetadata(status, value.remarks),
  });
}

function formatMetadata(status: string, others: Readonly<Record<string, unknown>>): string | null {
  if (status === '' && Object.keys(others).length === 0) return null;
  return JSON.stringify({ status: status || undefined, ...others });
}

const UNITED_STATES = countryRegionId(840);
const ANNUAL = frequencyId('annual');

interface ReportMonth {
  readonly month: number;
  /** The time of its release. */
  readonly releasedMs: number;
}

/** @throws IngestError when the settings say that the report was released in another month */
function parseReportMonth(text: string, { releasedMs, file }: MatrixJob): ReportMonth | null {
  const [, name, digits] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
  const month = monthByPrefix(name ?? '');
  if (month === 0) return null;
  const year = Number(digits);
  if (releasedMs === null) return { month, releasedMs: usdaReleaseMs(year, month) };
  const day = dateParts(releasedMs);
  if (day.year === year && day.month === month) return { month, releasedMs: releaseTime(releasedMs) };
  const said = formatDay(releasedMs);
  throw new IngestError(
    DATASET,
    `${file} is the report of ${text}, which was not released on ${said}; import it by itself, with its own day`,
    { file },
  );
}

function isOwnMonth(label: string, { month }: ReportMonth): boolean {
  return label === '' || monthByPrefix(label) === month;
}

function notReportError(file: string, reason: string): IngestError {
  return new IngestError(DATASET, `${file} is not a WASDE report in XML: ${reason}`, { file });
}

/** Months without a report: federal funding had lapsed. */
const NEVER_PUBLISHED: ReadonlySet<string> = new Set(['2013-10', '2019-01', '2025-10']);

/** The list has about ten releases a page, and begins in 1973. */
const MAX_PAGES = 100;

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

interface MonthRange {
  readonly from: string;
  /** Null for the newest. */
  readonly to: string | null;
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

function parseRange(text: string): MonthRange {
  const [from = '', to, ...rest] = text.split('..');
  const last = to === undefined ? from : to === '' ? null : to;
  const isRange = MONTH.test(from) && (last === null || (MONTH.test(last) && last >= from));
  if (isRange && rest.length === 0) return { from, to: last };
  throw new FetchRequestError(
    `"${text}" is not a month or a range of months, such as 2012-05..2013-01, or 2024-01.. until the newest`,
  );
}

function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let [year, month] = yearAndMonth(from); ; month++) {
    if (month > 12) [year, month] = [year + 1, 1];
    const text = `${year}-${String(month).padStart(2, '0')}`;
    if (text > to) return months;
    months.push(text);
  }
}

function yearAndMonth(text: string): [year: number, month: number] {
  return [Number(text.slice(0, 4)), Number(text.slice(5))];
}

/** The XML report of each month since `from`, in its last correction; the newest releases come first. */
async function listReports(from: string, { listing }: Finding): Promise<Map<string, PlannedFile>> {
  const reports = new Map<string, Report>();
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const links = readLinks(await listing(`${ADDRESSES.wasdeReleases}?page=${page}`));
    // Every page repeats the newest release.
    const added = links.filter(({ address }) => !seen.has(address));
    for (const link of added) {
      seen.add(link.address);
      const other = reports.get(link.month);
      if (link.name.endsWith('.xml') && (other === undefined || other.version < link.version))
        reports.set(link.month, link);
    }
    if (added.length === 0 || added.some(({ month }) => month < from)) break;
  }
  return new Map([...reports].map(([month, { address, name }]) => [month, { address, name }]));
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

/** A figure; or null, with the code or the range that the report prints instead. */
interface WasdeValue {
  readonly value: number | null;
  readonly remarks: Readonly<Record<string, unknown>>;
}

const NUMBER = '-?(?:\\d+|\\d{1,3}(?:,\\d{3})+)?(?:\\.\\d+)?';
const MARK = '(?:\\*{1,3}|\\d{1,2}/)';
const FIGURE = new RegExp(`^(${NUMBER})\\s*${MARK}?$`);
const RANGE = new RegExp(`^(${NUMBER})\\s*-\\s*(${NUMBER})\\s*${MARK}?$`);
const ABSENT = new RegExp(`^(NA|N/A|--|-|filler|${MARK})$`, 'i');

/**
 * Parses a cell. A figure may have thousands separators and a footnote mark. A range, in which prices were projected
 * until 2019, is a null value with its ends in the remarks. So is a footnote mark alone, with the mark as code: it stands
 * for a figure too small to print ("3/ Less than 5,000 bales"). An empty cell is null.
 * @throws RowError when the text is none of these
 */
export function parseWasdeValue(text: string): WasdeValue | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (ABSENT.test(trimmed)) return { value: null, remarks: { code: trimmed } };
  const figure = FIGURE.exec(trimmed);
  if (figure !== null && /\d/.test(figure[1]!)) return { value: parseNumber(figure[1]!), remarks: {} };
  const range = RANGE.exec(trimmed);
  if (range === null || !/\d/.test(range[1]!) || !/\d/.test(range[2]!)) {
    throw new RowError(`the value "${trimmed}" is not a number`);
  }
  return { value: null, remarks: { low: parseNumber(range[1]!), high: parseNumber(range[2]!) } };
}

function parseNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}
