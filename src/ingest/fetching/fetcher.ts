import { appendFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRetries, type RetryHint, type RetryPolicy, readRetryAfter } from '../../http/retries.js';
import { HttpError, IngestError, NetworkError } from '../../model/errors.js';
import { isSystemError } from '../../model/file-failure.js';
import type { LongOperation } from '../../model/progress.js';
import type { FetchedFile } from '../../store/import-records.js';
import { firstBytes } from '../reading/input-files.js';
import { type CacheEntry, cacheEntry, cacheFolder, type KeptFile, type PartFile } from './cache-folder.js';
import {
  connectionError,
  createHttpClient,
  dump,
  FetchFailure,
  type HttpAnswer,
  type HttpGet,
  type HttpSettings,
  headerOf,
} from './http-client.js';
import { isWebAddress, type PlannedFile, shownAddress, withoutLogin } from './requests.js';

/** The waits before each request and before the first retry, which are long to spare the agencies' servers. */
const PACE = { betweenMs: 200, firstWaitMs: 1000 };

export interface FetchSettings extends HttpSettings, LongOperation {
  /** The address of a mirror that has a folder for each host: `https://mirror.example/www.nass.usda.gov/datasets/`. */
  readonly mirror?: string | undefined;
  /** The retry policy, and the wait between requests in milliseconds. */
  readonly retry?: (Partial<RetryPolicy> & { readonly betweenMs?: number }) | undefined;
}

export type Fetcher = ReturnType<typeof createFetcher>;

/** Creates a fetcher that caches files. @throws IngestError if the address of the proxy or the mirror is invalid */
export function createFetcher(dataset: string, settings: FetchSettings) {
  const { mirror, signal, onProgress } = settings;
  const cache = cacheFolder(settings.env);
  const { betweenMs, ...policy } = { ...PACE, ...settings.retry };
  const retried = createRetries(policy, { betweenMs });
  if (mirror !== undefined && !isWebAddress(mirror))
    throw new IngestError(
      dataset,
      `the mirror "${mirror}" is not a web address; use one such as https://host/path`,
    );
  const get = createHttpClient(dataset, settings);

  const mirrored = (address: string): string => {
    if (mirror === undefined) return address;
    const { host, pathname, search } = new URL(address);
    return `${mirror.replace(/\/+$/, '')}/${host}${pathname}${search}`;
  };

  async function explained<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      const file = shownAddress(mirrored(address));
      if (isSystemError(cause)) {
        const message = `${file} cannot be saved in the cache folder ${cache}: ${cause.message}. Set XDG_CACHE_HOME to a writable folder, or download the file with a browser and import it`;
        throw new IngestError(dataset, message, { cause });
      }
      if (![FetchFailure, HttpError, NetworkError].some((kind) => cause instanceof kind)) throw cause;
      const message = `${file} cannot be fetched: ${(cause as Error).message}. Try again later, or download it with a browser and import the file`;
      throw new IngestError(dataset, message, { cause });
    }
  }

  function downloaded({ address, name }: PlannedFile, entry: CacheEntry, known: FetchedFile | null) {
    let furthest = 0;
    const attempt = (hint: RetryHint) => {
      const onBytes: DownloadJob['onBytes'] = (done, total) => {
        // If a server cannot resume a download, it sends the same bytes again, which must not count as progress.
        hint.hasAdvanced ||= done > furthest;
        furthest = Math.max(furthest, done);
        onProgress?.({ label: `fetching ${name}`, done, total, unit: 'bytes', bytes: done });
      };
      return download({ get, entry, address: mirrored(address), known, hint, onBytes });
    };
    return retried(attempt, { endpoint: 'fetch', signal });
  }

  /** Fetches a file's newest version; null if that version is `known`. @throws IngestError or the signal's reason */
  async function newest(wanted: PlannedFile, known: FetchedFile | null): Promise<KeptFile | null> {
    const entry = cacheEntry(cache, withoutLogin(wanted.address), wanted.name);
    return explained(wanted.address, () =>
      entry.locked(async () => {
        const cached = await entry.whole();
        const kept = (await downloaded(wanted, entry, cached?.file ?? known)) ?? cached;
        return kept === null || kept.file.sha256 === known?.sha256 ? null : kept;
      }),
    );
  }

  return {
    newest,
    file: async (wanted: PlannedFile): Promise<KeptFile> => (await newest(wanted, null))!,
    /** Reads a page that lists files. @throws IngestError if the page cannot be read */
    listing: (address: string): Promise<string> =>
      explained(address, () =>
        retried((hint) => readPage(get, mirrored(address), hint), { endpoint: 'fetch', signal }),
      ),
  };
}

async function readPage(get: HttpGet, address: string, hint: RetryHint): Promise<string> {
  const answer = await get(address, {});
  if (answer.statusCode === 200)
    return answer.body.text().catch((cause: unknown) => {
      throw connectionError(cause);
    });
  await dump(answer);
  throw statusError(answer, hint);
}

interface DownloadJob {
  readonly get: HttpGet;
  readonly entry: CacheEntry;
  readonly address: string;
  /** An earlier version of the file. The server sends the file only if it has changed since. */
  readonly known: Pick<FetchedFile, 'etag' | 'lastModified'> | null;
  readonly hint: RetryHint;
  readonly onBytes: (done: number, total: number | null) => void;
}

