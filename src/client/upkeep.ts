import * as v from 'valibot';
import type { KeptBackup, keptBackup } from '../contract/requests/upkeep.js';
import { backupLine, importLine, MAX_PART_BYTES } from '../contract/requests/upkeep.js';
import { BYTES, NDJSON } from '../contract/wire-names.js';
import { badAnswer, NetworkError } from '../model/errors.js';
import { type DatasetAsked, type RejectedLine, SETTINGS } from '../model/importing/job.js';
import type { ImportOutcome } from '../model/importing/outcome.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import { fieldsOf, type OptionsOf, required } from '../model/schema/check.js';
import { type ArgumentsOf, mandatory, promise } from '../model/schema/operation.js';
import { functionOf, integer, isNot, listOf, type Schema, SHARE, TEXT } from '../model/schema/schemas.js';
import { operationLines } from './http/answer.js';
import type { Transport } from './http/transport.js';

const DATASET: Schema<DatasetAsked> = v.union(
  [TEXT, v.looseObject({})],
  isNot('the name of a data set, or a document that describes one'),
);

const FILE = {
  /** The file's name. Its extension shows whether the file is an archive. */
  name: required(TEXT),
  /** The file's content, read while it is sent. In Node, `openAsBlob` from `node:fs` returns a suitable `Blob`. */
  content: required(v.instance(Blob)),
};
/** A file to import. */
export interface ImportFile extends Readonly<OptionsOf<typeof FILE>> {}

const IMPORT_FILES = {
  ...LONG_OPERATION,
  /** The name of a data set, such as `nass`, or a document that describes one. */
  dataset: required(DATASET),
  /** The data set's files. Omit them for a data set that is included in the package. */
  files: listOf(fieldsOf<ImportFile>(FILE)),
  /** The data set's settings, keyed by name, as for `importDataset`. */
  settings: SETTINGS,
  /** The maximum share of rows that may be rejected before the import fails; default 0.05. */
  max_rejected_share: SHARE,
  /** The maximum number of rows that may be rejected before the import fails. Overrides `max_rejected_share`. */
  max_rejected: integer(),
  /** The maximum number of rows that may contradict each other before the import fails; default 0.1 % of all rows. */
  max_conflicts: integer(),
  /** Called with rows that were rejected or that contradict each other, up to 100,000 in total. */
  onRejected: functionOf<(rows: readonly RejectedLine[]) => void>(),
};
/** Options for an import into a service's store. */
export interface ImportFilesOptions extends LongOperation, OptionsOf<typeof IMPORT_FILES> {}

/** Imports files into a service's store, if the service allows imports. */
export interface ImportOperations {
  /**
   * Sends files to the service, which imports either all of them or nothing. The service remains available in the
   * meantime. The access token must have import rights. Importing the same files again changes nothing.
   * @returns what happened to the rows, and what changed in the store
   * @throws HttpError if the service does not allow imports or the import fails, in which case nothing is changed;
   * NetworkError if the connection breaks during the import, which is then rolled back unless it has already finished
   */
  importFiles(options: ImportFilesOptions): Promise<ImportOutcome>;
}

const BACK_UP = {
  ...LONG_OPERATION,
  /** Called with each part of the backup, in order. The next part is fetched once the returned promise has resolved. */
  write: required(functionOf<(bytes: Uint8Array) => void | Promise<void>>()),
};
/** Options for a backup, including its destination. */
export interface BackUpOptions extends LongOperation, OptionsOf<typeof BACK_UP> {}

/** The metadata of a backup that was received completely. */
export interface FetchedBackup extends Omit<v.InferOutput<typeof keptBackup>, 'backupId'> {}

/** Backs up a service's store. */
export interface BackupOperations {
  /**
   * Asks the service to back up its store, and downloads the backup. The service remains available in the meantime. A
   * part whose download is interrupted is downloaded again. `cropframe store check` and `cropframe store restore` read
   * the backup and verify its checksums. The access token must have administrator rights.
   * @returns the backup's metadata, once the whole backup has been written
   * @throws HttpError if the service cannot make the backup; NetworkError if the download is incomplete, in which case
   * the written bytes are not a valid backup
   */
  backUp(options: BackUpOptions): Promise<FetchedBackup>;
}

upkeepOperations.takes = {
  importFiles: promise(mandatory(IMPORT_FILES)),
  backUp: promise(mandatory(BACK_UP)),
} satisfies ArgumentsOf<ImportOperations & BackupOperations>;

export function upkeepOperations(
  transport: Transport,
  afterImport: () => void,
): ImportOperations & BackupOperations {
  return {
    async importFiles(options) {
      const importId = await startImport(transport, options);
      try {
        await sendFiles(transport, importId, options);
      } catch (error) {
        // If this fails too, the first failure is reported.
        await transport.json('importCancel', { path: { importId }, once: true }).catch(() => {});
        throw error;
      }
      options.signal?.throwIfAborted();
      return executeImport(transport, importId, options).finally(afterImport);
    },
    async backUp(options) {
      const kept = await startBackup(transport, options);
      const { backupId, ...backup } = kept;
      try {
        await fetchParts(transport, kept, options);
      } finally {
        await transport.json('backupDiscard', { path: { backupId }, once: true }).catch(() => {});
      }
      return backup;
    },
  };
}

