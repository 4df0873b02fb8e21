import { ADDRESSES } from './addresses.js';
import { FetchRequestError, type Finding, movedError, type PlannedFile, words } from './finding.js';

/** Months without a report: federal funding had lapsed. */
const NEVER_PUBLISHED: ReadonlySet<string> = new Set(['2013-10', '2019-01', '2025-10']);

/** The list has about ten releases a page, and begins in 1973. */
const MAX_PAGES = 100;

/** The XML reports of months: `2012-05`, `2012-05..2013-01`, `2024-01..` until the newest, joined by commas. */
export async function findReports(request: string, finding: Finding): Promise<PlannedFile[]> {
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
