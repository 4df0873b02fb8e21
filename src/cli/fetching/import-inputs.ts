import type { FetchedInputs } from '../../ingest/fetching/fetched-inputs.js';
import { isWebAddress } from '../../ingest/fetching/web-address.js';
import { ArgumentError } from '../../model/errors.js';
import type { StoredFetch } from '../../store/import-records.js';
import { type CommandContext, remark } from '../terminal/io.js';
import { fetchSettings } from './fetch-settings.js';
import { formatSettings, type RememberedSettings } from './remembered-settings.js';

interface InputRequest extends RememberedSettings {
  readonly files: readonly string[];
  /** What to fetch by name; true for what is fetched by default. */
  readonly fetch?: string | true | undefined;
  readonly mirror?: string | undefined;
}

/** The files of an import, those from the web fetched, and what the store is to remember of them. */
export async function importInputs(
  context: CommandContext,
  dataset: string,
  request: InputRequest,
): Promise<{ files: readonly string[]; fetched?: StoredFetch | undefined }> {
  const { files, fetch } = request;
  if (fetch === undefined && !files.some(isWebAddress)) return { files };
  const inputs = await fetchInputs(context, dataset, request);
  if (inputs.fetch === null) {
    await remark(
      context,
      'note: "cropframe update" will not fetch this again, because local files are part of it',
    );
  }
  const fetched = inputs.fetch === null ? undefined : { ...inputs.fetch, settings: formatSettings(request) };
  return { files: inputs.files, fetched };
}

async function fetchInputs(
  context: CommandContext,
  dataset: string,
  { files, fetch, mirror }: InputRequest,
): Promise<FetchedInputs> {
  const { fetchByAddress, fetchByName } = await import('../../ingest/fetching/fetched-inputs.js');
  const settings = fetchSettings(context, mirror);
  if (fetch === undefined) return fetchByAddress(dataset, files, settings);
  if (files.length > 0) {
    throw new ArgumentError('fetch', `--fetch takes no files; omit --fetch, or ${files.join(' ')}`);
  }
  return fetchByName(dataset, fetch === true ? null : fetch, settings);
}
