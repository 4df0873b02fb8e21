import type { LongOperation } from '../../../model/progress.js';
import type { Cluster } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import type { Writing } from '../writing/difference.js';
import { Claim } from './claim.js';
import { ImportLog } from './import-log.js';
import { type Expected, verify } from './verify.js';

interface CommitParts {
  readonly claim: Claim;
  readonly log: ImportLog;
  readonly signal: AbortSignal;
}

/** The part of an import that one importer at a time has: from the claim to the row that commits. */
export class Commit {
  /** Aborted by the caller, or when another importer takes the claim over. */
  readonly signal: AbortSignal;

  #writing: Writing | null = null;
  #hasEnded = false;

  readonly #cluster: Cluster;
  readonly #claim: Claim;
  readonly #log: ImportLog;

  private constructor(cluster: Cluster, { claim, log, signal }: CommitParts) {
    this.#cluster = cluster;
    this.#claim = claim;
    this.#log = log;
    this.signal = signal;
  }

  /** Waits for the claim, gives up what others have left, and begins a number. */
  static async begin(cluster: Cluster, operation: LongOperation): Promise<Commit> {
    const claim = await Claim.take(cluster, operation);
    const signals = [claim.signal, ...(operation.signal === undefined ? [] : [operation.signal])];
    const parts = { claim, log: new ImportLog(cluster, claim.importer), signal: AbortSignal.any(signals) };
    const commit = new Commit(cluster, parts);
    try {
      await commit.#begin();
      return commit;
    } catch (error) {
      await commit.end();
      throw error;
    }
  }

  /** The import's number, and what is true before it. */
  get writing(): Writing {
    return this.#writing!;
  }

  /** What the points of the import are merged with. */
  get before(): Snapshot {
    return this.writing.before;
  }

  /**
   * Commits when every shard has what it should have of the import, by its position. A shard that has died since it was
   * written to is found by that.
   */
  async finish(expected: readonly (readonly Expected[])[]): Promise<void> {
    const { writing, signal } = this;
    await together(
      this.#cluster.shards.entries(),
      ([i, shard], options) => verify(shard, expected[i]!, { import: writing.import, ...options }),
      { signal },
    );
    signal.throwIfAborted();
    await this.#log.commit([writing.import]);
    this.#cluster.renewSnapshot();
    this.#hasEnded = true;
    await this.#claim.release();
  }

  /** Gives up what is not committed. What cannot be removed now, the next import removes. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#writing !== null) await this.#log.giveUp(this.#writing.import).catch(() => {});
    await this.#claim.release();
  }

  async #begin(): Promise<void> {
    const { storeId, committed, open } = await this.#log.recover();
    this.signal.throwIfAborted();
    const before = { storeId, import: committed, abandoned: open.map(({ number }) => number) };
    this.#writing = { import: await this.#log.begin(), before, signal: this.signal };
  }
}