/** Makes one attempt to download or resume a file. Returns null if `known` is current. @throws FetchFailure */
async function download(job: DownloadJob): Promise<KeptFile | null> {
  const { get, entry, address, known } = job;
  const part = await entry.part();
  const validator = part === null || part.size === 0 ? null : part.validator;
  const answer = await get(
    address,
    validator === null
      ? {
          ...(known?.etag && { 'if-none-match': known.etag }),
          ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
        }
      : { range: `bytes=${part!.size}-`, 'if-range': validator },
  );
  const { statusCode } = answer;
  if (statusCode === 200) return append(answer, await beginFile(answer, entry), job);
  const bytes = statusCode === 206 && validator !== null ? lengthOfRest(answer, part!) : null;
  if (bytes !== null) return append(answer, { ...part!, bytes }, job);
  await dump(answer);
  if (validator !== null && [206, 304, 416].includes(statusCode)) {
    await entry.dropPart();
    throw new NetworkError(
      'the download could not be resumed, perhaps because the file on the server has changed',
    );
  }
  if (statusCode === 304 && known !== null) return null;
  throw statusError(answer, job.hint);
}

/** The resolution of modification dates. A file that changes twice within this time may keep its date. */
const DATE_STEP_MS = 1_000;

/** Returns a strong validator (RFC 9110, 8.8.2.2): a strong ETag or a sufficiently old date; null if there is none. */
function strongValidator(answer: HttpAnswer): string | null {
  const isEncoded = !/^identity$/i.test(headerOf(answer, 'content-encoding') ?? 'identity');
  if (isEncoded || /^multipart\//i.test(headerOf(answer, 'content-type') ?? '')) return null;
  const [etag, modified] = [headerOf(answer, 'etag'), headerOf(answer, 'last-modified')];
  if (etag?.startsWith('"')) return etag;
  const ageMs = Date.parse(headerOf(answer, 'date') ?? '') - Date.parse(modified ?? '');
  return ageMs >= DATE_STEP_MS ? modified : null;
}

async function beginFile(answer: HttpAnswer, entry: CacheEntry): Promise<PartFile> {
  const encoding = headerOf(answer, 'content-encoding') ?? 'identity';
  // Importers decompress gzip themselves.
  if (!/^(identity|x-gzip|gzip)$/i.test(encoding)) {
    await dump(answer);
    throw new FetchFailure(
      `the server sent the file encoded as ${encoding}, although no encoding was requested`,
    );
  }
  const length = headerOf(answer, 'content-length');
  const part = {
    etag: headerOf(answer, 'etag'),
    lastModified: headerOf(answer, 'last-modified'),
    bytes: length === null ? null : Number(length),
    validator: strongValidator(answer),
    size: 0,
  };
  await entry.beginPart(part);
  return part;
}

/** Returns the file's length; null if the response is not the rest of the file (some servers ignore `If-Range`). */
function lengthOfRest(answer: HttpAnswer, part: PartFile): number | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headerOf(answer, 'content-range') ?? '') ?? [];
  const bytes = Number(total);
  const isNext = Number(start) === part.size && bytes === (part.bytes ?? bytes);
  return isNext && strongValidator(answer) === part.validator ? bytes : null;
}

async function append(answer: HttpAnswer, part: PartFile, job: DownloadJob): Promise<KeptFile> {
  const { entry, onBytes } = job;
  let { size } = part;
  const handle = await open(entry.partPath, 'a', 0o600);
  try {
    for await (const chunk of answer.body) {
      appendFileSync(handle.fd, chunk);
      size += chunk.length;
      onBytes(size, part.bytes);
    }
    await handle.sync();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === 'write') {
      // The disk is probably full, and the partial download would only take up space.
      await entry.dropPart().catch(() => {});
      throw cause;
    }
    throw connectionError(cause);
  } finally {
    await handle.close();
  }
  if (part.bytes !== null && size > part.bytes) await entry.dropPart();
  if (part.bytes !== null && size !== part.bytes)
    throw new NetworkError(`${size} of ${part.bytes} bytes were received`);
  // Some servers send error pages with status 200.
  if (/<!doctype\s+html|<html[\s>]/i.test((await firstBytes(entry.partPath, 2048)).toString('latin1'))) {
    await entry.dropPart();
    throw new FetchFailure('the server sent a web page instead of the file');
  }
  return entry.keep({ ...part, size });
}

/** Returns the error for an HTTP status, and stores in `hint` the delay that the server requests. */
function statusError(answer: HttpAnswer, hint: RetryHint): HttpError {
  const { statusCode: status } = answer;
  hint.retryAfterMs = readRetryAfter(headerOf(answer, 'retry-after'), headerOf(answer, 'date'));
  return new HttpError(status, 'fetch', statusReason(status, hint.retryAfterMs));
}

function statusReason(status: number, retryAfterMs: number | null): string {
  if (status !== 429 && status !== 503)
    return STATUS_REASONS[status] ?? `the server responded with status ${status}`;
  const wait = retryAfterMs === null ? '' : `; it asks clients to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return `the server is busy (${status})${wait}`;
}

const STATUS_REASONS: Readonly<Record<number, string>> = {
  401: 'the server requires a login (401)',
  403: 'the server refuses the request (403); some servers refuse all programs',
  404: 'there is no such file (404); addresses can change',
  410: 'the file is gone (410); addresses can change',
  451: 'the file is unavailable for legal reasons (451)',
};
