import { StoreError } from '../../../model/errors.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { type ImportNumbers, NOT_GONE, readImportNumbers, type Snapshot } from '../engine/snapshot.js';
import { tablesOf } from '../tables.js';
import { Claim, takenOverError } from './claim.js';

/** An import that writes. */
export interface Writing {
  /** Its number. */
  readonly import: number;
  /** The state before it. */
  readonly before: Snapshot;
  readonly signal: AbortSignal | undefined;
}

type State = 'begun' | 'committed' | 'abandoned' | 'cleaned';

/**
 * The right of one importer at a time: from the claim to the row that commits. The holder of the claim begins a number, which
 * nobody else has had; its one row that says `committed` makes its rows visible, on all shards at once. A number without that
 * row is given up before another one begins, and readers pass over it for ever: also over what its importer writes when it
 * is late.
 */
export class Commit {
  /** Aborted when another importer takes the claim over. */
  readonly signal: AbortSignal;

  #number: number | null = null;
  #before: Snapshot | null = null;
  #hasEnded = false;

  readonly #cluster: Cluster;
  readonly #claim: Claim;

  private constructor(cluster: Cluster, claim: Claim) {
    this.#cluster = cluster;
    this.#claim = claim;
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
      const numbers = await commit.#recover();
      commit.signal.throwIfAborted();
      const { storeId, committed, open } = numbers;
      commit.#before = { storeId, import: committed, abandoned: open.map(({ number }) => number) };
      commit.#number = await commit.#beginNumber(numbers.last + 1);
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
    await this.#commit(number);
    this.#cluster.renewSnapshot();
    this.#hasEnded = true;
    await this.#claim.release();
  }

  /** Gives up uncommitted rows. The next import removes the rest that cannot be removed now. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#number !== null) await this.#giveUp(this.#number).catch(() => {});
    await this.#claim.release();
  }

  /** Gives up the numbers that importers have left when they ended. @returns the numbers after that */
  async #recover(): Promise<ImportNumbers> {
    const found = await readImportNumbers(this.#cluster.first);
    const left = found.open.filter(({ isCleaned }) => !isCleaned);
    for (const { number } of left) await this.#giveUp(number);
    return left.length === 0 ? found : readImportNumbers(this.#cluster.first);
  }

  /** Begins a number: the next one after all that have begun. */
  async #beginNumber(next: number): Promise<number> {
    for (let number = next; ; ) {
      await this.#note(number, 'begun');
      const rows = await this.#cluster.first.rows(
        `SELECT 1 FROM import_log WHERE import = {number:UInt32} AND state = 'begun'`,
        { number },
      );
      if (rows.length === 1) return number;
      // An importer whose claim was taken over has begun the same number in the meantime: nobody uses it.
      await this.#giveUp(number);
      number = (await readImportNumbers(this.#cluster.first)).last + 1;
    }
  }

  /**
   * Commits a number.
   * @throws StoreError when it was given up meanwhile, by an importer that has taken the claim over
   */
  async #commit(number: number): Promise<void> {
    const { first, location } = this.#cluster;
    const { importer } = this.#claim;
    const isCommitted = () =>
      this.#isCommitted(number).catch((cause: unknown) => {
        throw unknownOutcome(location, cause);
      });
    try {
      await first.run(
        `INSERT INTO import_log (import, state, importer, at_ms)
         SELECT {number:UInt32}, 'committed', {importer:UUID}, toUnixTimestamp64Milli(now64(3))
         WHERE (SELECT count() FROM import_log WHERE import = {number:UInt32} AND state = 'abandoned') = 0
         ${commitMark(importer)}`,
        { number, importer },
      );
    } catch (error) {
      if (await isCommitted()) return;
      throw error;
    }
    if (!(await isCommitted())) throw takenOverError(location);
  }

  /** Makes sure that a number is never committed, and removes its rows. */
  async #giveUp(number: number): Promise<void> {
    const { first } = this.#cluster;
    if (await this.#isCommitted(number)) return;
    await this.#note(number, 'abandoned');
    // A commit that began before this row was there ends before the next look.
    const importers = await first.rows(
      'SELECT DISTINCT importer FROM import_log WHERE import = {number:UInt32}',
      { number },
    );
    for (const { importer } of importers)
      await first.run(`KILL QUERY WHERE query_kind = 'Insert' AND endsWith(query, {mark:String}) SYNC`, {
        mark: commitMark(String(importer)),
      });
    if (await this.#isCommitted(number)) return;
    await this.#clean(number);
    await this.#note(number, 'cleaned');
  }

  /** Removes the rows of a number from all tables. */
  async #clean(number: number): Promise<void> {
    await together(this.#cluster.shards.entries(), async ([i, shard]) => {
      const tables = tablesOf(i).filter(({ imported }) => imported);
      const named = tables.map(({ name: table }) => ({ table }));
      const counted = await countRows(shard, named, { import: number });
      await together(counted, async ({ table, written, ended }) => {
        if (ended > 0)
          await shard.run(`UPDATE ${table} SET gone = ${NOT_GONE} WHERE gone = {number:UInt32}`, { number });
        if (written > 0) await shard.run(`DELETE FROM ${table} WHERE import = {number:UInt32}`, { number });
      });
    });
  }

  async #isCommitted(number: number): Promise<boolean> {
    const rows = await this.#cluster.first.rows(
      `SELECT 1 FROM import_log WHERE import = {number:UInt32} AND state = 'committed' LIMIT 1`,
      { number },
    );
    return rows.length > 0;
  }

  async #note(number: number, state: State): Promise<void> {
    await this.#cluster.first.run(
      `INSERT INTO import_log (import, state, importer, at_ms)
       SELECT {number:UInt32}, {state:String}, {importer:UUID}, toUnixTimestamp64Milli(now64(3))`,
      { number, state, importer: this.#claim.importer },
    );
  }
}

