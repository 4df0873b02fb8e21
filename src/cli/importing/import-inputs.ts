import { stat } from 'node:fs/promises';
import { VERSION } from '../../contract/wire-names.js';
import type { FetchedInputs } from '../../ingest/fetching/fetched-inputs.js';
import type { FetchSettings } from '../../ingest/fetching/fetcher.js';
import { isWebAddress } from '../../ingest/fetching/requests.js';
import { ArgumentError } from '../../model/errors.js';
import type { StoredFetch } from '../../store/import-records.js';
import type { ImportRequest } from '../commands/importing.js';
import { type CommandContext, type CommandIo, remark } from '../terminal/io.js';
import { interruptible, progressOptions } from '../terminal/progress.js';
import type { ChosenDataset } from './chosen-dataset.js';
import { pickSettings } from './rejects.js';

/** Downloads the files of an import that are given as URLs. Returns all its files, and the record of the downloads. */
export async function importInputs(
  context: CommandContext,
  chosen: ChosenDataset,
  request: Omit<ImportRequest, 'files'>,
): Promise<{ files: readonly string[]; fetched?: StoredFetch | undefined }> {
  const { files, document } = chosen;
  const { fetch } = request;
  if (fetch === undefined && !files.some(isWebAddress)) return { files };
  const inputs = await interruptible(context, 'the next fetch resumes where this one ended', () =>
    fetchInputs(context, chosen, request),
  );
  if (inputs.fetch === null) {
    await remark(
      context,
      'note: "cropframe update" will not download this again, because the import includes local files',
    );
  }
  const fetched =
    inputs.fetch === null
      ? undefined
      : { ...inputs.fetch, settings: JSON.stringify({ ...pickSettings(request), document }) };
  return { files: inputs.files, fetched };
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
    throw new ArgumentError(
      'fetch',
      '--fetch needs the name of a data set; "cropframe import --list" lists them',
    );
  if (files.length > 0) {
    throw new ArgumentError('fetch', `--fetch takes no files; omit --fetch, or ${files.join(' ')}`);
  }
  return fetchByName(importer, fetch === true ? null : fetch, settings);
}

/** Returns the download settings: the environment's proxy, and the mirror of the agencies' files, if there is one. */
export function fetchSettings(
  io: Pick<CommandIo, 'env' | 'stderr' | 'signal'>,
  mirror = io.env.CROPFRAME_MIRROR || undefined,
): FetchSettings {
  return { env: io.env, userAgent: `cropframe/${VERSION}`, mirror, ...progressOptions(io) };
}

/** @throws ArgumentError if a file is a pipe, such as `<(zcat rows.gz)`, because an import reads its files twice */
export async function refusePipes(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => null);
    if (found?.isFIFO() !== true) continue;
    const message = `${file} is a pipe, which can be read only once; save it to a file (gzip and zip are accepted)`;
    throw new ArgumentError('files', message);
  }
}
