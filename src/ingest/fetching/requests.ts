import { ADDRESSES } from './addresses.js';
import { FetchRequestError, type Finding, inFolder, movedError, type PlannedFile, words } from './finding.js';
import { findDrought, findPositions, findPower, findRates } from './services.js';
import { findReports } from './wasde-reports.js';
import { decoded } from './web-address.js';

interface FetchableDataset {
  /** What is asked for, for messages and help. */
  readonly takes: string;
  /** What is asked for without a word; absent when a word is needed. */
  readonly byDefault?: string | undefined;
  /** The files of a request. @throws ArgumentError when it is not one */
  readonly find: (request: string, finding: Finding) => Promise<PlannedFile[]> | PlannedFile[];
}

/** The data sets that can be fetched by name. */
export const FETCHABLE: ReadonlyMap<string, FetchableDataset> = new Map<string, FetchableDataset>([
  ['nass', { takes: 'a sector, such as crops', byDefault: 'crops', find: findNass }],
  ['faostat', { takes: 'codes of data sets, such as QCL', find: findFaostat }],
  ['ghcnd', { takes: 'ids of stations, or years, such as USC00130200', find: findGhcnd }],
  ['wasde', { takes: 'months, such as 2012-05..2013-01', find: findReports }],
  ['psd', { takes: 'a group, such as grains_pulses', byDefault: 'alldata', find: findPsd }],
  ['ecb', { takes: 'keys of series, such as M.USD.EUR.SP00.A', byDefault: 'reference', find: findRates }],
  ['usdm', { takes: 'STATES or COUNTIES,FROM,TO, such as IA,2020-01-01,2020-12-31', find: findDrought }],
  ['cot', { takes: 'reports and years, such as legacy:2020..2024', find: findPositions }],
  [
    'power',
    { takes: 'LATITUDE,LONGITUDE,FROM,TO, such as 42.0,-93.6,2020-01-01,2020-12-31', find: findPower },
  ],
]);

/**
 * The files of what is asked for of a data set.
 * @throws ArgumentError when the request is not one of the data set
 */
export async function findFiles(
  dataset: string,
  request: string | null,
  finding: Finding,
): Promise<{ request: string; files: PlannedFile[] }> {
  const fetchable = FETCHABLE.get(dataset);
  if (fetchable === undefined) {
    const names = [...FETCHABLE.keys()].join(', ');
    throw new FetchRequestError(
      `${dataset} cannot be fetched by name; give the addresses of its files (by name: ${names})`,
    );
  }
  const asked = request ?? fetchable.byDefault;
  if (asked === undefined) throw new FetchRequestError(`${dataset} needs ${fetchable.takes}`);
  return { request: asked, files: await fetchable.find(asked, finding) };
}

/** The newest file of a sector: its name has the date, and nothing else names it. */
async function findNass(request: string, { listing }: Finding): Promise<PlannedFile[]> {
  const page = await listing(ADDRESSES.nassFolder);
  const found = [...page.matchAll(/qs\.([a-z_]+?)(?:_(\d{8})|(\d{4}))\.txt\.gz/g)].map(
    ([name, sector, date = '', year = '']) => ({ name, sector: sector! + year, date }),
  );
  if (found.length === 0) throw movedError('nass', ADDRESSES.nassFolder);
  const [newest] = found
    .filter(({ sector }) => sector === request)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
  if (newest === undefined) {
    const sectors = [...new Set(found.map(({ sector }) => sector))].sort().join(', ');
    throw new FetchRequestError(`nass has no "${request}"; it has ${sectors}`);
  }
  return [inFolder(ADDRESSES.nassFolder, newest.name)];
}

interface CatalogueEntry {
  readonly DatasetCode?: unknown;
  readonly FileLocation?: unknown;
}

async function findFaostat(request: string, { listing }: Finding): Promise<PlannedFile[]> {
  const locations = readCatalogue(await listing(ADDRESSES.faostatCatalogue));
  return words(request).map((word) => {
    const location = locations.get(word.toUpperCase());
    if (location === undefined) {
      throw new FetchRequestError(
        `faostat has no "${word}"; it has ${[...locations.keys()].sort().join(', ')}`,
      );
    }
    return namedByPath(new URL(location, ADDRESSES.faostatCatalogue).href);
  });
}

function readCatalogue(text: string): Map<string, string> {
  const locations = new Map<string, string>();
  try {
    const { Datasets } = JSON.parse(text) as { Datasets: { Dataset: readonly CatalogueEntry[] } };
    for (const { DatasetCode, FileLocation } of Datasets.Dataset) {
      if (typeof DatasetCode === 'string' && typeof FileLocation === 'string')
        locations.set(DatasetCode.toUpperCase(), FileLocation);
    }
  } catch {
    locations.clear();
  }
  if (locations.size === 0) throw movedError('faostat', ADDRESSES.faostatCatalogue);
  return locations;
}

/** Stations and files by year, with the list of stations: without it, stations would lose their names. */
function findGhcnd(request: string): PlannedFile[] {
  const files = words(request).map((word): PlannedFile => {
    const id = word.toUpperCase();
    if (/^[A-Z]{2}[A-Z0-9_-]{9}$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}all/`, `${id}.dly`);
    if (/^(1[789]|20)\d\d$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}by_year/`, `${id}.csv.gz`);
    throw new FetchRequestError(`"${word}" is neither the id of a station, such as USC00130200, nor a year`);
  });
  return [{ ...inFolder(ADDRESSES.ghcndFolder, 'ghcnd-stations.txt'), isCompanion: true }, ...files];
}

function findPsd(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (!/^[a-z_]+$/.test(word))
      throw new FetchRequestError(`"${word}" is not a group of PSD, such as grains_pulses`);
    return inFolder(ADDRESSES.psdFolder, `psd_${word}_csv.zip`);
  });
}

/** A file named by the end of its address. */
export function namedByPath(address: string): PlannedFile {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? 'file';
  return { address, name: decoded(last) };
}
