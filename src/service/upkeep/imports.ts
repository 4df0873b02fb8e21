import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ImportRequestBody, MAX_PART_BYTES } from '../../contract/requests/upkeep.js';
import { badArgument, CropframeError, HttpError, NotFoundError, RateLimitError } from '../../model/errors.js';
import type { ImportAsked, ImportJob, ImportWatch } from '../../model/importing/job.js';
import { makeFolder } from '../../model/make-folder.js';
import type { Store } from '../../store/store.js';
import { readBody } from '../http/stream.js';

const MAX_OPEN = 4;
const MAX_OPEN_OF_HOLDER = 2;

/** How long an import is kept if no further part of it is uploaded. */
const IDLE_MS = 15 * 60_000;

interface Upload {
  readonly holder: string;
  readonly request: ImportRequestBody;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; received: number }[];
  timer: NodeJS.Timeout;
}

/** Manages the imports of a service. Only the token holder who began an upload can continue it. */
export class Imports {
  readonly #open = new Map<string, Upload>();
  #running = 0;

  readonly #host: ImportHost;

  constructor(host: ImportHost) {
    this.#host = host;
  }

  get arriving(): number {
    return this.#open.size;
  }

  get running(): number {
    return this.#running;
  }

  /** Begins an import, and returns its id. @throws ArgumentError, CropframeError (too_large), RateLimitError */
  async begin(request: ImportRequestBody, holder: string): Promise<string> {
    await this.#host.check(request);
    await this.#requireRoom(request);
    this.#requirePlace(holder);
    const importId = randomBytes(16).toString('base64url');
    const folder = join(this.#host.folder, importId);
    const files = request.files.map(({ name, bytes }, position) => ({
      path: join(folder, String(position), fileName(name)),
      bytes,
      received: 0,
    }));
    const timer = setTimeout(() => void this.#discard(importId), IDLE_MS).unref();
    this.#open.set(importId, { holder, request, folder, files, timer });
    try {
      for (const { path } of files) {
        await makeFolder(join(path, '..'), 0o700);
        await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      }
    } catch (error) {
      await this.#discard(importId);
      throw diskFailure(error);
    }
    return importId;
  }

  /** Writes a part of a file. @returns the number of bytes of the file that have arrived so far */
  async addPart(importId: string, holder: string, { position, offset, body }: Part): Promise<number> {
    const upload = this.#find(importId, holder);
    const file = upload.files[position];
    if (file === undefined) throw badArgument('position', `the import has ${upload.files.length} files`);
    if (offset > file.received)
      throw badArgument('offset', `${file.received} bytes have arrived; send the bytes that follow`);
    upload.timer.refresh();
    const maxBytes = Math.min(file.bytes - offset, MAX_PART_BYTES);
    // A whole part is read before it is written, so that nothing is written if the connection breaks.
    const bytes = await readBody(body, { maxBytes, tooLong: `the part is longer than ${maxBytes} bytes` });
    // Bytes that have already arrived are ignored, because a client may repeat a part.
    const news = bytes.subarray(Math.min(bytes.byteLength, file.received - offset));
    if (news.byteLength > 0) await writeAt(file.path, file.received, news);
    file.received = Math.max(file.received, offset + bytes.byteLength);
    return file.received;
  }

  /** Hands over a complete upload to the caller, which runs the import and then must discard the files. */
  take(importId: string, holder: string) {
    const upload = this.#find(importId, holder);
    const cut = upload.files.findIndex(({ bytes, received }) => received < bytes);
    if (cut !== -1) {
      const { received, bytes } = upload.files[cut]!;
      throw badArgument('importId', `only ${received} of ${bytes} bytes of file ${cut} have arrived`);
    }
    this.#forget(importId);
    const job = { ...upload.request, files: upload.files.map(({ path }) => path) };
    return {
      run: async (store: Store, watch: ImportWatch): Promise<object> => {
        this.#running++;
        try {
          return await this.#host.run(store, job, watch);
        } finally {
          this.#running--;
        }
      },
      discard: () => rm(upload.folder, { recursive: true, force: true }),
    };
  }

  async cancel(importId: string, holder: string): Promise<void> {
    this.#find(importId, holder);
    await this.#discard(importId);
  }

  #find(importId: string, holder: string): Upload {
    const upload = this.#open.get(importId);
    if (upload?.holder === holder) return upload;
    throw new NotFoundError(404, 'importId', 'importId: there is no such import, or it expired; begin again');
  }

  #forget(importId: string): void {
    clearTimeout(this.#open.get(importId)?.timer);
    this.#open.delete(importId);
  }

  async #discard(importId: string): Promise<void> {
    const folder = this.#open.get(importId)?.folder;
    this.#forget(importId);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #requirePlace(holder: string): void {
    const ofHolder = [...this.#open.values()].filter((upload) => upload.holder === holder).length;
    if (ofHolder < MAX_OPEN_OF_HOLDER && this.#open.size < MAX_OPEN) return;
    const [count, whose] =
      ofHolder < MAX_OPEN_OF_HOLDER ? [MAX_OPEN, ''] : [MAX_OPEN_OF_HOLDER, ' with this token'];
    const message = `${count} imports${whose} are already being uploaded; try again when one of them has finished`;
    throw new RateLimitError(429, '/v2/imports', message, 60_000);
  }

  async #requireRoom({ files }: ImportRequestBody): Promise<void> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const { folder, maxBytes } = this.#host;
    if (bytes > maxBytes)
      throw new CropframeError(
        'too_large',
        `the files have ${bytes} bytes in total, but this service accepts ${maxBytes} per import; import fewer files at a time`,
      );
    await makeFolder(folder, 0o700);
    const { bavail, bsize } = await statfs(folder);
    if (bytes > bavail * bsize) throw diskFull();
  }
}

interface Part {
  readonly position: number;
  readonly offset: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Writes bytes at a position in a file. The stream retries short writes, so that a full disk causes an error. */
async function writeAt(path: string, start: number, bytes: Uint8Array): Promise<void> {
  await pipeline([bytes], createWriteStream(path, { flags: 'r+', start })).catch((error: unknown) => {
    throw diskFailure(error);
  });
}

function diskFailure(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(error) : error;
}

function diskFull(cause?: unknown): HttpError {
  const message = 'the disk of the service has no room for these files; free some space there';
  return Object.assign(new HttpError(503, 'imports', message, 'store'), { cause });
}

/** Returns a file's name without its folders and forbidden characters. A document may read fields from the rest. */
function fileName(name: string): string {
  const bare = basename(name.replaceAll('\\', '/')).replace(/[\p{Cc}<>:"|?*]/gu, '_');
  return /^\.*$/.test(bare) ? 'file' : bare;
}

/** Checks and runs imports for a service. */
export interface ImportHost {
  /** The folder that holds uploaded files until they are imported. Only this process's user should have access. */
  readonly folder: string;
  /** The maximum total size of an import's files, in bytes. */
  readonly maxBytes: number;
  /**
   * Rejects an import that cannot succeed, before its files are uploaded.
   * @throws ArgumentError if the data set does not exist, or its settings or files are invalid
   */
  check(request: ImportAsked): void | Promise<void>;
  /** Imports all files or none. @returns the report to send to the client */
  run(store: Store, job: ImportJob, watch: ImportWatch): Promise<object>;
}
