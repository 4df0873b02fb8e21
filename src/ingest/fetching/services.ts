import { yearOf } from '../../model/calendar.js';
import { calendarDay, DAY_MS, formatDay } from '../../model/time.js';
import { ADDRESSES } from './addresses.js';
import { FetchRequestError, type Finding, inFolder, type PlannedFile, words } from './finding.js';

const POWER_PARAMETERS = 'T2M,T2M_MAX,T2M_MIN,PRECTOTCORR,RH2M,PS,WS10M,ALLSKY_SFC_SW_DWN';

/** The days of a place; without the last date, until yesterday. */
export function findPower(request: string, { nowMs }: Finding): PlannedFile[] {
  const [latitude = '', longitude = '', from = '', to = formatDay(nowMs - DAY_MS), ...rest] = words(request);
  const isPlace = isWithin(latitude, 90) && isWithin(longitude, 180);
  if (!isPlace || !isInterval(from, to) || rest.length > 0) {
    throw new FetchRequestError(
      `"${request}" is not LATITUDE,LONGITUDE,FROM,TO, such as 42.0,-93.6,2020-01-01,2020-12-31`,
    );
  }
  const query = new URLSearchParams({
    parameters: POWER_PARAMETERS,
    community: 'AG',
    latitude,
    longitude,
    start: from.replaceAll('-', ''),
    end: to.replaceAll('-', ''),
    format: 'CSV',
    header: 'true',
  });
  return [{ address: `${ADDRESSES.powerDaily}?${query}`, name: `power_${latitude}_${longitude}.csv` }];
}

/** Cumulative percentages of the area of states, or of counties by FIPS; without the last date, until today. */
export function findDrought(request: string, { nowMs }: Finding): PlannedFile[] {
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

/** The daily reference rates, or series by their keys. */
export function findRates(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (word === 'reference') return { address: ADDRESSES.ecbReferenceRates, name: 'eurofxref-hist.zip' };
    if (/^[A-Z](\.[A-Z0-9+]*){4}$/.test(word))
      return { address: `${ADDRESSES.ecbSeries}${word}?format=csvdata`, name: `${word}.csv` };
    throw new FetchRequestError(
      `"${word}" is neither "reference" nor the key of a series, such as M.USD.EUR.SP00.A`,
    );
  });
}

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

function isWithin(text: string, bound: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= bound;
}

function isInterval(from: string, to: string): boolean {
  return isDate(from) && isDate(to) && from <= to;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year !== undefined && calendarDay(Number(year), Number(month), Number(day)) !== null;
}

function americanDate(text: string): string {
  const [year, month, day] = text.split('-').map(Number);
  return `${month}/${day}/${year}`;
}
