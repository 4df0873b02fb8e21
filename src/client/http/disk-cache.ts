import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerCache, CacheOptions, StoredAnswer } from './answer-cache.js';

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const SUFFIX = '.answer';

/** The first line of a file, before the body. */
interface Head {
  readonly etag: string | null;
  readonly contentType: string;
  readonly answeredAt: string;
  /** SHA-256 of the body, to detect a file that is damaged or another program's. */
  readonly sha256: string;
}

/**
 * Keeps answers as files in a folder. A file appears by a rename, so that another process sees it whole or not at all.
 * Only its owner can read it. One that is damaged or has vanished counts as absent. An error of the disk is ignored: the answer is not cached.
 */
export class DiskCache implements AnswerCache {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** Bytes written since the folder was last scanned. */
  #written = Number.POSITIVE_INFINITY;

  constructor({ directory, maxBytes = DEFAULT_MAX_BYTES }: CacheOptions) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  async find(key: string): Promise<StoredAnswer | null> {
    const path = this.#pathOf(key);
    try {
      const answer = readAnswer(await readFile(path));
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return answer;
    } catch {
      return null;
    }
  }

  async put(key: string, answer: StoredAnswer): Promise<void> {
    const bytes = writeAnswer(answer);
    if (bytes.byteLength > this.#maxBytes / 16) return;
    const draft = join(this.#directory, `${key}.${randomUUID()}.draft`);
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { flag: 'wx', mode: 0o600 });
      await rename(draft, this.#pathOf(key));
      this.#written += bytes.byteLength;
      if (this.#written > this.#maxBytes / 16) await this.#evict();
    } catch {
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true }).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#directory, key + SUFFIX);
  }

  /**
   * Removes the least recently used answers when more than three quarters of the maximum are in use. A process writes at
   * most an eighth between two scans, so that two processes at once stay below the maximum.
   */
  async #evict(): Promise<void> {
    this.#written = 0;
    const files = await this.#filesByUse();
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= (this.#maxBytes * 3) / 4) return;
    for (const { path, bytes } of files) {
      if (total <= (this.#maxBytes * 5) / 8) return;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  async #filesByUse(): Promise<{ path: string; bytes: number; usedMs: number }[]> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(SUFFIX) || isDraft(name));
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#directory, name);
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { path, bytes: size, usedMs: mtimeMs };
      }),
    );
    return found.sort((a, b) => a.usedMs - b.usedMs);
  }
}

/** A draft is left over when a process dies while it writes. */
function isDraft(name: string): boolean {
  return name.endsWith('.draft');
}

function writeAnswer({ body, etag, contentType, answeredAt }: StoredAnswer): Buffer {
  const head: Head = { etag, contentType, answeredAt, sha256: sha256(body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** @throws when the file is not a whole answer */
function readAnswer(file: Buffer): StoredAnswer | null {
  const end = file.indexOf(10);
  const {
    etag,
    contentType,
    answeredAt,
    sha256: expected,
  } = JSON.parse(file.toString('utf8', 0, end)) as Head;
  const body = new Uint8Array(file.subarray(end + 1));
  return sha256(body) === expected ? { etag, contentType, answeredAt, body } : null;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
