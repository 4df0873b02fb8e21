import { CONTENT_DIGEST, contentDigest } from '../../contract/content-digest.js';
import { BYTES, NDJSON } from '../../contract/wire-names.js';
import type { Handlers } from '../handler.js';
import { operationLines } from '../http/operation-lines.js';
import { byteStream } from '../http/stream.js';

export const beginBackup: Handlers['backupBegin'] = async (
  { holder, signal, onFailure },
  { backups, store },
) => {
  backups.requireTurn(holder);
  const lines = operationLines({
    async run(watch) {
      const { takenMs, ...backup } = await backups.make(store, holder, watch);
      return { backup: { ...backup, taken: new Date(takenMs).toISOString() } };
    },
    onFailure,
    signal,
  });
  return new Response(byteStream(lines), { headers: { 'content-type': NDJSON } });
};

export const sendBackupPart: Handlers['backupPart'] = async ({ path, query, holder }, { backups }) => {
  const part = await backups.part(path.backupId, holder, query.offset);
  return new Response(part, {
    headers: {
      'content-type': BYTES,
      'content-length': String(part.byteLength),
      [CONTENT_DIGEST]: await contentDigest(part),
      'cache-control': 'no-store, no-transform',
    },
  });
};

export const discardBackup: Handlers['backupDiscard'] = async ({ path, holder }, { backups }) => {
  await backups.discard(path.backupId, holder);
  return { data: { discarded: true } };
};
