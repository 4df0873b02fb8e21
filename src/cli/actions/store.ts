import { open } from 'node:fs/promises';
import { ArgumentError, badArgument, StoreError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import { plural } from '../../model/names/plural.js';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress, parseAddress } from '../../store/clickhouse/engine/address.js';
import { initClickhouseStore, SCHEMA_VERSION, schemaStatements } from '../../store/clickhouse/schema.js';
import { copyStore } from '../../store/copying/copy-store.js';
import { checkBackup, restoreStore } from '../../store/duckdb/backup/backup.js';
import { writeNewFile } from '../../store/duckdb/engine/drafts.js';
import { LogKeptError } from '../../store/duckdb/engine/errors.js';
import type { Store, StoreBackup } from '../../store/store.js';
import type { BACKUP, CHECK, COPY, INIT, RESTORE } from '../commands/store.js';
import { foldLog, handleBusyStore, isOnServers, withStore } from '../connection/store-file.js';
import { withClient } from '../connection/with-client.js';
import type { ConnectionOptions } from '../options/flag-groups.js';
import type { Action } from '../options/flags.js';
import { type CommandContext, clearProgress, warn, warnOfAll, writeJson, writeLine } from '../terminal/io.js';
import { interruptible, progressOptions } from '../terminal/progress.js';
import { writeTable } from '../terminal/text-table.js';

const WHEN_BUSY = 'stop that process, check, then start it again';

/** Lists a store's sources and any faults. @throws StoreError, after everything is printed, if there are faults */
export const checkStoreFile: Action<typeof CHECK> = async (context, { store: file, json }) => {
  await foldLog(file).catch(async (error: unknown) => {
    // Any other error is reported when the store is opened.
    if (error instanceof LogKeptError) await warn(context, error.message);
  });
  const { sources, faults } = await withStore(file, { to: 'read', whenBusy: WHEN_BUSY }, (store) =>
    inspect(store, progressOptions(context)),
  );
  clearProgress(context);
  if (json === true) await writeJson(context.stdout, { sources, faults });
  else
    await writeTable(context, sources, [
      { title: 'source', of: ({ source_name }) => source_name },
      { title: 'data set', of: ({ dataset }) => dataset },
      { title: 'imported', of: ({ imported }) => imported?.slice(0, 10) },
      { title: 'series', align: 'right', of: ({ series }) => series.toLocaleString('en') },
      { title: 'points', align: 'right', of: ({ points }) => points.toLocaleString('en') },
    ]);
  if (faults.length === 0) return;
  if (json !== true) await warnOfAll(context, faults);
  throw new StoreError(`${file}: the check found ${faults.length} ${plural('fault', faults.length)}`);
};

/** Writes a backup of a store, even while a service is using the store. */
export const backUpStore: Action<typeof BACKUP> = async (context, request) => {
  const { host, json } = request;
  // The store file, which is omitted with `--host`, and the backup file.
  const files = [request.store, request.to].filter((file) => file !== undefined);
  const to = files.at(-1) ?? '';
  if (files.length !== (host === undefined ? 2 : 1))
    throw new ArgumentError(
      'store',
      host === undefined
        ? 'specify the store file and the backup file, or --host and the backup file'
        : '--host backs up the store of a service; specify only the backup file',
    );
  const store = host ?? files[0]!;
  const whenBusy = 'have that process make the backup (--host), or wait for it to finish';
  const { takenMs, points } = await interruptible(`${to} was not written`, () =>
    host === undefined
      ? withStore(store, { to: 'read', whenBusy }, (opened) => opened.backup(to, progressOptions(context)))
      : fetchBackup(context, request, to),
  );
  const created = new Date(takenMs).toISOString();
  if (json === true) return writeJson(context.stdout, { store, backup: to, created, points });
  const time = created.slice(0, 16).replace('T', ' ');
  const count = points.toLocaleString('en-US');
  await writeLine(context.stdout, `backed up ${store} to ${to}: ${count} points as of ${time} UTC`);
};

