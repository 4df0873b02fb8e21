import { setMaxListeners } from 'node:events';
import { groupedBy } from '../../../model/grouping.js';
import { runUnderSignals } from '../../../model/linked-abort.js';
import { handleRanges } from '../../packing/point-groups.js';
import type { StoredSeries } from '../../plan.js';
import { idCondition } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import { type ClickHouseAddress, type Credentials, namedDatabase } from './address.js';
import { Shard, type ShardOptions } from './shard.js';
import { readSnapshot, type Snapshot, versionOf } from './snapshot.js';

/** How long a snapshot is used before it is read again. */
const FRESH_MS = 1_000;

export class Cluster {
  /** The address to show in messages, without credentials. */
  readonly location: string;
  readonly shards: readonly Shard[];
  /** The first server, connected to the views database. */
  readonly views: Shard;

  #current: Snapshot | null = null;
  #last: { readonly atMs: number; readonly snapshot: Promise<Snapshot> } | null = null;

  constructor(
    address: ClickHouseAddress,
    credentials: Credentials,
    patience?: Pick<ShardOptions, 'quietMs'>,
  ) {
    this.location = address.location;
    this.shards = address.hosts.map((host) => new Shard(host, address, { ...credentials, ...patience }));
    this.views = new Shard(
      address.hosts[0]!,
      { ...address, database: namedDatabase(address.database) },
      { ...credentials, isConfined: true },
    );
  }

  /** The first server, which also has all tables other than those of points. */
  get first(): Shard {
    return this.shards[0]!;
  }

  /** Returns the snapshot that all readers share, at most a second old. It is the same object until the next commit. */
  async snapshot({ signal }: ReadOptions = {}): Promise<Snapshot> {
    this.first.requireOpen();
    signal?.throwIfAborted();
    const now = performance.now();
    if (this.#last === null || now - this.#last.atMs >= FRESH_MS) {
      const read = readSnapshot(this.first).then((latest) => {
        if (this.#current === null || versionOf(this.#current) !== versionOf(latest)) this.#current = latest;
        return this.#current;
      });
      const last = { atMs: now, snapshot: read };
      last.snapshot.catch(() => {
        if (this.#last === last) this.#last = null;
      });
      this.#last = last;
    }
    const snapshot = await this.#last.snapshot;
    signal?.throwIfAborted();
    return snapshot;
  }

  renewSnapshot(): void {
    this.#last = null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.shards, this.views].map((shard) => shard.close()));
  }
}

/** Calls `read` for each shard that has any of `series` (sorted by handle), with an SQL condition for those series. */
export function eachShard<Result>(
  { shards }: Cluster,
  series: readonly Pick<StoredSeries, 'handle'>[],
  options: ReadOptions,
  read: (shard: Shard, of: string, options: ReadOptions) => Promise<Result>,
): Promise<Result[]> {
  const [range, another] = handleRanges(series);
  const byShard = groupedBy(series, ({ handle }) => handle % shards.length);
  return runConcurrently(
    byShard,
    ([position, own], reading) => {
      const handles = own.map(({ handle }) => handle);
      const of =
        another === undefined
          ? `series BETWEEN ${range![0]} AND ${range![1]}`
          : idCondition('series', handles);
      return read(shards[position]!, of, reading);
    },
    options,
  );
}

/**
 * Runs `work` on all items concurrently. If one call fails, the others are aborted, and the error is thrown once all
 * calls have ended.
 */
export function runConcurrently<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, options: { readonly signal: AbortSignal }) => Promise<Result>,
  { signal: outer }: ReadOptions = {},
): Promise<Result[]> {
  return runUnderSignals([outer], async ({ signal, abort }) => {
    // Each item may add several listeners to the signal, and Node warns if there are more than ten.
    setMaxListeners(0, signal);
    const running = Array.from(items, (item) =>
      work(item, { signal }).catch((error: unknown) => {
        abort(error);
        throw error;
      }),
    );
    return Promise.all(running).finally(() => Promise.allSettled(running));
  });
}
