import type * as v from 'valibot';
import { backupLine, type KeptBackup, type keptBackup } from '../../contract/requests/upkeep.js';
import { BYTES, NDJSON } from '../../contract/wire-names.js';
import { badAnswer, NetworkError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { type OptionsOf, required } from '../../model/schema/check.js';
import { LONG_OPERATION } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../../model/schema/operation.js';
import { functionOf } from '../../model/schema/schemas.js';
import { operationLines } from '../http/lines.js';
import type { Transport } from '../http/transport.js';

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

backupOperations.takes = { backUp: promise(mandatory(BACK_UP)) } satisfies ArgumentsOf<BackupOperations>;

export function backupOperations(transport: Transport): BackupOperations {
  return {
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
