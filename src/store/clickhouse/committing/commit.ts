import type { LongOperation } from '../../../model/progress.js';
import type { Cluster } from '../engine/cluster.js';
import { readSnapshot, type Snapshot } from '../engine/snapshot.js';
import { type ChangedIds, changeStoredIds } from '../writing/changed-ids.js';
import type { Writing } from '../writing/difference.js';
import { Claim, forgetOldClaims } from './claim.js';
import { ImportLog } from './import-log.js';

interface CommitParts {
  readonly claim: Claim;
  readonly log: ImportLog;
  readonly signal: AbortSignal;
}

/** The part of an import that one importer at a time has: from the claim to the row that commits. */
export class Commit {
  /** Aborted by the caller, or when another importer takes the claim over. */
  readonly signal: AbortSignal;

  #found: Snapshot | null = null;
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

  /** What was committed when the claim was taken. */
  get found(): Snapshot {
    return this.#found!;
  }

  /** The import's number, and what is true before it. */
  get writing(): Writing {
    return this.#writing!;
  }

  /** What the points of the import are merged with. */
  get before(): Snapshot {
    return this.writing.before;
  }

  /** Commits. A shard that has died since it was written to is found before that. */
  async finish(): Promise<void> {
    const { signal } = this;
    await Promise.all(this.#cluster.shards.map((shard) => shard.rows('SELECT 1', {}, { signal })));
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
    const { first } = this.#cluster;
    await this.#log.recover();
    await forgetOldClaims(this.#cluster, this.#claim.importer);
    const found = await readSnapshot(first, { signal: this.signal });
    this.#found = found;
    const before = { ...found, abandoned: (await this.#log.open()).map(({ number }) => number) };
    let last = found.import;
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
