import type { ImportLine } from '../../contract/requests/imports.js';
import { NDJSON } from '../../contract/wire-names.js';
import { CropframeError } from '../../model/errors.js';
import type { ImportJob, RejectedLine } from '../../model/importing/job.js';
import type { ServiceContext } from '../context.js';
import type { Handlers } from '../handler.js';
import { byteStream } from '../http/stream.js';
import type { ImportHost } from './import-host.js';
import type { Imports } from './imports.js';

export const beginImport: Handlers['importBegin'] = async ({ body, holder }, { imports }) => ({
  data: { importId: await allowed(imports).uploads.begin(body, holder) },
});

export const addImportPart: Handlers['importPart'] = async (
  { path, query, request, holder },
  { imports },
) => {
  const { importId, position } = path;
  const part = { position, ...query, body: request.body };
  return { data: { received: await allowed(imports).uploads.addPart(importId, holder, part) } };
};

export const cancelImport: Handlers['importCancel'] = async ({ path, holder }, { imports }) => {
  await allowed(imports).uploads.cancel(path.importId, holder);
  return { data: { cancelled: true } };
};

export const runImport: Handlers['importRun'] = async ({ path, holder, signal }, { imports, store }) => {
  const { host, uploads } = allowed(imports);
  const { request, paths, discard } = uploads.take(path.importId, holder);
  const job = { ...request, files: paths };
  return new Response(byteStream(importLines({ host, store, job, discard, signal })), {
    headers: { 'content-type': NDJSON },
  });
};

/** @throws CropframeError (forbidden) where the service allows no imports */
function allowed(imports: Imports | null): Imports {
  if (imports !== null) return imports;
  throw new CropframeError('forbidden', 'this service allows no imports; start it with --allow-import');
}

/** A line is sent at least this often, so that neither side takes the other for gone. */
const HEARTBEAT_MS = 10_000;

/** More rejected rows than this are counted in the report, and not sent. */
const MAX_REJECTED_ROWS = 100_000;

interface Running extends Pick<ServiceContext, 'store'> {
  readonly host: ImportHost;
  readonly job: ImportJob;
  readonly discard: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs an import, and tells how it goes. When the reader leaves, the import is rolled back. */
async function* importLines({ host, store, job, discard, signal }: Running): AsyncGenerator<string> {
  const leaving = new AbortController();
  const news = new News();
  const ended = host
    .run(store, job, {
      signal: AbortSignal.any([signal, leaving.signal]),
      onProgress: (progress) => news.tell({ progress }),
      onRejected: (rows) => news.reject(rows),
    })
    .then(
      (report): object => ({ report }),
      (error: unknown): object => ({ error: failureOf(error) }),
    )
    .finally(() => news.end());
  try {
    for (let lines = await news.next(); lines !== null; lines = await news.next())
      yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    yield `${JSON.stringify(await ended)}\n`;
  } finally {
    leaving.abort();
    await ended;
    await discard();
  }
}

/** What the importer is told: why a file or the store refuses the import, and of a fault of ours only that it is one. */
function failureOf(error: unknown): NonNullable<ImportLine['error']> {
  if (error instanceof CropframeError) return { error: error.code, message: error.message };
  return {
    error: 'internal',
    message: 'the import failed for a reason that only the service can explain; nothing was changed',
  };
}

/** What happens between two looks of the reader: the last progress, and all rejected rows. */
class News {
  #progress: ImportLine | null = null;
  #rejected: RejectedLine[] = [];
  #sent = 0;
  #ended = false;
  #wake: () => void = () => {};

  tell(line: ImportLine): void {
    this.#progress = line;
    this.#wake();
  }

  reject(rows: readonly RejectedLine[]): void {
    const kept = rows.slice(0, MAX_REJECTED_ROWS - this.#sent);
    this.#sent += kept.length;
    this.#rejected.push(...kept.map(({ file, line, reason, text }) => ({ file, line, reason, text })));
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The news since the last call, an empty line when there are none for long; null at the end. */
  async next(): Promise<ImportLine[] | null> {
    if (this.#isEmpty() && !this.#ended) await this.#wait();
    if (this.#isEmpty()) return this.#ended ? null : [{}];
    const rejected = this.#rejected.length > 0 ? [{ rejected: this.#rejected }] : [];
    const lines = [...rejected, ...(this.#progress === null ? [] : [this.#progress])];
    this.#rejected = [];
    this.#progress = null;
    return lines;
  }

  #isEmpty(): boolean {
    return this.#progress === null && this.#rejected.length === 0;
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }
}
