import { availableParallelism } from 'node:os';
import type { PackedPoints } from '../../../columns/packed-points.js';
import { varyingColumns } from '../../packing/known-series.js';
import type { Database } from '../engine/database.js';
import { MAX_WHOLE_POINTS, type PackedRead, readParts } from './packed-parts.js';

/** So many queries of single series run at once. */
const MAX_ALONE = availableParallelism();

/** Series that are read by one query. It takes half the processor time for each of eight that eight queries take. */
const MAX_SHARED_SERIES = 16;
const MAX_SHARED_POINTS = 65_536;

type Parts = PackedPoints[] | null;

interface Waiter {
  readonly read: PackedRead;
  /** Reads with equal keys can share a query. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  settle(parts: Parts | Promise<Parts>): void;
}

/**
 * Reads of one series each. As many as there are processors run at once, each by a query of its own; those that come
 * meanwhile wait, and then share queries. Each gets what it would get alone.
 */
class SharedReads {
  #running = 0;
  #waiting: Waiter[] = [];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(read: PackedRead, signal: AbortSignal | undefined): Promise<Parts> {
    signal?.throwIfAborted();
    if (this.#running < MAX_ALONE) return this.#alone(read, signal);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(signal?.reason);
      };
      const settle = (parts: Parts | Promise<Parts>) => {
        signal?.removeEventListener('abort', leave);
        resolve(parts);
      };
      const waiter = { read, key: keyOf(read), signal, settle };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  async #alone(read: PackedRead, signal: AbortSignal | undefined): Promise<Parts> {
    return this.#run(() => readParts(this.#database, read, signal));
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#begin();
    }
  }

  /** Begins with what waits. */
  #begin(): void {
    const sharing = this.#takeSharing();
    if (sharing.length === 0) return;
    if (sharing.length === 1) {
      const [{ read, signal, settle }] = sharing as [Waiter];
      settle(this.#alone(read, signal));
      return;
    }
    const all = this.#run(() => this.#together(sharing));
    for (const [i, { settle }] of sharing.entries()) settle(all.then((parts) => parts[i]!));
  }

  /** Those that can share a query with the one that waits longest, and no longer wait; each series once. */
  #takeSharing(): Waiter[] {
    const [first] = this.#waiting;
    const taken = new Map<number, Waiter>();
    let points = 0;
    for (const waiter of this.#waiting) {
      const { series, expected } = waiter.read;
      const isFirst = waiter === first;
      const fits = points + expected <= MAX_SHARED_POINTS && expected <= MAX_WHOLE_POINTS;
      if (!isFirst && (waiter.key !== first!.key || !fits || taken.has(series[0]!.handle))) continue;
      taken.set(series[0]!.handle, waiter);
      points += expected;
      if (taken.size === MAX_SHARED_SERIES) break;
    }
    const sharing = new Set(taken.values());
    this.#waiting = this.#waiting.filter((one) => !sharing.has(one));
    return [...sharing];
  }

  /** One query for all. It takes milliseconds, so that it is not ended for those who leave meanwhile. */
  async #together(sharing: readonly Waiter[]): Promise<Parts[]> {
    const sorted = [...sharing].sort((a, b) => handleOf(a) - handleOf(b));
    const joint: PackedRead = {
      plan: sharing[0]!.read.plan,
      series: sorted.flatMap(({ read }) => read.series),
      offset: 0,
      expected: sharing.reduce((sum, { read }) => sum + read.expected, 0),
      share: Math.min(...sharing.map(({ read }) => read.share)),
    };
    const parts = await readParts(this.#database, joint, undefined);
    if (parts === null)
      return Promise.all(sharing.map(({ read, signal }) => readParts(this.#database, read, signal)));
    const found = new Map<Waiter, PackedPoints[]>(sharing.map((waiter) => [waiter, []]));
    for (const part of parts) {
      const waiter = sorted[part.series]!;
      found.get(waiter)!.push({ ...part, series: waiter.read.offset });
    }
    return sharing.map((waiter) => found.get(waiter)!);
  }
}

const handleOf = ({ read }: Waiter): number => read.series[0]!.handle;

/** All that the query and the form of the points depend on, but the series. */
function keyOf({ plan, series }: PackedRead): string {
  const { series: _, ...flags } = plan;
  return JSON.stringify([flags, varyingColumns(plan, series)]);
}

const known = new WeakMap<Database, SharedReads>();

/** The points of one series in order, as `readParts` returns them. Reads that wait at the same time share a query. */
export function readShared(
  database: Database,
  read: PackedRead,
  signal: AbortSignal | undefined,
): Promise<PackedPoints[] | null> {
  let reads = known.get(database);
  if (reads === undefined) {
    reads = new SharedReads(database);
    known.set(database, reads);
  }
  return reads.read(read, signal);
}
