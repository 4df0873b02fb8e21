import { calendarDay, DAY_MS, formatDay } from '../../model/time.js';
import { ADDRESSES } from './addresses.js';
import { type Finding, type PlannedFile, requestError, words } from './finding.js';

const POWER_PARAMETERS = 'T2M,T2M_MAX,T2M_MIN,PRECTOTCORR,RH2M,PS,WS10M,ALLSKY_SFC_SW_DWN';

/** The days of a place; without the last date, until yesterday. */
export function findPower(request: string, { nowMs }: Finding): PlannedFile[] {
  const [latitude = '', longitude = '', from = '', to = formatDay(nowMs - DAY_MS), ...rest] = words(request);
  const isPlace = isWithin(latitude, 90) && isWithin(longitude, 180);
  if (!isPlace || !isInterval(from, to) || rest.length > 0) {
    throw requestError(
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
    throw requestError(
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
    throw requestError(`"${word}" is neither "reference" nor the key of a series, such as M.USD.EUR.SP00.A`);
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
