import { setTimeout as sleep } from 'node:timers/promises';
import { BYTES, NDJSON } from '../../contract/wire-names.js';
import { CropframeError } from '../../model/errors.js';
import type { ImportWatch, RejectedLine } from '../../model/importing/job.js';
import { linkAbort } from '../../model/linked-abort.js';
import type { Progress } from '../../model/progress.js';
import type { Handlers, RequestContext } from '../handler.js';
import { byteStream } from '../http/stream.js';
import type { Imports } from './imports.js';

export const upkeepHandlers = {
  importBegin: async ({ body, holder }, { imports }) => ({
    data: { importId: await requireImports(imports).begin(body, holder) },
  }),

  importPart: async ({ path, query, request, holder }, { imports }) => {
    const { importId, position } = path;
    const part = { position, ...query, body: request.body };
    return { data: { received: await requireImports(imports).addPart(importId, holder, part) } };
  },

  importCancel: async ({ path, holder }, { imports }) => {
    await requireImports(imports).cancel(path.importId, holder);
    return { data: { cancelled: true } };
  },

  importRun: async (input, { imports, store }) => {
    const { run, discard } = requireImports(imports).take(input.path.importId, input.holder);
    return linesAnswer(input, async (watch) => ({ report: await run(store, watch) }), discard);
  },

  backupBegin: async (input, { backups, store }) => {
    backups.requireTurn(input.holder);
    return linesAnswer(input, async (watch) => {
      const { takenMs, ...backup } = await backups.make(store, input.holder, watch);
      return { backup: { ...backup, created: new Date(takenMs).toISOString() } };
    });
  },

  backupPart: async ({ path, query, holder }, { backups }) => {
    const part = await backups.part(path.backupId, holder, query.offset);
    return new Response(part, {
      headers: {
        'content-type': BYTES,
        'content-length': String(part.byteLength),
        'cache-control': 'no-store, no-transform',
      },
    });
  },

  backupDiscard: async ({ path, holder }, { backups }) => {
    await backups.discard(path.backupId, holder);
    return { data: { discarded: true } };
  },
} satisfies Partial<Handlers>;

function requireImports(imports: Imports | null): Imports {
  if (imports !== null) return imports;
  throw new CropframeError('forbidden', 'this service does not allow imports; start it with --allow-import');
}

const NEWS_MS = 100;

/** The interval between heartbeat lines, which keep clients and proxies from closing a silent connection. */
const HEARTBEAT_MS = 500;

/** The maximum number of rejected rows that are sent. Any further rows are only counted in the report. */
const MAX_REJECTED_ROWS = 100_000;

/** Headers that tell proxies to forward each line as it arrives, without compressing or buffering it. */
const LINES_HEADERS = {
  'content-type': NDJSON,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

const linesAnswer = (...operation: Parameters<typeof streamOperation>): Response =>
  new Response(byteStream(streamOperation(...operation)), { headers: LINES_HEADERS });

/**
 * Runs an operation and yields lines with its latest progress and the rows rejected since the previous line, and
 * finally a line with the result or the error. If the client disconnects, the operation is aborted.
 * @param run runs the operation, and returns the object to send as the last line
 * @param onEnd called after the result has been sent, or after the client has disconnected and the operation has ended
 */
async function* streamOperation(
  { signal, onFailure }: RequestContext,
  run: (watch: ImportWatch) => Promise<object>,
  onEnd?: () => Promise<void>,
): AsyncGenerator<string> {
  const [leaving, ending] = [linkAbort(signal), new AbortController()];
  let progress: Progress[] = [];
  let rejected: RejectedLine[] = [];
  let sent = 0;
  const ended = run({
    signal: leaving.signal,
    onProgress: (last) => {
      progress = [last];
    },
    onRejected: (rows) => {
      const some = rows.slice(0, MAX_REJECTED_ROWS - sent);
      sent += some.length;
      for (const { file, line, reason, text } of some) rejected.push({ file, line, reason, text });
    },
  })
    .catch((error: unknown) => {
      if (!(error instanceof CropframeError) && !leaving.signal.aborted) onFailure(error);
      return { error: explainFailure(error) };
    })
    .finally(() => ending.abort());
  try {
    for (let quietMs = NEWS_MS; !ending.signal.aborted; quietMs += NEWS_MS) {
      await sleep(NEWS_MS, null, { signal: ending.signal }).catch(() => {});
      const news: object[] = progress.map((last) => ({ progress: last }));
      if (rejected.length > 0) news.unshift({ rejected });
      [progress, rejected] = [[], []];
      if (news.length === 0 && quietMs >= HEARTBEAT_MS) news.push({});
      if (news.length === 0) continue;
      quietMs = 0;
      yield news.map((line) => `${JSON.stringify(line)}\n`).join('');
    }
    yield `${JSON.stringify(await ended)}\n`;
  } finally {
    leaving.abort();
    leaving.unlink();
    await ended;
    await onEnd?.();
  }
}

/** Describes a failure. Shows file and store errors in full, because callers have import or administrator rights. */
function explainFailure(error: unknown): { error: string; message: string } {
  if (error instanceof CropframeError) return { error: error.code, message: error.message };
  const message =
    'the operation failed for an internal reason, which is in the log of the service under the id of this request';
  return { error: 'internal', message: `${message}; nothing was changed` };
}
