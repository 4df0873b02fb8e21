import * as v from 'valibot';
import { importLine, MAX_PART_BYTES } from '../../contract/requests/upkeep.js';
import { NDJSON } from '../../contract/wire-names.js';
import { NetworkError } from '../../model/errors.js';
import { type DatasetAsked, type RejectedLine, SETTINGS } from '../../model/importing/job.js';
import type { ImportOutcome } from '../../model/importing/outcome.js';
import type { LongOperation } from '../../model/progress.js';
import { fieldsOf, type OptionsOf, required } from '../../model/schema/check.js';
import { LONG_OPERATION } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../../model/schema/operation.js';
import { functionOf, integer, isNot, listOf, type Schema, SHARE, TEXT } from '../../model/schema/schemas.js';
import { operationLines } from '../http/lines.js';
import type { Transport } from '../http/transport.js';

const DATASET: Schema<DatasetAsked> = v.union(
  [TEXT, v.looseObject({})],
  isNot('the name of a data set, or a document that describes one'),
);

const FILE = {
  /** The name of the file. Its extension identifies archives. */
  name: required(TEXT),
  /** The content: a `Blob`, such as from `openAsBlob` of `node:fs`, which is read as it is sent. */
  content: required(v.instance(Blob)),
};
/** A file to import. */
export interface ImportFile extends Readonly<OptionsOf<typeof FILE>> {}

const IMPORT_FILES = {
  ...LONG_OPERATION,
  /** The name of a data set, such as `nass`, or a document that describes one. */
  dataset: required(DATASET),
  /** The files of the data set; none for a data set that comes with the package. */
  files: listOf(fieldsOf<ImportFile>(FILE)),
  /** Settings of the data set by name, as in `importDataset`. */
  settings: SETTINGS,
  /** The import fails if a larger share of the rows is rejected; 0.05 by default. */
  max_rejected_share: SHARE,
  /** The import fails if more rows are rejected. The share then has no effect. */
  max_rejected: integer(),
  /** The import fails if more rows contradict each other; 0.1 % of all rows by default. */
  max_conflicts: integer(),
  /** Called with up to 100,000 rows that are rejected or contradict each other. */
  onRejected: functionOf<(rows: readonly RejectedLine[]) => void>(),
};
/** An import into the store of a service. */
export interface ImportFilesOptions extends LongOperation, OptionsOf<typeof IMPORT_FILES> {}

/** Imports files into the store of a service that allows it. */
export interface ImportOperations {
  /**
   * Sends files to the service, which imports all of them or nothing. The service remains available. Needs a token with
   * the right to import. Importing the same files again changes nothing.
   * @returns the account of every row, and the changes of the store
   * @throws HttpError if the service allows no imports or the import fails, in which case nothing is changed;
   * NetworkError if the connection breaks during the import, which is then rolled back unless it had already ended
   */
  importFiles(options: ImportFilesOptions): Promise<ImportOutcome>;
}

importOperations.takes = {
  importFiles: promise(mandatory(IMPORT_FILES)),
} satisfies ArgumentsOf<ImportOperations>;

export function importOperations(transport: Transport): ImportOperations {
  return {
    async importFiles(options) {
      const { files = [], signal } = options;
      const importId = await startImport(transport, options, files);
      const part = { maxBytes: FIRST_PART_BYTES };
      try {
        for (const [position, file] of files.entries())
          await sendFile(transport, { importId, position, file, part, options });
      } catch (error) {
        await cancel(transport, importId);
        throw error;
      }
      signal?.throwIfAborted();
      return executeImport(transport, importId, options);
    },
  };
}

async function startImport(
  transport: Transport,
  { dataset, settings, max_rejected_share, max_rejected, max_conflicts, signal }: ImportFilesOptions,
  files: readonly ImportFile[],
): Promise<string> {
  const body = {
    dataset,
    files: files.map(({ name, content }) => ({ name, bytes: content.size })),
    settings,
    maxRejectedShare: max_rejected_share,
    maxRejected: max_rejected,
    maxConflicts: max_conflicts,
  };
  const answer = await transport.json('importBegin', { body, signal });
  return answer!.data.importId;
}

interface Sending {
  readonly importId: string;
  readonly position: number;
  readonly file: ImportFile;
  /** The size of the next part, adapted to the speed of the connection. */
  readonly part: { maxBytes: number };
  readonly options: ImportFilesOptions;
}

const FIRST_PART_BYTES = 131_072;
const MIN_PART_BYTES = 4_096;

/** Below the first time for a part, the next one is larger. Above the second, it is smaller. */
const [QUICK_MS, SLOW_MS] = [1_000, 10_000];

/**
 * Sends a file in parts that take about a second each, so that progress shows on a slow connection and proxies do not
 * time out. A part sent again replaces the earlier one, so each can be retried. A retry sends a smaller part.
 */
async function sendFile(
  transport: Transport,
  { importId, position, file: { name, content }, part, options: { signal, onProgress } }: Sending,
): Promise<void> {
  for (let offset = 0; offset < content.size; ) {
    const bytes = new Uint8Array(await content.slice(offset, offset + part.maxBytes).arrayBuffer());
    let [sent, startedMs] = [bytes, 0];
    await transport.json('importPart', () => {
      if (startedMs > 0) part.maxBytes = Math.max(MIN_PART_BYTES, part.maxBytes / 4);
      startedMs = performance.now();
      sent = bytes.subarray(0, part.maxBytes);
      return { path: { importId, position }, query: { offset }, bytes: new Blob([sent]), signal };
    });
    offset += sent.byteLength;
    const tookMs = performance.now() - startedMs;
    if (tookMs < QUICK_MS) part.maxBytes = Math.min(MAX_PART_BYTES, 2 * part.maxBytes);
    else if (tookMs > SLOW_MS) part.maxBytes = Math.max(MIN_PART_BYTES, part.maxBytes / 2);
    onProgress?.({ label: `sending ${name}`, done: offset, total: content.size, unit: 'bytes' });
  }
}

/** Cancels an import. A failure to cancel is ignored, because the reason for cancelling is the one to report. */
async function cancel(transport: Transport, importId: string): Promise<void> {
  await transport.json('importCancel', { path: { importId }, once: true }).catch(() => {});
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
      'importRun: the answer ended before the report; import again, which does not change points that are already stored',
    );
  });
}
