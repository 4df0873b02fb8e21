import { DAY_MS, formatDay } from '../../model/time.js';
import {
  ADDRESSES,
  type FetchableFiles,
  FetchRequestError,
  type Finding,
  inFolder,
  isDate,
  isInterval,
  type PlannedFile,
  words,
} from './requests.js';

/** Plans downloads of the daily reference rates, or of series by their keys. */
function findRates(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (word === 'reference') return { address: ADDRESSES.ecbReferenceRates, name: 'eurofxref-hist.zip' };
    if (/^[A-Z](\.[A-Z0-9+]*){4}$/.test(word))
      return { address: `${ADDRESSES.ecbSeries}${word}?format=csvdata`, name: `${word}.csv` };
    throw new FetchRequestError(
      `"${word}" is neither "reference" nor the key of a series, such as M.USD.EUR.SP00.A`,
    );
  });
}

/** Plans downloads of the archives of commodity groups. */
function findGroups(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (!/^[a-z_]+$/.test(word))
      throw new FetchRequestError(`"${word}" is not a group of PSD, such as grains_pulses`);
    return inFolder(ADDRESSES.psdFolder, `psd_${word}_csv.zip`);
  });
}

const POWER_PARAMETERS = 'T2M,T2M_MAX,T2M_MIN,PRECTOTCORR,RH2M,PS,WS10M,ALLSKY_SFC_SW_DWN';
const POINT = 'LATITUDE,LONGITUDE,FROM,TO, such as 42.0,-93.6,2020-01-01,2020-12-31';

/** Plans the download of the daily data of a place. Without a last date, it runs until yesterday. */
function findPoint(request: string, { nowMs }: Finding): PlannedFile[] {
  const [latitude = '', longitude = '', from = '', to = formatDay(nowMs - DAY_MS), ...rest] = words(request);
  const isPlace = isWithin(latitude, 90) && isWithin(longitude, 180);
  if (!isPlace || !isInterval(from, to) || rest.length > 0)
    throw new FetchRequestError(`"${request}" is not ${POINT}`);
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

/** Checks whether a string is a number of degrees whose magnitude does not exceed a maximum. */
function isWithin(text: string, max: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= max;
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
  // The importer reads the quantity of the figures from the file name.
  const name = `usdm_ByAreaPercent_${places.join('_').toUpperCase()}.csv`;
  return [{ address: `${ADDRESSES.usdmService}${operation}?${query}`, name }];
}

/** Plans the downloads of data sets whose requests come in several kinds, by data set. */
export const DOCUMENT_REQUESTS: ReadonlyMap<string, FetchableFiles> = new Map<string, FetchableFiles>([
  ['usdm', { takes: 'STATES or COUNTIES,FROM,TO, such as IA,2020-01-01,2020-12-31', find: findDrought }],
  ['power', { takes: POINT, find: findPoint }],
  ['psd', { takes: 'a group, such as grains_pulses', byDefault: 'alldata', find: findGroups }],
  ['ecb', { takes: 'keys of series, such as M.USD.EUR.SP00.A', byDefault: 'reference', find: findRates }],
]);
