import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../model/make-folder.js';
import type { AnswerCache, CacheOptions, StoredAnswer } from './answer-cache.js';

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const SUFFIX = '.answer';
const DRAFT = '.draft';

/** The first line of a cache file, before the body. The hash detects damaged files and files from other programs. */
interface Head extends Omit<StoredAnswer, 'body'> {
  readonly sha256: string;
}

/**
 * Creates a cache that keeps responses as files in a folder. Files are written under a temporary name and then renamed,
 * so that other processes never see a partial file. Only the files' owner can read them. A damaged file is treated as
 * missing. If a disk error occurs, it is ignored and the response is not cached.
 */
export function diskCache({ directory, maxBytes = DEFAULT_MAX_BYTES }: CacheOptions): AnswerCache {
  /** Bytes written since the folder was last scanned. */
  let written = Number.POSITIVE_INFINITY;
  const pathOf = (key: string): string => join(directory, key + SUFFIX);

  /**
   * Removes the least recently used responses if the cache exceeds three quarters of its maximum size. Each process
   * writes at most an eighth of the maximum between two checks, so two processes together stay below the maximum.
   */
  async function evict(): Promise<void> {
    written = 0;
    const files = await filesByUse(directory);
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= (maxBytes * 3) / 4) return;
    for (const { path, bytes } of files) {
      if (total <= (maxBytes * 5) / 8) return;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  return {
    async find(key) {
      const path = pathOf(key);
      try {
        const answer = readAnswerFile(await readFile(path));
        const now = new Date();
        await utimes(path, now, now).catch(() => {});
        return answer;
      } catch {
        return null;
      }
    },
    async put(key, answer) {
      const bytes = writeAnswerFile(answer);
      if (bytes.byteLength > maxBytes / 16) return;
      const draft = join(directory, `${key}.${randomUUID()}${DRAFT}`);
      try {
        await makeFolder(directory, 0o700);
        await writeFile(draft, bytes, { flag: 'wx', mode: 0o600 });
        await rename(draft, pathOf(key));
        written += bytes.byteLength;
        if (written > maxBytes / 16) await evict();
      } catch {
        await rm(draft, { force: true }).catch(() => {});
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }).catch(() => {}),
  };
}

/** Lists cached responses, and the unfinished files that killed processes left behind, least recently used first. */
async function filesByUse(directory: string): Promise<{ path: string; bytes: number; usedMs: number }[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX) || name.endsWith(DRAFT));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, bytes: size, usedMs: mtimeMs };
    }),
  );
  return found.sort((a, b) => a.usedMs - b.usedMs);
}

function writeAnswerFile({ body, ...answer }: StoredAnswer): Buffer {
  const head: Head = { ...answer, sha256: sha256(body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

function readAnswerFile(file: Buffer): StoredAnswer | null {
  const end = file.indexOf(10);
  const { sha256: expected, ...answer } = JSON.parse(file.toString('utf8', 0, end)) as Head;
  const body = new Uint8Array(file.subarray(end + 1));
  return sha256(body) === expected ? { ...answer, body } : null;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