/** The end of a statement that commits, by which it is found among running ones. */
const commitMark = (importer: string): string => `-- commit of ${importer}`;

function unknownOutcome(location: string, cause: unknown): StoreError {
  return new StoreError(
    `${location}: the connection broke while the import was committed, so it may be stored or not; run it again, which changes nothing if it is`,
    { cause },
  );
}

/** A table of a server, and the work of an import on it. */
interface Counted {
  readonly table: string;
  /** Rows that the import brings. */
  readonly written: number;
  /** Rows that it ends. */
  readonly ended: number;
}

/** The rows of an import that a table of a server must have before the commit. */
export interface Expected extends Counted {
  /** Restricts where the ended rows are looked for. */
  readonly among?: string | undefined;
}

/** The rows of an import in the tables of a server. */
async function countRows(
  shard: Shard,
  tables: readonly Pick<Expected, 'table' | 'among'>[],
  { import: number, signal }: { readonly import: number } & ReadOptions,
): Promise<Counted[]> {
  const counts = tables.map(
    ({ table, among = 'true' }) => `SELECT '${table}' AS table,
      (SELECT count() FROM ${table} WHERE import = {number:UInt32}) AS written,
      (SELECT count() FROM ${table} WHERE gone = {number:UInt32} AND import < {number:UInt32} AND ${among}) AS ended`,
  );
  const rows = await shard.rows(counts.join(' UNION ALL '), { number }, { signal });
  return rows.map(({ table, written, ended }) => ({
    table: String(table),
    written: Number(written),
    ended: Number(ended),
  }));
}

/** @throws StoreError when a table of a server lacks rows that were written into it */
async function verify(
  shard: Shard,
  expected: readonly Expected[],
  writing: { readonly import: number } & ReadOptions,
): Promise<void> {
  const counted = new Map((await countRows(shard, expected, writing)).map((one) => [one.table, one]));
  for (const { table, written, ended } of expected) {
    const found = counted.get(table)!;
    if (found.written === written && found.ended === ended) continue;
    throw new StoreError(
      `the shard ${shard.name} has ${found.written} of ${written} rows that the import wrote into its table ${table}, ` +
        `and ${found.ended} of ${ended} that it replaced; nothing was committed: run the import again`,
    );
  }
}
