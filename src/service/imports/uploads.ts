import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from '../../contract/crc32.js';
import { type ImportRequestBody, MAX_PART_BYTES } from '../../contract/requests/upkeep.js';
import {
  ArgumentError,
  CropframeError,
  HttpError,
  NotFoundError,
  RateLimitError,
} from '../../model/errors.js';
import type { ImportAsked, ImportJob, ImportWatch } from '../../model/importing/job.js';
import type { Store } from '../../store/store.js';

/** Imports whose files are arriving. */
const MAX_OPEN = 4;

/** An import to which nothing is sent for this long is discarded. */
const IDLE_MS = 15 * 60_000;

interface Upload {
  readonly holder: string;
  readonly request: ImportRequestBody;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; received: number }[];
  timer: NodeJS.Timeout;
}

/** The files of imports while they arrive. Each belongs to the holder of the token that began it. */
export class Uploads {
  readonly #open = new Map<string, Upload>();

  readonly #host: ImportHost;

  constructor(host: ImportHost) {
    this.#host = host;
  }

  /** Imports whose files are arriving. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * @returns the id of the import
   * @throws ArgumentError; CropframeError (too_large); RateLimitError when too many are arriving
   */
  async begin(request: ImportRequestBody, holder: string): Promise<string> {
    await this.#host.check(request);
    await this.#requireRoom(request);
    if (this.#open.size >= MAX_OPEN) {
      const message = `${MAX_OPEN} imports are arriving already; try again when one of them has run`;
      throw new RateLimitError(429, '/v2/imports', message, 60_000);
    }
    const importId = randomBytes(16).toString('base64url');
    const folder = join(this.#host.folder, importId);
    const files = request.files.map(({ name, bytes }, position) => ({
      path: join(folder, String(position), fileName(name)),
      bytes,
      received: 0,
    }));
    const timer = this.#discardWhenIdle(importId);
    this.#open.set(importId, { holder, request, folder, files, timer });
    for (const { path } of files) {
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      await (await open(path, 'wx', 0o600)).close();
    }
    return importId;
  }

  /** Writes a part of a file. @returns the bytes of the file that have arrived */
  async addPart(
    importId: string,
    holder: string,
    part: { position: number; offset: number; crc32: number; body: ReadableStream<Uint8Array> | null },
  ): Promise<number> {
    const upload = this.#find(importId, holder);
    const file = upload.files[part.position];
    if (file === undefined)
      throw new ArgumentError('position', `position: the import has ${upload.files.length} files`);
    if (part.offset > file.received)
      throw new ArgumentError(
        'offset',
        `offset: ${file.received} bytes have arrived; send what follows them`,
      );
    upload.timer.refresh();
    const bytes = await this.#write(file.path, { ...part, max: file.bytes - part.offset });
    file.received = Math.max(file.received, part.offset + bytes);
    return file.received;
  }

  /** Takes the files of an import that has arrived whole; the caller discards them. */
  take(
    importId: string,
    holder: string,
  ): { request: ImportRequestBody; paths: string[]; discard(): Promise<void> } {
    const upload = this.#find(importId, holder);
    const cut = upload.files.findIndex(({ bytes, received }) => received < bytes);
    if (cut !== -1) {
      const { received, bytes } = upload.files[cut]!;
      throw new ArgumentError(
        'importId',
        `importId: of file ${cut}, ${received} of ${bytes} bytes have arrived`,
      );
    }
    this.#forget(importId);
    return {
      request: upload.request,
      paths: upload.files.map(({ path }) => path),
      discard: () => rm(upload.folder, { recursive: true, force: true }),
    };
  }

  /** Discards the files of an import. */
  async cancel(importId: string, holder: string): Promise<void> {
    const { folder } = this.#find(importId, holder);
    this.#forget(importId);
    await rm(folder, { recursive: true, force: true });
  }

  #find(importId: string, holder: string): Upload {
    const upload = this.#open.get(importId);
    if (upload?.holder === holder) return upload;
    throw new NotFoundError(
      404,
      'importId',
      'importId: there is no such import; begin one, and run it within 15 minutes of its last part',
    );
  }

  #forget(importId: string): void {
    clearTimeout(this.#open.get(importId)?.timer);
    this.#open.delete(importId);
  }

  #discardWhenIdle(importId: string): NodeJS.Timeout {
    const discard = (): void => {
      const folder = this.#open.get(importId)?.folder;
      this.#forget(importId);
      if (folder !== undefined) void rm(folder, { recursive: true, force: true });
    };
    return setTimeout(discard, IDLE_MS).unref();
  }

  async #requireRoom({ files }: ImportRequestBody): Promise<void> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const { folder, maxBytes } = this.#host;
    if (bytes > maxBytes)
      throw new CropframeError(
        'too_large',
        `the files have ${bytes} bytes, and this service takes ${maxBytes} an import; import fewer files at a time`,
      );
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bytes > bavail * bsize)
      throw new HttpError(503, 'imports', 'the disk of the service has no room for these files', 'store');
  }

  async #write(
    path: string,
    {
      offset,
      max,
      crc32: expected,
      body,
    }: { offset: number; max: number; crc32: number; body: ReadableStream<Uint8Array> | null },
  ): Promise<number> {
    const file = await open(path, 'r+');
    try {
      const { bytes, sum } = await writeParts(file, { offset, max: Math.min(max, MAX_PART_BYTES), body });
      if (sum === expected) return bytes;
      throw new HttpError(422, 'imports', 'the part was damaged on its way; send it again', 'http');
    } finally {
      await file.close();
    }
  }
}

async function writeParts(
  file: FileHandle,
  { offset, max, body }: { offset: number; max: number; body: ReadableStream<Uint8Array> | null },
): Promise<{ bytes: number; sum: number }> {
  let [bytes, sum] = [0, 0];
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    if (bytes + piece.byteLength > max)
      throw new CropframeError('too_large', `the part is longer than ${max} bytes`);
    sum = crc32(piece, sum);
    await file.write(piece, 0, piece.byteLength, offset + bytes);
    bytes += piece.byteLength;
  }
  return { bytes, sum };
}

/** The name of a file without folders and without characters that file systems treat in their own way. */
function fileName(name: string): string {
  const bare = basename(name.replaceAll('\\', '/')).replace(/[^\p{L}\p{N} ()._-]/gu, '_');
  return /^\.*$/.test(bare) ? 'file' : bare;
}

/** What reads data sets for a service. */
export interface ImportHost {
  /** Where files are kept until they are imported. Only this process may read it. */
  readonly folder: string;
  /** Bytes that the files of one import may have. */
  readonly maxBytes: number;
  /** Refuses what cannot be imported, before its files are sent. @throws ArgumentError when there is no such data set, or its settings or files do not fit */
  check(request: ImportAsked): void | Promise<void>;
  /** Imports all or nothing. @returns the report of the wire */
  run(store: Store, job: ImportJob, watch: ImportWatch): Promise<object>;
}
