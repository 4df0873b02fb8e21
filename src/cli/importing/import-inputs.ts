import { constants, createWriteStream, openSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VERSION } from '../../contract/wire-names.js';
import type { FetchedInputs } from '../../ingest/fetching/fetched-inputs.js';
import type { FetchSettings } from '../../ingest/fetching/fetcher.js';
import { isWebAddress } from '../../ingest/fetching/requests.js';
import { ArgumentError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import type { StoredFetch } from '../../store/import-records.js';
import { makeTemporaryFolder } from '../../store/temporary-files.js';
import type { ImportRequest } from '../commands/importing.js';
import { type CommandContext, type CommandIo, remark } from '../terminal/io.js';
import { interruptible, progressOptions } from '../terminal/progress.js';
import type { ChosenDataset } from './chosen-dataset.js';
import { pickSettings } from './rejects.js';

/** Returns the files of an import, with those from the web downloaded, and the record of the download for the store. */
export async function importInputs(
  context: CommandContext,
  chosen: ChosenDataset,
  request: Omit<ImportRequest, 'files'>,
): Promise<{ files: readonly string[]; fetched?: StoredFetch | undefined }> {
  const { files, document } = chosen;
  const { fetch } = request;
  if (fetch === undefined && !files.some(isWebAddress)) return { files };
  const inputs = await interruptible(context, 'the next fetch goes on where this one ended', () =>
    fetchInputs(context, chosen, request),
  );
  if (inputs.fetch === null) {
    await remark(
      context,
      'note: "cropframe update" will not fetch this again, because local files are part of it',
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

/**
 * Returns how a command downloads: through the proxy of the environment, from the agencies or from a mirror of their
 * files.
 */
export function fetchSettings(
  io: Pick<CommandIo, 'env' | 'stderr' | 'signal'>,
  mirror = io.env.CROPFRAME_MIRROR || undefined,
): FetchSettings {
  return { env: io.env, userAgent: `cropframe/${VERSION}`, mirror, ...progressOptions(io) };
}

/**
 * Runs a step with the files of an import, each pipe first copied to a temporary file: an import reads its files more than
 * once, and a pipe can be read only once, as in `<(zcat rows.gz)`.
 */
export async function withPipedFiles<Result>(
  files: readonly string[],
  signal: AbortSignal,
  step: (files: readonly string[]) => Promise<Result>,
): Promise<Result> {
  let folder: string | null = null;
  try {
    const whole: string[] = [];
    for (const file of files) {
      if (!(await isPipe(file))) {
        whole.push(file);
        continue;
      }
      folder ??= await makeTemporaryFolder();
      const copy = join(await mkdtemp(join(folder, 'pipe-')), basename(file));
      await copyPipe(file, copy, signal);
      whole.push(copy);
    }
    return await step(whole);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

async function isPipe(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFIFO() === true;
}

/** Copies the content of a pipe. Opening it like other files would wait for a writer, and ignore signals. */
async function copyPipe(file: string, copy: string, signal: AbortSignal): Promise<void> {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const source = new Socket({ fd, readable: true, writable: false });
    await pipeline(source, createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw fileFailure(error, { path: file, argument: 'files', to: 'read' });
  }
}
