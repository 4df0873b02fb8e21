import { CONTENT_DIGEST, contentDigest } from '../../contract/content-digest.js';
import { BYTES, NDJSON } from '../../contract/wire-names.js';
import { CropframeError } from '../../model/errors.js';
import type { Handlers } from '../handler.js';
import { operationLines } from '../http/operation-lines.js';
import { byteStream } from '../http/stream.js';
import type { Imports } from './imports.js';

export const upkeepHandlers = {
  importBegin: async ({ body, holder }, { imports }) => ({
    data: { importId: await allowed(imports).begin(body, holder) },
  }),

  importPart: async ({ path, query, request, holder }, { imports }) => {
    const { importId, position } = path;
    const part = { position, ...query, body: request.body };
    return { data: { received: await allowed(imports).addPart(importId, holder, part) } };
  },

  importCancel: async ({ path, holder }, { imports }) => {
    await allowed(imports).cancel(path.importId, holder);
    return { data: { cancelled: true } };
  },

  importRun: async ({ path, holder, signal, onFailure }, { imports, store }) => {
    const running = allowed(imports);
    const { request, paths, discard } = running.take(path.importId, holder);
    const lines = operationLines({
      run: async (watch) => ({ report: await running.run(store, { ...request, files: paths }, watch) }),
      onEnd: discard,
      onFailure,
      signal,
    });
    return new Response(byteStream(lines), { headers: { 'content-type': NDJSON } });
  },

  backupBegin: async ({ holder, signal, onFailure }, { backups, store }) => {
    backups.requireTurn(holder);
    const lines = operationLines({
      async run(watch) {
        const { takenMs, ...backup } = await backups.make(store, holder, watch);
        return { backup: { ...backup, created: new Date(takenMs).toISOString() } };
      },
      onFailure,
      signal,
    });
    return new Response(byteStream(lines), { headers: { 'content-type': NDJSON } });
  },

  backupPart: async ({ path, query, holder }, { backups }) => {
    const part = await backups.part(path.backupId, holder, query.offset);
    return new Response(part, {
      headers: {
        'content-type': BYTES,
        'content-length': String(part.byteLength),
        [CONTENT_DIGEST]: await contentDigest(part),
        'cache-control': 'no-store, no-transform',
      },
    });
  },

  backupDiscard: async ({ path, holder }, { backups }) => {
    await backups.discard(path.backupId, holder);
    return { data: { discarded: true } };
  },
} satisfies Partial<Handlers>;

/** @throws CropframeError (forbidden) where the service allows no imports */
function allowed(imports: Imports | null): Imports {
  if (imports !== null) return imports;
  throw new CropframeError('forbidden', 'this service allows no imports; start it with --allow-import');
}
