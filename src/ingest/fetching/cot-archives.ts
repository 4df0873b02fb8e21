import { yearOf } from '../../model/calendar.js';
import { DAY_MS } from '../../model/time.js';
import { ADDRESSES } from './addresses.js';
import { type Finding, inFolder, type PlannedFile, requestError, words } from './finding.js';

interface Archives {
  readonly firstYear: number;
  readonly name: (year: number) => string;
}

/** The yearly archives of each report. */
const ARCHIVES: ReadonlyMap<string, Archives> = new Map<string, Archives>([
  ['legacy', { firstYear: 1986, name: (year) => `deacot${year}.zip` }],
  ['legacy-combined', { firstYear: 1995, name: (year) => `deahistfo${year < 2004 ? '_' : ''}${year}.zip` }],
  ['disaggregated', { firstYear: 2010, name: (year) => `fut_disagg_txt_${year}.zip` }],
  ['disaggregated-combined', { firstYear: 2010, name: (year) => `com_disagg_txt_${year}.zip` }],
]);

/** The first report of a year comes out in its second week, and its archive with it. */
const FIRST_RELEASE_MS = 14 * DAY_MS;

/** The archives of reports and years: `legacy:2024`, `disaggregated:2020..2024`, `legacy:2020..` until this year. */
export function findPositions(request: string, { nowMs }: Finding): PlannedFile[] {
  const thisYear = yearOf(nowMs - FIRST_RELEASE_MS);
  return words(request).flatMap((word) => {
    const [, report = '', from, dots, to] = /^([a-z-]+):(\d{4})(?:(\.\.)(\d{4})?)?$/.exec(word) ?? [];
    const archives = ARCHIVES.get(report);
    const first = Number(from);
    const last = dots === undefined ? first : to === undefined ? thisYear : Number(to);
    if (archives === undefined || last < first || last > thisYear) {
      const reports = [...ARCHIVES.keys()].join(', ');
      throw requestError(
        `"${word}" is not a report and years, such as legacy:2020..2024; reports: ${reports}`,
      );
    }
    if (first < archives.firstYear) {
      throw requestError(`"${word}": there are archives of ${report} from ${archives.firstYear} on`);
    }
    const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return years.map((year) => inFolder(ADDRESSES.cotFolder, archives.name(year)));
  });
}
