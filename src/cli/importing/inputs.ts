import { readFile, stat } from 'node:fs/promises';
import { VERSION } from '../../contract/wire-names.js';
import { DATASETS, importerOf, recogniseDatasets } from '../../ingest/datasets.js';
import { documentName, withTables } from '../../ingest/document/documents.js';
import type { FetchedInputs } from '../../ingest/fetching/fetched-inputs.js';
import type { FetchSettings } from '../../ingest/fetching/fetcher.js';
import { isWebAddress } from '../../ingest/fetching/requests.js';
import type { Importer } from '../../ingest/importer.js';
import { firstBytes } from '../../ingest/reading/input-files.js';
import { ArgumentError, badArgument, IngestError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import type { DatasetDocument } from '../../model/importing/job.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import type { StoredFetch } from '../../store/import-records.js';
import type { ImportRequest } from '../commands/importing.js';
import { type CommandContext, type CommandIo, remark } from '../terminal/io.js';
import { interruptible, progressOptions } from '../terminal/progress.js';
import { pickSettings } from './rejects.js';

export interface ChosenDataset {
  /** The data set's importer. Not set if the command specifies only files. */
  readonly importer?: Importer | undefined;
  /** The user's own document that describes the data set, if there is one. */
  readonly document?: DatasetDocument | undefined;
  readonly files: readonly string[];
}

/**
 * Chooses an import's data set from the first argument, which may be the name of a data set or the path of a document.
 * Any other first argument is treated as an input file.
 * @throws ArgumentError if the argument is neither a name nor a file, or if the document is invalid
 */
export async function chooseDataset(words: readonly string[]): Promise<ChosenDataset> {
  const [first, ...files] = words;
  if (first === undefined || isWebAddress(first)) return { files: words };
  if (DATASETS.includes(first)) return { importer: await importerOf(first), files };
  const found = await readDocumentFile(first, files.length > 0);
  if (found === null) return { files: words };
  const document = { name: documentName(first), ...found };
  try {
    return { importer: await importerOf(document), document, files };
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new ArgumentError(
      'document',
      error.describe(() => first),
      { cause: error },
    );
  }
}

/** The maximum size of a data set document in bytes. Larger files are treated as data. */
const MAX_DOCUMENT_BYTES = 100_000_000;

/** Top-level keys by which a data set document is recognised. Every document has at least one of them. */
const DOCUMENT_KEYS = ['source', 'extends', 'forms', 'region', 'start_date', 'value', 'values', 'recognise'];

/** Reads a data set document from a file, or returns null if the file contains something else. */
async function readDocumentFile(path: string, hasFiles: boolean): Promise<DatasetDocument | null> {
  const file = await stat(path).catch((error: unknown) => {
    throw missingFileError(path, error);
  });
  if (!file.isFile() || file.size > MAX_DOCUMENT_BYTES) return null;
  const beginning = await firstBytes(path, 100).catch(() => '');
  if (!/^\uFEFF?\s*\{/.test(beginning.toString())) return null;
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const refuse = (problem: string, cause: unknown) =>
    new IngestError(
      'document',
      `${path} ${problem}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { file: path, cause },
    );
  let json: DatasetDocument;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    if (!hasFiles || !/\.json$/i.test(path)) return null;
    throw refuse('is not valid JSON', cause);
  }
  if (!DOCUMENT_KEYS.some((key) => key in json)) return null;
  try {
    return withTables(json, path) as DatasetDocument;
  } catch (cause) {
    throw refuse('refers to a table that cannot be read', cause);
  }
}

function missingFileError(path: string, error: unknown): unknown {
  if (!/^[\w-]+$/.test(path)) return fileFailure(error, { path, argument: 'files', to: 'read' });
  const nearest = nearestWord(path, DATASETS);
  const remedy =
    nearest === undefined ? '"cropframe import --list" lists the data sets' : `did you mean ${nearest}?`;
  return new ArgumentError('dataset', `there is no data set or file "${path}"; ${remedy}`);
}

/**
 * Detects the data set that the files belong to.
 * @returns the data set's importer, or `undefined` if there is only one file and it matches no known data set
 * @throws ArgumentError if the files do not all belong to exactly one data set
 */
export async function recogniseFiles(files: readonly string[]): Promise<Importer | undefined> {
  const found = new Map<string, readonly string[]>();
  for (const file of files) found.set(file, await recogniseDatasets(file));
  const [first = []] = found.values();
  const shared = first.filter((name) => [...found.values()].every((names) => names.includes(name)));
  if (shared.length === 1) return importerOf(shared[0]!);
  if (files.length === 1 && shared.length === 0) return undefined;
  const which = [...found].map(([file, names]) => `${file} is ${names.join(' or ') || 'unknown'}`).join(', ');
  throw new ArgumentError('dataset', `${which}; specify the data set: cropframe import NAME FILE…`);
}

/** Downloads an import's remote files, if any. Returns the paths of all its files, and a record of the downloads. */
export async function importInputs(
  context: CommandContext,
  chosen: ChosenDataset,
  request: Omit<ImportRequest, 'files'>,
): Promise<{ files: readonly string[]; fetched?: StoredFetch | undefined }> {
  const { files, document } = chosen;
  if (request.fetch === undefined && !files.some(isWebAddress)) return { files };
  const inputs = await interruptible('the next fetch resumes where this one ended', () =>
    fetchInputs(context, chosen, request),
  );
  if (inputs.fetch !== null) {
    const settings = JSON.stringify({ ...pickSettings(request), document });
    return { files: inputs.files, fetched: { ...inputs.fetch, settings } };
  }
  await remark(
    context,
    'note: "cropframe update" will not download this again, because the import includes local files',
  );
  return { files: inputs.files };
}

async function fetchInputs(
  context: CommandContext,
  { importer, files }: ChosenDataset,
  { fetch, mirror }: Pick<ImportRequest, 'fetch' | 'mirror'>,
): Promise<FetchedInputs> {
  const { fetchByAddress, fetchByName } = await import('../../ingest/fetching/fetched-inputs.js');
  const settings = fetchSettings(context, mirror);
  if (fetch === undefined) return fetchByAddress(importer?.dataset ?? 'a file', files, settings);
  if (importer === undefined)
    throw badArgument('fetch', 'needs the name of a data set; "cropframe import --list" lists them');
  if (files.length > 0) throw badArgument('fetch', `cannot be combined with files; omit ${files.join(' ')}`);
  return fetchByName(importer, fetch === true ? null : fetch, settings);
}

/** Returns the settings for downloads: the environment, which may name a proxy, and the URL of a mirror, if any. */
export function fetchSettings(
  io: Pick<CommandIo, 'env' | 'stderr' | 'signal'>,
  mirror = io.env.CROPFRAME_MIRROR || undefined,
): FetchSettings {
  return { env: io.env, userAgent: `cropframe/${VERSION}`, mirror, ...progressOptions(io) };
}

/** Rejects pipes, such as `<(zcat rows.gz)`, because an import reads its files twice. @throws ArgumentError */
export async function refusePipes(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => null);
    if (found?.isFIFO() !== true) continue;
    const message = `${file} is a pipe, which can be read only once; save it to a file (gzip and zip are accepted)`;
    throw new ArgumentError('files', message);
  }
}
