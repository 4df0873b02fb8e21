import type { LongOperation } from '../../../model/progress.js';
import type { Cluster } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import { type ChangedIds, changeStoredIds } from '../writing/changed-ids.js';
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

  #found = 0;
  #writing: Writing | null = null;
  readonly #numbers: number[] = [];
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

  /** Waits for the claim, gives up what others have left, begins a number, and changes stored ids. */
  static async begin(cluster: Cluster, changed: ChangedIds, operation: LongOperation): Promise<Commit> {
    const claim = await Claim.take(cluster, operation);
    const signals = [claim.signal, ...(operation.signal === undefined ? [] : [operation.signal])];
    const parts = { claim, log: new ImportLog(cluster, claim.importer), signal: AbortSignal.any(signals) };
    const commit = new Commit(cluster, parts);
    try {
      await commit.#begin(changed);
      return commit;
    } catch (error) {
      await commit.end();
      throw error;
    }
  }

  /** The latest import that was committed when the claim was taken. */
  get found(): number {
    return this.#found;
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
    await this.#log.commit(this.#numbers);
    this.#cluster.renewSnapshot();
    this.#hasEnded = true;
    await this.#claim.release();
  }

  /** Gives up what is not committed. What cannot be removed now, the next import removes. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const number of this.#numbers) await this.#log.giveUp(number).catch(() => {});
    await this.#claim.release();
  }

  async #begin(changed: ChangedIds): Promise<void> {
    const { storeId, committed, open } = await this.#log.recover();
    this.signal.throwIfAborted();
    const before = { storeId, import: committed, abandoned: open.map(({ number }) => number) };
    this.#found = committed;
    let last = committed;
    if (!changed.isEmpty) {
      last = await this.#next();
      await changeStoredIds(this.#cluster, changed, { import: last, before, signal: this.signal });
    }
    const number = await this.#next();
    this.#writing = { import: number, before: { ...before, import: last }, signal: this.signal };
  }

  async #next(): Promise<number> {
    const number = await this.#log.begin();
    this.#numbers.push(number);
    return number;
  }
}
