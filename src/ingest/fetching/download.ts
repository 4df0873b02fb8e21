import { open } from 'node:fs/promises';
import type { FetchedFile } from '../../store/import-records.js';
import type { CacheEntry, FoundPart, KeptFile, PartFile } from './cache-folder.js';
import {
  dump,
  FetchFailure,
  type HttpAnswer,
  type HttpClient,
  headerOf,
  networkFailure,
  statusFailure,
} from './http-client.js';

interface DownloadJob {
  readonly client: HttpClient;
  readonly entry: CacheEntry;
  /** Where the file is asked for: its address, or that of a mirror. */
  readonly address: string;
  /** A version of the file that need not be sent again. */
  readonly known: Pick<FetchedFile, 'etag' | 'lastModified'> | null;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes so far and the length of the file, null while unknown, as they arrive. */
  readonly onBytes: (done: number, total: number | null) => void;
}

/**
 * Downloads a file once, from where the last try ended if the server can; null when the known version is still the
 * newest. The file is kept only when its length is the one that the server gave, and when it is not a web page.
 * @throws FetchFailure
 */
export async function download(job: DownloadJob): Promise<KeptFile | null> {
  const { client, entry, address, known, signal } = job;
  const found = await entry.part();
  const validator = found === null || found.size === 0 ? null : rangeValidator(found.part);
  const answer = await client.get(
    address,
    validator === null ? conditions(known) : { range: `bytes=${found!.size}-`, 'if-range': validator },
    signal,
  );
  if (answer.statusCode === 206 && validator !== null) return continuePart(answer, found!, job);
  if (answer.statusCode === 200) return wholeFile(answer, job);
  await dump(answer);
  if (answer.statusCode === 304 && known !== null) return null;
  if (answer.statusCode === 416 && validator !== null) {
    await entry.dropPart();
    throw new FetchFailure('the file has become shorter while it was fetched', { mayRetry: true });
  }
  throw statusFailure(answer);
}

/** The mark that a server compares with the version of a part; a weak ETag does not identify bytes. */
function rangeValidator({ etag, lastModified }: Pick<PartFile, 'etag' | 'lastModified'>): string | null {
  return etag !== null && !etag.startsWith('W/') ? etag : lastModified;
}

function conditions(known: DownloadJob['known']): Record<string, string> {
  return {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
}

async function wholeFile(answer: HttpAnswer, job: DownloadJob): Promise<KeptFile> {
  const encoding = headerOf(answer, 'content-encoding') ?? 'identity';
  // Importers unpack gzip themselves.
  if (!/^(identity|x-gzip|gzip)$/i.test(encoding)) {
    await dump(answer);
    throw new FetchFailure(`the server sends it encoded as ${encoding}, although it was asked not to`);
  }
  const length = headerOf(answer, 'content-length');
  const part = {
    etag: headerOf(answer, 'etag'),
    lastModified: headerOf(answer, 'last-modified'),
    bytes: length === null ? null : Number(length),
  };
  const path = await job.entry.beginPart(part);
  return append(answer, { ...job, path, part, size: 0 });
}

async function continuePart(
  answer: HttpAnswer,
  { part, path, size }: FoundPart,
  job: DownloadJob,
): Promise<KeptFile> {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headerOf(answer, 'content-range') ?? '') ?? [];
  const bytes = total === undefined || total === '*' ? part.bytes : Number(total);
  if (Number(start) !== size || bytes !== (part.bytes ?? bytes) || !isSameVersion(answer, part)) {
    await dump(answer);
    await job.entry.dropPart();
    throw new FetchFailure('the file has changed while it was fetched', { mayRetry: true });
  }
  return append(answer, { ...job, path, part: { ...part, bytes }, size });
}

/** A server may leave out the date of a range, and some ignore `If-Range`, and answer a range of another version. */
function isSameVersion(answer: HttpAnswer, part: Omit<PartFile, 'file'>): boolean {
  const sent = {
    etag: headerOf(answer, 'etag') ?? part.etag,
    lastModified: headerOf(answer, 'last-modified') ?? part.lastModified,
  };
  return sent.etag === part.etag && rangeValidator(sent) === rangeValidator(part);
}

interface Appending extends DownloadJob {
  readonly path: string;
  readonly part: Omit<PartFile, 'file'>;
  readonly size: number;
}

async function append(answer: HttpAnswer, job: Appending): Promise<KeptFile> {
  const { entry, path, part, signal, onBytes } = job;
  let done = job.size;
  const handle = await open(path, 'a', 0o600);
  try {
    for await (const chunk of answer.body) {
      await handle.appendFile(chunk);
      done += chunk.length;
      onBytes(done, part.bytes);
    }
    await handle.sync();
  } catch (cause) {
    signal?.throwIfAborted();
    if ((cause as NodeJS.ErrnoException).syscall === 'write') {
      // On a full disk the part would only be in the way.
      await entry.dropPart().catch(() => {});
      throw cause;
    }
    throw networkFailure(cause);
  } finally {
    await handle.close();
  }
  if (part.bytes !== null && done < part.bytes) {
    throw new FetchFailure(`only ${done} of ${part.bytes} bytes arrived`, { mayRetry: true });
  }
  if (part.bytes !== null && done > part.bytes) {
    await entry.dropPart();
    throw new FetchFailure(`more than its ${part.bytes} bytes arrived`, { mayRetry: true });
  }
  if (await isWebPage(path)) {
    await entry.dropPart();
    throw new FetchFailure('the server sent a web page in place of the file');
  }
  return entry.keep(path, { etag: part.etag, lastModified: part.lastModified });
}

/** Whether a file is HTML: servers send their error pages with status 200 too. */
async function isWebPage(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2048), 0, 2048, 0);
    return /<!doctype\s+html|<html[\s>]/i.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await handle.close();
  }
}
