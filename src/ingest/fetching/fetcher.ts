import { isSystemError } from '../../model/arguments/file-failure.js';
import { IngestError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import type { FetchedFile } from '../../store/import-records.js';
import { CacheEntry, cacheFolder, type KeptFile } from './cache-folder.js';
import { download } from './download.js';
import {
  DEFAULT_PACE,
  dump,
  FetchFailure,
  HttpClient,
  type HttpSettings,
  type Pace,
  statusFailure,
  wait,
  withRetries,
} from './http-client.js';
import { isWebAddress, type PlannedFile, shownAddress, withoutLogin } from './requests.js';

/** How files are fetched. */
export interface FetchSettings extends HttpSettings, LongOperation {
  /**
   * A server that has the files of the agencies, each under the name of its host: `https://mirror.example/files` has
   * `https://www.nass.usda.gov/datasets/` at `https://mirror.example/files/www.nass.usda.gov/datasets/`.
   */
  readonly mirror?: string | undefined;
  readonly pace?: Partial<Pace> | undefined;
}

const MAX_LISTING_BYTES = 64 << 20;

/** Fetches files one after the other into the cache folder, and pages that list files. */
export class Fetcher {
  readonly #client: HttpClient;
  readonly #cache: string;
  readonly #settings: FetchSettings;
  readonly #pace: Pace;
  readonly #dataset: string;
  #askedMs = Number.NEGATIVE_INFINITY;

  /** @throws IngestError when the proxy or the mirror of the settings is not an address */
  constructor(dataset: string, settings: FetchSettings) {
    this.#dataset = dataset;
    this.#settings = settings;
    this.#pace = { ...DEFAULT_PACE, ...settings.pace };
    this.#cache = cacheFolder(settings.env);
    const { mirror } = settings;
    if (mirror !== undefined && !isWebAddress(mirror)) {
      throw new IngestError(
        dataset,
        `the mirror "${mirror}" is not a web address; give one such as https://host/path`,
      );
    }
    try {
      this.#client = new HttpClient(settings);
    } catch (error) {
      throw error instanceof FetchFailure ? new IngestError(dataset, error.message, { cause: error }) : error;
    }
  }

  /**
   * A file in its newest version, from the cache where that has it.
   * @param known a version fetched before
   * @returns null when `known` is the newest version
   * @throws IngestError that says why it cannot be fetched, or the signal's reason
   */
  async newest(wanted: PlannedFile, known: FetchedFile | null): Promise<KeptFile | null> {
    const entry = new CacheEntry(this.#cache, withoutLogin(wanted.address), wanted.name);
    return this.#explained(wanted.address, () =>
      entry.locked(async () => {
        const cached = await entry.whole();
        const kept = (await this.#download(wanted, entry, cached?.file ?? known)) ?? cached;
        return kept === null || kept.file.sha256 === known?.sha256 ? null : kept;
      }),
    );
  }

  /** A file in its newest version. @throws IngestError that says why it cannot be fetched, or the signal's reason */
  async file(wanted: PlannedFile): Promise<KeptFile> {
    return (await this.newest(wanted, null))!;
  }

  /** The text of a page that lists files. @throws IngestError that says why it cannot be fetched */
  listing(address: string): Promise<string> {
    const { signal } = this.#settings;
    return this.#explained(address, () =>
      withRetries(
        async () => {
          await this.#pause();
          const answer = await this.#client.get(this.#mirrored(address), {}, signal);
          if (answer.statusCode === 200) return readText(answer.body, signal);
          await dump(answer);
          throw statusFailure(answer);
        },
        { pace: this.#pace, signal },
      ),
    );
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #download(wanted: PlannedFile, entry: CacheEntry, known: FetchedFile | null): Promise<KeptFile | null> {
    const { signal, onProgress } = this.#settings;
    let furthest = 0;
    return withRetries(
      async (onAdvance) => {
        await this.#pause();
        return download({
          client: this.#client,
          entry,
          address: this.#mirrored(wanted.address),
          known,
          signal,
          onBytes: (done, total) => {
            // A server that cannot resume sends the same bytes again, which is no progress.
            if (done > furthest) onAdvance();
            furthest = Math.max(furthest, done);
            onProgress?.({ label: `fetching ${wanted.name}`, done, total, unit: 'bytes', bytes: done });
          },
        });
      },
      { pace: this.#pace, signal },
    );
  }

  #mirrored(address: string): string {
    const { mirror } = this.#settings;
    if (mirror === undefined) return address;
    const { host, pathname, search } = new URL(address);
    return `${mirror.replace(/\/+$/, '')}/${host}${pathname}${search}`;
  }

  async #pause(): Promise<void> {
    await wait(this.#askedMs + this.#pace.betweenMs - performance.now(), this.#settings.signal);
    this.#askedMs = performance.now();
  }

  async #explained<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const file = shownAddress(this.#mirrored(address));
      if (isSystemError(error)) {
        const message = `${file} cannot be saved in the cache folder ${this.#cache}: ${error.message}`;
        throw new IngestError(this.#dataset, message, { cause: error });
      }
      if (!(error instanceof FetchFailure)) throw error;
      throw new IngestError(
        this.#dataset,
        `${file} cannot be fetched: ${error.message}. Try again later, or download it with a browser and import the file`,
        { cause: error },
      );
    }
  }
}

async function readText(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_LISTING_BYTES) throw new FetchFailure('it is too long for a list of files');
      chunks.push(chunk);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof FetchFailure
      ? cause
      : new FetchFailure('the connection broke', { cause, mayRetry: true });
  }
  return Buffer.concat(chunks).toString('utf8');
}
