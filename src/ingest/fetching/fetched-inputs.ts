import { IngestError } from '../../model/errors.js';
import type { FetchedFile, StoredFetch } from '../../store/import-records.js';
import type { Importer } from '../importer.js';
import { cacheEntry, cacheFolder, type KeptFile } from './cache-folder.js';
import { createFetcher, type Fetcher, type FetchSettings } from './fetcher.js';
import {
  FetchRequestError,
  type Finding,
  isWebAddress,
  namedByPath,
  type PlannedFile,
  withoutLogin,
} from './requests.js';

type FetchedDataset = Pick<Importer, 'dataset' | 'fetch'>;

export type FetchedInputs = Awaited<ReturnType<typeof fetchByAddress>>;

/** Fetches the files for a request or for the data set's default request. @throws ArgumentError or IngestError */
export async function fetchByName(importer: FetchedDataset, request: string | null, settings: FetchSettings) {
  const { dataset } = importer;
  const fetcher = createFetcher(dataset, settings);
  const fetchedMs = Date.now();
  const found = await findFiles(importer, request, { listing: fetcher.listing, nowMs: fetchedMs });
  const { paths, files } = await fetchAll(fetcher, found.files);
  return { files: paths, fetch: { dataset, request: found.request, files, fetchedMs } };
}

/** Downloads each input that is a URL rather than a path. @throws IngestError if a download fails */
export async function fetchByAddress(
  dataset: string,
  given: readonly string[],
  { mirror: _, ...settings }: FetchSettings,
) {
  const addresses = given.filter(isWebAddress);
  const { paths, files } = await fetchAll(createFetcher(dataset, settings), addresses.map(namedByPath));
  const request = addresses.map(withoutLogin).join(' ');
  return {
    files: given.map((file) => paths[addresses.indexOf(file)] ?? file),
    /** The record that later updates use; null if some inputs are local files, which updates would omit. */
    fetch: addresses.length < given.length ? null : { dataset, request, files, fetchedMs: Date.now() },
  };
}

export type NewerFiles = NonNullable<Awaited<ReturnType<typeof fetchNewer>>>;

/** Fetches files newer than an import's files. Returns null if none is newer. @throws ArgumentError or IngestError */
export async function fetchNewer(before: StoredFetch, importer: FetchedDataset, settings: FetchSettings) {
  const { dataset, request } = before;
  const isByAddress = isWebAddress(request);
  const own = isByAddress ? { ...settings, mirror: undefined } : settings;
  const fetcher = createFetcher(dataset, own);
  const nowMs = Date.now();
  const finding = { listing: fetcher.listing, nowMs };
  const planned = isByAddress
    ? request.split(' ').map(namedByPath)
    : (await findAgain(before, importer, finding)).files;
  const kept = new Map<PlannedFile, KeptFile>();
  for (const file of planned) {
    const newest = await fetcher.newest(file, knownFile(before, file));
    if (newest !== null) kept.set(file, newest);
  }
  // If addresses contain dates, a new address may return the same content as the previous one.
  const imported = new Set(before.files.map(({ sha256 }) => sha256));
  const isNewer = (file: PlannedFile) => {
    const found = kept.get(file);
    return file.isCompanion !== true && found !== undefined && !imported.has(found.file.sha256);
  };
  const newer = planned.filter(isNewer);
  if (newer.length === 0) return null;
  const needsAll = isByAddress || planned.some(({ isCompanion }) => isCompanion === true);
  const needed = needsAll ? planned : newer;
  for (const file of needed) if (!kept.has(file)) kept.set(file, await fetcher.file(file));
  return {
    /** The newer files, and any other files that are needed to read them. */
    files: needed.map((file) => kept.get(file)!.path),
    /** The record that replaces the earlier one in the store. */
    fetch: {
      ...before,
      files: planned.map((file) => kept.get(file)?.file ?? knownFile(before, file)!),
      fetchedMs: nowMs,
    },
    newer: newer.map(({ name }) => name),
  };
}

/** Finds the files of an earlier request again. If the request is no longer valid, the agency has changed its files. */
async function findAgain({ dataset, request }: StoredFetch, importer: FetchedDataset, finding: Finding) {
  try {
    return await findFiles(importer, request, finding);
  } catch (error) {
    if (!(error instanceof FetchRequestError)) throw error;
    throw new IngestError(
      dataset,
      `${dataset} ${request} can no longer be updated: ${error.reason}; fetch it again with "cropframe import", or remove it with --forget`,
      { cause: error },
    );
  }
}

/** Removes cached files that a newer fetch replaced, because files with dated names would otherwise fill the disk. */
export async function dropReplaced(
  before: Pick<StoredFetch, 'files'>,
  after: Pick<StoredFetch, 'files'>,
  env: FetchSettings['env'],
): Promise<void> {
  const cache = cacheFolder(env);
  const kept = new Set(after.files.map(({ address }) => address));
  for (const { address } of before.files) {
    if (!kept.has(address)) await cacheEntry(cache, address, '').remove();
  }
}

function knownFile({ files }: StoredFetch, { address }: PlannedFile): FetchedFile | null {
  return files.find((file) => file.address === address) ?? null;
}

async function fetchAll(fetcher: Fetcher, planned: readonly PlannedFile[]) {
  const kept: KeptFile[] = [];
  for (const file of planned) kept.push(await fetcher.file(file));
  return { paths: kept.map(({ path }) => path), files: kept.map(({ file }) => file) };
}

/** Finds the files for a request. @throws ArgumentError if the data set does not have them */
export async function findFiles(
  { dataset, fetch: fetchable }: FetchedDataset,
  request: string | null,
  finding: Finding,
): Promise<{ request: string; files: PlannedFile[] }> {
  if (fetchable === undefined) {
    throw new FetchRequestError(`${dataset} cannot be fetched by name; specify the addresses of its files`);
  }
  const asked = request ?? fetchable.byDefault;
  if (asked === undefined) throw new FetchRequestError(`${dataset} needs ${fetchable.takes}`);
  return { request: asked, files: await fetchable.find(asked, finding) };
}
