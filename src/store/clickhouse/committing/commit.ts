import type { ReadOptions } from '../../store.js';
import type { Cluster } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import type { Writing } from '../writing/difference.js';
import { Claim } from './claim.js';
import { ImportLog } from './import-log.js';
import { type Expected, verify } from './verify.js';

/** The right of one importer at a time: from the claim to the row that commits. */
export class Commit {
  /** Aborted when another importer takes the claim over. */
  readonly signal: AbortSignal;

  #number: number | null = null;
  #before: Snapshot | null = null;
  #hasEnded = false;

  readonly #cluster: Cluster;
  readonly #claim: Claim;
  readonly #log: ImportLog;

  private constructor(cluster: Cluster, claim: Claim) {
    this.#cluster = cluster;
    this.#claim = claim;
    this.#log = new ImportLog(cluster, claim.importer);
    this.signal = claim.signal;
  }

  /**
   * Takes the claim, gives up the numbers that others have left, and begins a number: the next holder of the claim
   * gives it up.
   * @throws StoreError when another import is running
   */
  static async begin(cluster: Cluster): Promise<Commit> {
    const commit = new Commit(cluster, await Claim.take(cluster));
    try {
      await commit.#begin();
      return commit;
    } catch (error) {
      await commit.end();
      throw error;
    }
  }

  /** The state at the begin of the import. */
  get before(): Snapshot {
    return this.#before!;
  }

  /** The signal of the writers. */
  writing({ signal }: ReadOptions): Writing {
    const both = signal === undefined ? this.signal : AbortSignal.any([this.signal, signal]);
    return { import: this.#number!, before: this.before, signal: both };
  }

  /**
   * Commits when every shard has all of its rows of the import, by its position. A shard that has died since it was
   * written to is found by that.
   * @param check is given what readers will see, and refuses by throwing
   */
  async finish(
    expected: readonly (readonly Expected[])[],
    { import: number, signal }: Writing,
    check?: (snapshot: Snapshot) => Promise<void>,
  ): Promise<void> {
    await together(
      this.#cluster.shards.entries(),
      ([i, shard], options) => verify(shard, expected[i]!, { import: number, ...options }),
      { signal },
    );
    await check?.({ ...this.before, import: number });
    signal?.throwIfAborted();
    await this.#log.commit(number);
    this.#cluster.renewSnapshot();
    this.#hasEnded = true;
    await this.#claim.release();
  }

  /** Gives up uncommitted rows. The next import removes the rest that cannot be removed now. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#number !== null) await this.#log.giveUp(this.#number).catch(() => {});
    await this.#claim.release();
  }

  async #begin(): Promise<void> {
    const { storeId, committed, open } = await this.#log.recover();
    this.signal.throwIfAborted();
    this.#before = { storeId, import: committed, abandoned: open.map(({ number }) => number) };
    this.#number = await this.#log.begin();
  }
}