async function startImport(
  transport: Transport,
  { files = [], signal, ...options }: ImportFilesOptions,
): Promise<string> {
  const body = {
    dataset: options.dataset,
    files: files.map(({ name, content }) => ({ name, bytes: content.size })),
    settings: options.settings,
    maxRejectedShare: options.max_rejected_share,
    maxRejected: options.max_rejected,
    maxConflicts: options.max_conflicts,
  };
  return (await transport.json('importBegin', { body, signal })).data.importId;
}

const FIRST_PART_BYTES = 131_072;
const MIN_PART_BYTES = 4_096;

/** The next part is larger if sending a part takes less than `QUICK_MS`, and smaller if it takes over `SLOW_MS`. */
const [QUICK_MS, SLOW_MS] = [1_000, 10_000];

/**
 * Sends files in parts that take about a second each, so that progress is visible on a slow connection and proxies do
 * not time out. A part that is sent again replaces its earlier copy. Retries send smaller parts.
 */
async function sendFiles(
  transport: Transport,
  importId: string,
  { files = [], signal, onProgress }: ImportFilesOptions,
): Promise<void> {
  let maxBytes = FIRST_PART_BYTES;
  for (const [position, { name, content }] of files.entries()) {
    const path = { importId, position };
    for (let offset = 0; offset < content.size; ) {
      const bytes = new Uint8Array(await content.slice(offset, offset + maxBytes).arrayBuffer());
      let [sent, startedMs] = [bytes, 0];
      const renew = () => {
        if (startedMs > 0) maxBytes = Math.max(MIN_PART_BYTES, maxBytes / 4);
        startedMs = performance.now();
        sent = bytes.subarray(0, maxBytes);
        return { bytes: new Blob([sent]) };
      };
      await transport.json('importPart', { path, query: { offset }, signal, renew });
      offset += sent.byteLength;
      const tookMs = performance.now() - startedMs;
      if (tookMs < QUICK_MS) maxBytes = Math.min(MAX_PART_BYTES, 2 * maxBytes);
      else if (tookMs > SLOW_MS) maxBytes = Math.max(MIN_PART_BYTES, maxBytes / 2);
      onProgress?.({ label: `sending ${name}`, done: offset, total: content.size, unit: 'bytes' });
    }
  }
}

async function executeImport(
  transport: Transport,
  importId: string,
  { signal, onProgress, onRejected }: ImportFilesOptions,
): Promise<ImportOutcome> {
  const call = { path: { importId }, accept: NDJSON, signal, once: true };
  return transport.read('importRun', call, async (response) => {
    for await (const { progress, rejected, report } of operationLines('importRun', response, importLine)) {
      if (progress !== undefined) onProgress?.(progress);
      if (rejected !== undefined) onRejected?.(rejected);
      if (report !== undefined) return report;
    }
    throw new NetworkError(
      'importRun: the response ended before the import report arrived; run the import again (points already stored will not change)',
    );
  });
}

async function startBackup(transport: Transport, { signal, onProgress }: BackUpOptions): Promise<KeptBackup> {
  return transport.read('backupBegin', { accept: NDJSON, signal, once: true }, async (response) => {
    for await (const { progress, backup } of operationLines('backupBegin', response, backupLine)) {
      if (progress !== undefined) onProgress?.(progress);
      if (backup !== undefined) return backup;
    }
    throw new NetworkError('backupBegin: the response ended before the backup was complete; try again');
  });
}

async function fetchParts(
  transport: Transport,
  { backupId, bytes }: KeptBackup,
  { write, signal, onProgress }: BackUpOptions,
): Promise<void> {
  for (let offset = 0; offset < bytes; ) {
    onProgress?.({ label: 'fetching the backup', done: offset, total: bytes, unit: 'bytes' });
    const call = { path: { backupId }, query: { offset }, accept: BYTES, signal };
    const part = await transport.read('backupPart', call, (response) => readPart(response, bytes - offset));
    await write(part);
    offset += part.byteLength;
  }
  onProgress?.({ label: 'fetching the backup', done: bytes, total: bytes, unit: 'bytes' });
}

async function readPart(response: Response, maxBytes: number): Promise<Uint8Array> {
  const part = new Uint8Array(await response.arrayBuffer());
  if (part.byteLength > 0 && part.byteLength <= maxBytes) return part;
  const problem = `responded with ${part.byteLength} bytes, but only ${maxBytes} bytes of the backup are left`;
  throw badAnswer('backupPart', problem, { damaged: true });
}
