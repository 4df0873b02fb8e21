import { shiftDate } from '../../model/calendar.js';
import { formatDay } from '../../model/time.js';
import {
  ADDRESSES,
  type FetchableFiles,
  FetchRequestError,
  type Finding,
  movedError,
  type PlannedFile,
  words,
} from './requests.js';

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

/** Plans the downloads of WASDE reports. */
export const WASDE_REPORTS: FetchableFiles = {
  takes: 'months, such as 2012-05..2013-01',
  example: '2024-01',
  find: findReports,
};
