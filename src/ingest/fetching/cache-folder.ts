import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../model/make-folder.js';
import type { FetchedFile } from '../../store/import-records.js';
import { takeLock } from '../../store/process-lock.js';
import { FetchFailure, type HttpSettings } from './http-client.js';

/** Returns the folder for downloaded files that is usual on the platform. */
export function cacheFolder(env: HttpSettings['env']): string {
  const home = env.HOME || homedir();
  if (env.XDG_CACHE_HOME?.startsWith('/')) return join(env.XDG_CACHE_HOME, 'cropframe');
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'cropframe');
  if (process.platform === 'win32') {
    return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'cropframe', 'cache');
  }
  return join(home, '.cache', 'cropframe');
}

/** A file that has not arrived whole. */
export interface PartFile extends Pick<FetchedFile, 'etag' | 'lastModified'> {
  /** Length of the whole file; null when the server did not say. */
  readonly bytes: number | null;
  /** Identifies the version of the file in a range request; null if the server sent no validator. */
  readonly validator: string | null;
}

/** A part in the folder. */
export interface FoundPart extends PartFile {
  /** Number of bytes that have arrived. */
  readonly size: number;
}

/** A whole file in the cache. */
export interface KeptFile {
  readonly file: FetchedFile;
  readonly path: string;
}

interface Entry extends FetchedFile {
  /** Path of the whole file in the folder. */
  readonly file: string;
}

const ENTRY = 'entry.json';
const PART = 'part.json';
const PART_BYTES = 'file.part';
const LOCK = 'lock';

/** The folder of a complete file. */
const SHELF = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The files of one address in the cache. */
export type CacheEntry = ReturnType<typeof cacheEntry>;

/** Opens the folder of one address: the last complete file, and a part of a newer one. Only the owner can read it. */
export function cacheEntry(cache: string, address: string, name: string) {
  const folder = join(cache, 'files', createHash('sha256').update(address).digest('hex'));
  const inFolder = (file: string): string => join(folder, file);

  async function writeJson(file: string, content: PartFile | Entry): Promise<void> {
    const draft = inFolder(`${file}.draft`);
    await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
    await rename(draft, inFolder(file));
  }

  /** Deletes a partial download. Its description is deleted first, because bytes without one are ignored. */
  async function dropPart(): Promise<void> {
    for (const file of [PART, PART_BYTES]) await rm(inFolder(file), { force: true });
  }

  return {
    dropPart,
    /** The path of the bytes of the part. */
    partPath: inFolder(PART_BYTES),

    /** Runs a step that no other process may run for this address at the same time. */
    async locked<Result>(step: () => Promise<Result>): Promise<Result> {
      await makeFolder(folder, 0o700);
      const release = await takeLock(inFolder(LOCK));
      if (release === null)
        throw new FetchFailure('another process is fetching it; wait until that has ended');
      try {
        return await step();
      } finally {
        await release();
      }
    },

    /** Returns the complete file and its path, or null if there is none or it is damaged. */
    async whole(): Promise<KeptFile | null> {
      const entry = await readJson<Entry>(inFolder(ENTRY));
      if (entry === null) return null;
      const { file: kept, ...file } = entry;
      const path = inFolder(kept);
      const found = await stat(path).catch(() => null);
      return found?.size === file.bytes && (await sha256Of(path)) === file.sha256 ? { file, path } : null;
    },

    /** Returns the partial download, or null if there is none. */
    async part(): Promise<FoundPart | null> {
      const part = await readJson<PartFile>(inFolder(PART));
      const found = await stat(inFolder(PART_BYTES)).catch(() => null);
      return part?.validator === undefined || found === null ? null : { ...part, size: found.size };
    },

    /** Begins a new part, without bytes, in place of any other. */
    async beginPart(part: PartFile): Promise<void> {
      await dropPart();
      await writeFile(inFolder(PART_BYTES), '', { flag: 'wx', mode: 0o600 });
      await writeJson(PART, part);
    },

    /** Keeps the part as the whole file, in place of an older one. */
    async keep({ etag, lastModified }: PartFile): Promise<KeptFile> {
      const part = inFolder(PART_BYTES);
      const { size: bytes } = await stat(part);
      const file: FetchedFile = { address, etag, lastModified, bytes, sha256: await sha256Of(part) };
      const shelf = randomUUID();
      const kept = join(shelf, name.replace(/[^\w.()+ -]/g, '_').slice(-120));
      await mkdir(inFolder(shelf), { mode: 0o700 });
      await rename(part, inFolder(kept));
      await writeJson(ENTRY, { ...file, file: kept });
      await rm(inFolder(PART), { force: true });
      for (const other of await readdir(folder))
        if (other !== shelf && SHELF.test(other)) await rm(inFolder(other), { recursive: true, force: true });
      return { file, path: inFolder(kept) };
    },

    /** Removes all that is kept of the address. */
    remove: (): Promise<void> => rm(folder, { recursive: true, force: true }),
  };
}

async function readJson<Content>(path: string): Promise<Content | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content;
  } catch {
    return null;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}
