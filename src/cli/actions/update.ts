import { constants, existsSync } from 'node:fs';
import { copyFile, realpath, stat } from 'node:fs/promises';
import { findImporter, importerOf } from '../../ingest/datasets.js';
import { dropReplaced, fetchNewer, type NewerFiles } from '../../ingest/fetching/fetched-inputs.js';
import { importDataset } from '../../ingest/import-dataset.js';
import type { Importer, ImportReport } from '../../ingest/importer.js';
import { ArgumentError, StoreError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import { holdPlace, putInPlace, withDraft } from '../../store/duckdb/engine/drafts.js';
import { LogKeptError } from '../../store/duckdb/engine/errors.js';
import type { StoredFetch } from '../../store/import-records.js';
import type { UPDATE } from '../commands/importing.js';
import { foldLog, isOnServers, withStore } from '../connection/store-file.js';
import { fetchSettings } from '../importing/inputs.js';
import {
  createRecordedOptions,
  describeRejects,
  type RememberedSettings,
  withRejects,
} from '../importing/rejects.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, clearProgress, note, remark, writeJson, writeLine } from '../terminal/io.js';
import { interruptible } from '../terminal/progress.js';
import { writeTable } from '../terminal/text-table.js';

type UpdateOptions = InputValues<typeof UPDATE.takes>;

export async function update(context: CommandContext, options: UpdateOptions): Promise<void> {
  if (options.forget !== undefined) return forgetFetch(context, options);
  await (options.list === true ? listFetches : updateStore)(context, options);
}

async function listFetches(context: CommandContext, { store, json }: UpdateOptions): Promise<void> {
  const fetches = await requireFetches(store);
  if (json === true) return writeJson(context.stdout, fetches.map(formatFetch));
  return writeTable(context, fetches, [
    { title: 'fetched', whole: true, of: fetchName },
    { title: 'files', of: ({ files }) => files.length },
    {
      title: 'when (UTC)',
      of: ({ fetchedMs }) => new Date(fetchedMs).toISOString().slice(0, 16).replace('T', ' '),
    },
  ]);
}

async function forgetFetch(context: CommandContext, options: UpdateOptions): Promise<void> {
  const { store: file, forget: name = '', quiet } = options;
  const fetches = await requireFetches(file);
  const fetch = fetches.find((one) => fetchName(one) === name.trim());
  if (fetch === undefined) {
    const names = fetches.map((one) => `"${fetchName(one)}"`).join(', ');
    throw new ArgumentError('forget', `--forget: ${file} has no download "${name}"; it has ${names}`);
  }
  await withStore(file, { to: 'create', whenBusy: 'stop that process, then try again' }, async (store) => {
    const transaction = await store.begin();
    await transaction.record({ forgotten: fetch });
    await transaction.commit();
  });
  if (quiet !== true) await writeLine(context.stdout, `forgotten: ${name.trim()}`);
}

/** Downloads newer files and imports them into a store. If an import fails, a file-based store is left unchanged. */
async function updateStore(context: CommandContext, options: UpdateOptions): Promise<void> {
  const { store, mirror } = options;
  const after = isOnServers(store)
    ? `${store} has the data sets that were imported completely`
    : `${store} is unchanged`;
  const step = async () => {
    const fetches = await requireFetches(store);
    const settings = fetchSettings(context, mirror);
    const newer = new Map<StoredFetch, NewerFiles>();
    for (const fetch of fetches) {
      const found = await fetchNewer(fetch, await importerOfFetch(fetch), settings);
      if (found !== null) newer.set(fetch, found);
    }
    const updates = newer.size === 0 ? undefined : await importNewer(context, newer, options);
    for (const [before, { fetch }] of newer) await dropReplaced(before, fetch, context.env);
    const results = fetches.map((fetch) => updates?.get(fetch) ?? reportUpdate(fetch));
    await printResults(context, results, options);
  };
  // A store on servers has no file to lock. A missing file is reported by `step`.
  const path = await realpath(store).catch(() => null);
  const run = () => (path === null ? step() : holdPlace({ path, name: store }, step));
  await interruptible(after, run).catch((error: unknown) => {
    throw fileFailure(error, { path: store, argument: 'store', to: 'write' });
  });
}

async function requireFetches(file: string): Promise<StoredFetch[]> {
  const fetches = await withStore(file, { to: 'read', whenBusy: WHEN_BUSY }, (store) => store.fetches());
  if (fetches.length > 0) return fetches;
  throw new NothingFoundError(
    `${file} has no downloads to update; import with --fetch first, as in "cropframe import faostat --fetch QCL --store ${file}"`,
  );
}

function importNewer(
  context: CommandContext,
  newer: ReadonlyMap<StoredFetch, NewerFiles>,
  { store, rejects: path }: UpdateOptions,
): Promise<ReadonlyMap<StoredFetch, FetchResult>> {
  const usual = isOnServers(store) ? 'updates.rejects.csv' : `${store}.rejects.csv`;
  return withRejects(context, path ?? usual, async (rejects) => {
    const update = (to: string) =>
      withStore(to, { to: 'write', whenBusy: WHEN_BUSY }, async (opened) => {
        const results = new Map<StoredFetch, FetchResult>();
        for (const [before, { files, fetch, newer: names }] of newer) {
          // An update uses the settings of the original import.
          const settings: RememberedSettings = JSON.parse(fetch.settings);
          const options = createRecordedOptions(context, { files, settings, fetched: fetch, rejects });
          const report = await importDataset(opened, await importerOfFetch(fetch), options);
          results.set(before, reportUpdate(fetch, names, report));
        }
        return results;
      });
    // A store on servers cannot be copied first, so each data set is imported separately: completely, or not at all.
    const updates = await (isOnServers(store) ? update(store) : withStoreCopy(store, update));
    clearProgress(context);
    if (rejects.count > 0) await writeLine(context.stderr, describeRejects(rejects));
    return updates;
  });
}

async function printResults(
  context: CommandContext,
  results: readonly FetchResult[],
  { store, quiet, json }: UpdateOptions,
): Promise<void> {
  const updated = results.some(({ newer_files }) => newer_files.length > 0);
  if (quiet === true && !updated) return;
  if (json === true) return writeJson(context.stdout, { store, updated, fetches: results });
  await writeTable(context, results, [
    { title: 'fetched', whole: true, of: fetchName },
    { title: 'newer files', of: ({ newer_files }) => newer_files.join(', ') || 'nothing newer' },
    { title: 'added', align: 'right', of: ({ added }) => added.toLocaleString('en-US') },
    { title: 'of these revisions', align: 'right', of: ({ revised }) => revised.toLocaleString('en-US') },
  ]);
  for (const { notes } of results) for (const text of notes) await note(context, text);
  if (updated && !isOnServers(store))
    await remark(context, `\nrestart a running service of ${store} to serve the update`);
}

/** Formats a recorded download as it is written on the command line, such as `faostat QCL`. */
function fetchName({ dataset, request }: Pick<StoredFetch, 'dataset' | 'request'>): string {
  return `${dataset} ${request}`;
}

function formatFetch({ dataset, request, files, fetchedMs }: StoredFetch): object {
  const listed = files.map(({ address, etag, lastModified: last_modified, bytes }) => {
    return { address, etag, last_modified, bytes };
  });
  return { dataset, request, fetched_at: new Date(fetchedMs).toISOString(), files: listed };
}

type FetchResult = ReturnType<typeof reportUpdate>;

const UNCHANGED: Pick<ImportReport, 'added' | 'revised' | 'notes'> = { added: 0, revised: 0, notes: [] };

/** Returns the result of updating a recorded download. By default, the result says that nothing newer was found. */
function reportUpdate(
  { dataset, request }: StoredFetch,
  newer_files: readonly string[] = [],
  { added, revised, notes } = UNCHANGED,
) {
  return { dataset, request, newer_files, added, revised, notes };
}

/** Returns the importer for a recorded download. @throws StoreError if this version of cropframe cannot import it */
async function importerOfFetch({ dataset, settings }: StoredFetch): Promise<Importer> {
  const { document } = JSON.parse(settings) as RememberedSettings;
  const importer = await (document === undefined ? findImporter(dataset) : importerOf(document));
  if (importer !== undefined) return importer;
  throw new StoreError(
    `the store contains a download of ${dataset}, which this version of cropframe cannot import; update cropframe`,
  );
}

const WHEN_BUSY = 'wait until the import into this store has finished';

/**
 * Changes a copy of a store and then replaces the store with it, so that either all changes become visible or none do.
 * The caller must hold the store's lock. No other process can write to the store in the meantime. Processes that are
 * reading the store keep reading the file that they opened.
 * @param step receives the copy's path, and must close every store that it opens
 * @throws StoreError if another process is writing to the store
 */
export async function withStoreCopy<Result>(
  file: string,
  step: (copy: string) => Promise<Result>,
): Promise<Result> {
  const path = await realpath(file);
  await foldLog(path);
  const place = { path, name: file };
  return withDraft(place, async (copy) => {
    try {
      const before = await stat(path);
      await copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      // While the store is open for reading, no other process can write to it. Opening and closing the file by any
      // other means would release that lock.
      return await withStore(path, { to: 'read', whenBusy: WHEN_BUSY }, async () => {
        const { mtimeMs, size } = await stat(path);
        if (mtimeMs !== before.mtimeMs || size !== before.size)
          throw new StoreError(
            `another process changed ${file} while it was being copied; ${WHEN_BUSY}, then try again`,
          );
        const result = await step(copy);
        if (existsSync(`${copy}.wal`))
          throw new StoreError(`${file}: the updated copy was not closed; try again`);
        putInPlace(copy, path);
        return result;
      });
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      // The error names the store, because the copy will be deleted.
      throw new StoreError(
        cause instanceof LogKeptError
          ? `${file}: the updated copy could not be written completely, so nothing was changed; free some disk space and try again`
          : cause.message.replaceAll(copy, file),
        { cause },
      );
    }
  });
}
