import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerCache, CacheOptions, StoredAnswer } from './answer-cache.js';

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const SUFFIX = '.answer';

/** What stands on a file's first line, before the body. */
interface Head {
  readonly etag: string | null;
  readonly contentType: string;
  readonly answeredAt: string;
  /** SHA-256 of the body: a file that was damaged, or is another program's, is not an answer. */
  readonly sha256: string;
}

/**
 * Answers as files of one folder. A file appears by a rename, so that another process sees it whole or not at all; one
 * that is damaged or vanishes meanwhile counts as absent. Whatever the disk refuses is not kept, and fails nothing.
 */
export class DiskCache implements AnswerCache {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** Bytes written since the folder was last looked through. */
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
      await mkdir(this.#directory, { recursive: true });
      await writeFile(draft, bytes, { flag: 'wx' });
      await rename(draft, this.#pathOf(key));
      this.#written += bytes.byteLength;
      if (this.#written > this.#maxBytes / 16) await this.#makeRoom();
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
   * Removes what was used longest ago when more than three quarters are full: a process writes an eighth at most
   * between two looks, so that two of them at once stay within the bound.
   */
  async #makeRoom(): Promise<void> {
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
    const names = (await readdir(this.#directory)).filter(
      (name) => name.endsWith(SUFFIX) || isLeftDraft(name),
    );
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

/** What a process that died while it wrote left behind takes room, too. */
function isLeftDraft(name: string): boolean {
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
