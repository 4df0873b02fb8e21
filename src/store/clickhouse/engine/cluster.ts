import { setMaxListeners } from 'node:events';
import { linkedAbort } from '../../../model/linked-abort.js';
import { handleRanges } from '../../packing/point-groups.js';
import { idCondition } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import { type ClickHouseAddress, type Credentials, namedDatabase } from './address.js';
import { type Patience, Shard } from './shard.js';
import { readSnapshot, type Snapshot, versionOf } from './snapshot.js';

/** For how long a snapshot is used before it is read again. */
const FRESH_MS = 1_000;

/** All servers of a store. */
export class Cluster {
  /** For messages; it holds no credentials. */
  readonly location: string;
  readonly shards: readonly Shard[];
  /** The first server, in the database of the views. */
  readonly views: Shard;

  #current: Snapshot | null = null;
  #last: { readonly atMs: number; readonly snapshot: Promise<Snapshot> } | null = null;

  constructor(address: ClickHouseAddress, credentials: Credentials, patience?: Patience) {
    this.location = address.location;
    this.shards = address.hosts.map((host) => new Shard(host, address, { ...credentials, ...patience }));
    this.views = new Shard(
      address.hosts[0]!,
      { ...address, database: namedDatabase(address.database) },
      { ...credentials, isConfined: true },
    );
  }

  /** The server that also holds all that is not points. */
  get first(): Shard {
    return this.shards[0]!;
  }

  /** Returns the server that holds the points of a series. */
  shardOf(handle: number): Shard {
    return this.shards[handle % this.shards.length]!;
  }

  /**
   * Returns the snapshot of all readers of a process: of now, or less than a second ago, and the same object while
   * nothing changes.
   */
  async snapshot({ signal }: ReadOptions = {}): Promise<Snapshot> {
    this.requireOpen();
    signal?.throwIfAborted();
    const now = performance.now();
    if (this.#last === null || now - this.#last.atMs >= FRESH_MS) {
      const last = { atMs: now, snapshot: this.#read() };
      last.snapshot.catch(() => {
        if (this.#last === last) this.#last = null;
      });
      this.#last = last;
    }
    const snapshot = await this.#last.snapshot;
    signal?.throwIfAborted();
    return snapshot;
  }

  async #read(): Promise<Snapshot> {
    const read = await readSnapshot(this.first);
    if (this.#current === null || versionOf(this.#current) !== versionOf(read)) this.#current = read;
    return this.#current;
  }

  /** @throws StoreError when the store is closed */
  requireOpen(): void {
    this.first.requireOpen();
  }

  /** Makes the next reader see the latest commit. */
  renewSnapshot(): void {
    this.#last = null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.shards, this.views].map((shard) => shard.close()));
  }
}

/** A series by its handle, by which it has its shard. */
export interface Handled {
  readonly handle: number;
}

/**
 * Reads from every shard that holds some of the series, which ascend by handle.
 * @param read is given the condition that selects the points of those that a shard holds
 */
export async function eachShard(
  cluster: Cluster,
  series: readonly Handled[],
  options: ReadOptions,
  read: (shard: Shard, of: string, options: ReadOptions) => Promise<void>,
): Promise<void> {
  await together(
    cluster.shards,
    async (shard, reading) => {
      const own = series.filter(({ handle }) => cluster.shardOf(handle) === shard);
      if (own.length > 0) await read(shard, handleCondition(series, own), reading);
    },
    options,
  );
}

/** Writes the condition as a range if there are no others between them, or else as a list of the series of a shard. */
function handleCondition(series: readonly Handled[], own: readonly Handled[]): string {
  const [range, another] = handleRanges(series);
  const handles = own.map(({ handle }) => handle);
  return another === undefined
    ? `series BETWEEN ${range![0]} AND ${range![1]}`
    : idCondition('series', handles);
}

/**
 * Does some work at the same time. The first failure ends the rest, and is thrown when all of it has ended: no answer
 * is partial, and no work goes on unseen.
 */
export async function together<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, options: { readonly signal: AbortSignal }) => Promise<Result>,
  { signal: outer }: ReadOptions = {},
): Promise<Result[]> {
  const failing = linkedAbort(outer);
  const { signal } = failing;
  // Each item may listen to it several times; Node warns of more than ten.
  setMaxListeners(0, signal);
  const running = Array.from(items, async (item) => {
    try {
      return await work(item, { signal });
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  });
  return Promise.all(running).finally(() => Promise.allSettled(running).then(failing.unlink));
}