export const restoreStoreFile: Action<typeof RESTORE> = async (context, request) => {
  const { backup: file, store, replace, json } = request;
  if (isOnServers(store))
    throw new StoreError(`a backup is also a store: copy it with "cropframe store copy ${file} ${store}"`);
  const points = await interruptible(`${store} is unchanged`, () =>
    restoreStore(file, store, { replace, ...progressOptions(context) }),
  );
  if (json === true) return writeJson(context.stdout, { store, backup: file, points });
  await writeLine(context.stdout, `restored ${store} from ${file}: ${points.toLocaleString('en-US')} points`);
};

async function inspect(store: Store, operation: LongOperation) {
  const imports = await store.sourceImports();
  const ids = imports.map(({ sourceId }) => sourceId);
  const names = new Map((await store.lookup('sources', ids)).map(({ id, name }) => [id, name]));
  return {
    sources: imports.map(({ sourceId, dataset, importedMs, series, points }) => ({
      source_id: sourceId,
      source_name: names.get(sourceId) ?? `source ${sourceId}`,
      dataset,
      imported: importedMs === null ? null : new Date(importedMs).toISOString(),
      series,
      points,
    })),
    faults: await store.findFaults(operation),
  };
}

export const copyStores: Action<typeof COPY> = async (context, { from, to, json }) => {
  const whenBusy = 'stop that process, copy, then start it again';
  const { series, points } = await interruptible(`${to} was not written`, () =>
    copyStore(from, to, progressOptions(context)).catch(handleBusyStore(from, whenBusy)),
  );
  clearProgress(context);
  if (json === true) return writeJson(context.stdout, { from, to, series, points });
  const counts = `${series.toLocaleString('en-US')} series, ${points.toLocaleString('en-US')} points with their revisions`;
  const done = `copied ${from} to ${to}: ${counts}. Users and tokens are not copied`;
  await writeLine(context.stdout, done);
};

export const initStore: Action<typeof INIT> = async (context, { store, print }) => {
  if (!isClickHouseAddress(store))
    throw badArgument('store', `${store} is a file, which the first import creates; omit "store init"`);
  const address = parseAddress(store);
  if (print === true) return writeLine(context.stdout, script(address));
  await initClickhouseStore(store);
  const shards = `${address.hosts.length} ${plural('shard', address.hosts.length)}`;
  await writeLine(context.stdout, `${address.location} is a store of this version, on ${shards}`);
};

function script(address: ReturnType<typeof parseAddress>): string {
  return `-- The tables of a cropframe store, schema version ${SCHEMA_VERSION}: every server needs "point" and "shard_meta", and the
-- first one, ${address.hosts[0]}, all tables. With replicas, write ReplicatedMergeTree for MergeTree, and
-- replicated_deduplication_window for non_replicated_deduplication_window. Afterwards run this, which tells each server of
-- the others:
-- cropframe store init --store '${address.location}'

${schemaStatements(address)
  .map((statement) => `${statement};`)
  .join('\n\n')}`;
}

const OWNER_ONLY = 0o600;

/**
 * Downloads a backup from a service to a new file, and verifies it before the file gets its final name.
 * @throws StoreError if the file already exists, or if the backup is damaged. A damaged backup is not kept
 */
async function fetchBackup(
  context: CommandContext,
  { host, token }: ConnectionOptions,
  to: string,
): Promise<StoreBackup> {
  try {
    // The temporary file is in a private folder, so no other user can replace it with a link.
    return await writeNewFile({ to, name: 'the backup' }, async (draft) => {
      const file = await open(draft, 'wx', OWNER_ONLY);
      const { created, points } = await withClient(context, { host, token }, (client) =>
        client.backUp({ write: (bytes) => file.writeFile(bytes), ...progressOptions(context) }),
      ).finally(() => file.close());
      await checkBackup(draft, to, progressOptions(context));
      return { takenMs: Date.parse(created), points };
    });
  } catch (error) {
    throw fileFailure(error, { path: to, argument: 'to', to: 'write' });
  }
}
