import { NDJSON } from '../../contract/wire-names.js';
import { CropframeError } from '../../model/errors.js';
import type { Handlers } from '../handler.js';
import { operationLines } from '../http/operation-lines.js';
import { byteStream } from '../http/stream.js';
import type { Imports } from './imports.js';

export const beginImport: Handlers['importBegin'] = async ({ body, holder }, { imports }) => ({
  data: { importId: await allowed(imports).begin(body, holder) },
});

export const addImportPart: Handlers['importPart'] = async (
  { path, query, request, holder },
  { imports },
) => {
  const { importId, position } = path;
  const part = { position, ...query, body: request.body };
  return { data: { received: await allowed(imports).addPart(importId, holder, part) } };
};

export const cancelImport: Handlers['importCancel'] = async ({ path, holder }, { imports }) => {
  await allowed(imports).cancel(path.importId, holder);
  return { data: { cancelled: true } };
};

export const runImport: Handlers['importRun'] = async (
  { path, holder, signal, onFailure },
  { imports, store },
) => {
  const running = allowed(imports);
  const { request, paths, discard } = running.take(path.importId, holder);
  const lines = operationLines({
    run: async (watch) => ({ report: await running.run(store, { ...request, files: paths }, watch) }),
    onEnd: discard,
    onFailure,
    signal,
  });
  return new Response(byteStream(lines), { headers: { 'content-type': NDJSON } });
};

/** @throws CropframeError (forbidden) where the service allows no imports */
function allowed(imports: Imports | null): Imports {
  if (imports !== null) return imports;
  throw new CropframeError('forbidden', 'this service allows no imports; start it with --allow-import');
}
