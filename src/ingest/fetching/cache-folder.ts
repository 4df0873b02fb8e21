import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FetchedFile } from '../../store/import-records.js';
import { takeLock } from '../../store/process-lock.js';
import { FetchFailure } from './http-client.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where downloaded files are kept, as is usual for the platform. */
export function cacheFolder(env: Environment, platform: string = process.platform): string {
  const home = env.HOME ?? homedir();
  if (env.XDG_CACHE_HOME?.startsWith('/')) return join(env.XDG_CACHE_HOME, 'cropframe');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'cropframe');
  if (platform === 'win32') {
    return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'cropframe', 'cache');
  }
  return join(home, '.cache', 'cropframe');
}

/** The state of a file that has not arrived whole. */
export interface PartFile {
  /** Its name in the folder, a random one. */
  readonly file: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Length of the whole file; null when the server did not say. */
  readonly bytes: number | null;
}

/** A part in the folder. */
export interface FoundPart {
  readonly part: PartFile;
  readonly path: string;
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
const LOCK = 'lock';

/** The folder of one address: the last whole file, and a part of a newer one. Only the owner can read it. */
export class CacheEntry {
  readonly #folder: string;
  readonly #address: string;
  readonly #name: string;

  constructor(cache: string, address: string, name: string) {
    this.#folder = join(cache, 'files', createHash('sha256').update(address).digest('hex'));
    this.#address = address;
    this.#name = name.replace(/[^\w.()+ -]/g, '_').slice(-120);
  }

  /** Runs a step that no other process may run for this address at the same time. */
  async locked<Result>(step: () => Promise<Result>): Promise<Result> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const release = await takeLock(join(this.#folder, LOCK));
    if (release === null) {
      throw new FetchFailure('another process is fetching it; wait until that has ended');
    }
    try {
      return await step();
    } finally {
      await release();
    }
  }

  /** The whole file and its path; null when there is none, or it is damaged. */
  async whole(): Promise<KeptFile | null> {
    const entry = await readJson<Entry>(join(this.#folder, ENTRY));
    if (entry === null || entry.address !== this.#address) return null;
    const path = join(this.#folder, entry.file);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== entry.bytes || (await sha256Of(path)) !== entry.sha256) return null;
    const { file: _, ...file } = entry;
    return { file, path };
  }

  /** The part; null when there is none. */
  async part(): Promise<FoundPart | null> {
    const part = await readJson<PartFile>(join(this.#folder, PART));
    if (part === null) return null;
    const path = join(this.#folder, part.file);
    const found = await stat(path).catch(() => null);
    return found === null ? null : { part, path, size: found.size };
  }

  /** Begins a new part, in place of any other, and returns its path. The file exists, and is empty. */
  async beginPart(known: Omit<PartFile, 'file'>): Promise<string> {
    await this.dropPart();
    const file = `${randomUUID()}.part`;
    const path = join(this.#folder, file);
    await (await open(path, 'wx', 0o600)).close();
    await this.#writeJson(PART, { ...known, file } satisfies PartFile);
    return path;
  }

  /** Removes the part, and files of an interrupted process. */
  async dropPart(): Promise<void> {
    await rm(join(this.#folder, PART), { force: true });
    for (const name of await readdir(this.#folder)) {
      if (/\.(part|draft)$/.test(name)) await rm(join(this.#folder, name), { force: true });
    }
  }

  /** Keeps the part as the whole file, in place of an older one. */
  async keep(part: string, known: Omit<FetchedFile, 'address' | 'sha256' | 'bytes'>): Promise<KeptFile> {
    const { size: bytes } = await stat(part);
    const file: FetchedFile = { address: this.#address, ...known, bytes, sha256: await sha256Of(part) };
    const before = await readJson<Entry>(join(this.#folder, ENTRY));
    const shelf = randomUUID();
    await mkdir(join(this.#folder, shelf), { mode: 0o700 });
    const path = join(this.#folder, shelf, this.#name);
    await rename(part, path);
    await this.#writeJson(ENTRY, { ...file, file: join(shelf, this.#name) } satisfies Entry);
    await rm(join(this.#folder, PART), { force: true });
    if (before !== null) await this.#removeShelf(before);
    return { file, path };
  }

  /** Removes all that is kept of the address. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #removeShelf({ file }: Entry): Promise<void> {
    const shelf = /^([0-9a-f-]{36})[/\\]/.exec(file)?.[1];
    if (shelf !== undefined) await rm(join(this.#folder, shelf), { recursive: true, force: true });
  }

  async #writeJson(name: string, content: object): Promise<void> {
    const draft = join(this.#folder, `${randomUUID()}.draft`);
    await writeFile(draft, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
    await rename(draft, join(this.#folder, name));
  }
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
