import { StoreError } from '../../../model/errors.js';
import type { Cluster } from '../engine/cluster.js';
import { NOT_GONE, STORE_ID } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import { tablesOf } from '../tables.js';
import { takenOverError } from './claim.js';
import { countRows } from './verify.js';

type State = 'begun' | 'committed' | 'abandoned' | 'cleaned';

/** A number that has begun and is not committed. */
interface OpenNumber {
  readonly number: number;
  /** Whether it is given up, and all that was written under it removed. */
  readonly isCleaned: boolean;
}

/** The state of all numbers in a log. */
interface LoggedNumbers {
  readonly storeId: string;
  /** The latest that is committed, 0 for none. */
  readonly committed: number;
  /** The uncommitted ones, ascending. */
  readonly open: readonly OpenNumber[];
}

/**
 * The numbers of imports. The holder of the claim begins a number, which nobody else has had; its one row that says
 * `committed` makes its rows visible, on all shards at once. A number without that row is given up before another one
 * begins, and readers pass over it for ever: also over what its importer writes when it is late.
 */
export class ImportLog {
  /** The last number that has begun, as far as it is known. */
  #last: number | null = null;

  readonly #cluster: Cluster;
  readonly #importer: string;

  constructor(cluster: Cluster, importer: string) {
    this.#cluster = cluster;
    this.#importer = importer;
  }

  async read(): Promise<LoggedNumbers> {
    const [row] = await this.#cluster.first.rows(
      `SELECT ${STORE_ID} AS store_id, max(import) AS last, maxIf(import, is_committed) AS committed,
        arraySort(groupArrayIf((import, is_cleaned), NOT is_committed)) AS open
       FROM (
        SELECT import, countIf(state = 'committed') > 0 AS is_committed, countIf(state = 'cleaned') > 0 AS is_cleaned
        FROM import_log GROUP BY import)`,
    );
    this.#last = Number(row!.last);
    const open = row!.open as [number, number][];
    return {
      storeId: String(row!.store_id),
      committed: Number(row!.committed),
      open: open.map(([number, cleaned]) => ({ number, isCleaned: cleaned > 0 })),
    };
  }

  /** Begins a number: the next one after all that have begun. */
  async begin(): Promise<number> {
    for (;;) {
      if (this.#last === null) await this.read();
      const number = this.#last! + 1;
      this.#last = null;
      await this.#note(number, 'begun');
      const rows = await this.#cluster.first.rows(
        `SELECT 1 FROM import_log WHERE import = {number:UInt32} AND state = 'begun'`,
        { number },
      );
      if (rows.length === 1) {
        this.#last = number;
        return number;
      }
      // An importer whose claim was taken over has begun the same number in the meantime: nobody uses it.
      await this.giveUp(number);
    }
  }

  /**
   * Commits a number.
   * @throws StoreError when it was given up meanwhile, by an importer that has taken the claim over
   */
  async commit(number: number): Promise<void> {
    const { first, location } = this.#cluster;
    const isCommitted = () =>
      this.#isCommitted(number).catch((cause: unknown) => {
        throw unknownOutcome(location, cause);
      });
    try {
      await first.run(
        `INSERT INTO import_log (import, state, importer, at_ms)
         SELECT {number:UInt32}, 'committed', {importer:UUID}, toUnixTimestamp64Milli(now64(3))
         WHERE (SELECT count() FROM import_log WHERE import = {number:UInt32} AND state = 'abandoned') = 0
         ${commitMark(this.#importer)}`,
        { number, importer: this.#importer },
      );
    } catch (error) {
      if (await isCommitted()) return;
      throw error;
    }
    if (!(await isCommitted())) throw takenOverError(location);
  }

  /** Makes sure that a number is never committed, and removes its rows. */
  async giveUp(number: number): Promise<void> {
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

  /** Gives up the numbers that importers have left when they ended. @returns the log after that */
  async recover(): Promise<LoggedNumbers> {
    const found = await this.read();
    const left = found.open.filter(({ isCleaned }) => !isCleaned);
    for (const { number } of left) await this.giveUp(number);
    return left.length === 0 ? found : this.read();
  }

  /** Removes the rows of a number from all tables. */
  async #clean(number: number): Promise<void> {
    const { shards } = this.#cluster;
    await together(shards.entries(), async ([i, shard]) => {
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
      { number, state, importer: this.#importer },
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
