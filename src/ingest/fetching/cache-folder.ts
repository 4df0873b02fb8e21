import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../model/make-folder.js';
import type { FetchedFile } from '../../store/import-records.js';
import { takeLock } from '../../store/process-lock.js';
import { FetchFailure, type HttpSettings } from './http-client.js';

export function cacheFolder(env: HttpSettings['env']): string {
  const home = env.HOME || homedir();
  if (env.XDG_CACHE_HOME?.startsWith('/')) return join(env.XDG_CACHE_HOME, 'cropframe');
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'cropframe');
  if (process.platform === 'win32') {
    return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'cropframe', 'cache');
  }
  return join(home, '.cache', 'cropframe');
}

export interface PartFile extends Pick<FetchedFile, 'etag' | 'lastModified'> {
  /** The length of the complete file; null if the server did not state it. */
  readonly bytes: number | null;
  /** Identifies the file's version in a range request; null if the server sent no strong validator. */
  readonly validator: string | null;
  readonly size: number;
}

export interface KeptFile {
  readonly file: FetchedFile;
  readonly path: string;
}

/** Matches the name of a complete file's folder, which is the file's SHA-256 checksum. */
const SHELF = /^[\da-f]{64}$/;

export type CacheEntry = ReturnType<typeof cacheEntry>;

/** Opens an address's folder, readable only by its owner. It holds the last complete file and a newer partial file. */
export function cacheEntry(cache: string, address: string, name: string) {
  const folder = join(cache, 'files', createHash('sha256').update(address).digest('hex'));
  const [entry, part, partPath] = ['entry.json', 'part.json', 'file.part'].map((file) => join(folder, file));
  const pathOf = (sha256: string) => join(folder, sha256, name.replace(/[^\w.()+ -]/g, '_').slice(-120));

  async function writeJson(path: string, content: PartFile | FetchedFile): Promise<void> {
    await writeFile(`${path}.draft`, JSON.stringify(content), { mode: 0o600 });
    await rename(`${path}.draft`, path);
  }

  /** Deletes a partial file, its description first, because a partial file without a description is ignored. */
  async function dropPart(): Promise<void> {
    for (const path of [part!, partPath!]) await rm(path, { force: true });
  }

  return {
    dropPart,
    partPath: partPath!,

    /** Runs `step` while the address is locked. @throws FetchFailure if another process has the lock */
    async locked<Result>(step: () => Promise<Result>): Promise<Result> {
      await makeFolder(folder, 0o700);
      const release = await takeLock(join(folder, 'lock'));
      if (release === null) throw new FetchFailure('another process is fetching it; wait for that to finish');
      try {
        return await step();
      } finally {
        await release();
      }
    },

    async whole(): Promise<KeptFile | null> {
      const file = await readJson<FetchedFile>(entry!);
      if (file === null) return null;
      const path = pathOf(file.sha256);
      const found = await sha256Of(path).catch(() => null);
      return found === file.sha256 ? { file, path } : null;
    },

    async part(): Promise<PartFile | null> {
      const known = await readJson<PartFile>(part!);
      const found = await stat(partPath!).catch(() => null);
      return known === null || found === null ? null : { ...known, size: found.size };
    },

    async beginPart(begun: PartFile): Promise<void> {
      await dropPart();
      await writeFile(partPath!, '', { flag: 'wx', mode: 0o600 });
      await writeJson(part!, begun);
    },

    async keep({ etag, lastModified, size: bytes }: PartFile): Promise<KeptFile> {
      const sha256 = await sha256Of(partPath!);
      const file: FetchedFile = { address, etag, lastModified, bytes, sha256 };
      const path = pathOf(sha256);
      await mkdir(dirname(path), { mode: 0o700, recursive: true });
      await rename(partPath!, path);
      await writeJson(entry!, file);
      await rm(part!, { force: true });
      for (const other of await readdir(folder))
        if (SHELF.test(other) && other !== sha256)
          await rm(join(folder, other), { recursive: true, force: true });
      return { file, path };
    },

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
