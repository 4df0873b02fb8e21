import { StoreError } from '../../../model/errors.js';
import type { Cluster } from '../engine/cluster.js';
import { TABLES } from '../tables.js';
import { takenOverError } from './claim.js';

type State = 'begun' | 'committed' | 'abandoned' | 'cleaned' | 'written';

/** A number that has begun and is not committed. */
export interface OpenNumber {
  readonly number: number;
  /** Who began it. */
  readonly importer: string;
  /** Whether all of it is written: a copy goes on after it. */
  readonly isWritten: boolean;
  readonly isAbandoned: boolean;
}

/**
 * The numbers of imports. Whoever holds the claim begins a number, which nobody else has had; its one row that says
 * `committed` makes visible what was written under it, on all shards at once. A number without that row is given up before
 * another one begins, and readers pass over it for ever: also over what its importer writes when it is late.
 */
export class ImportLog {
  readonly #cluster: Cluster;
  readonly #importer: string;

  constructor(cluster: Cluster, importer: string) {
    this.#cluster = cluster;
    this.#importer = importer;
  }

  /** Begins a number: the next one after all that have begun. */
  async begin(): Promise<number> {
    for (;;) {
      const [last] = await this.#cluster.first.rows('SELECT max(import) AS import FROM import_log');
      const number = Number(last!.import) + 1;
      await this.#note(number, 'begun');
      const rows = await this.#cluster.first.rows(
        `SELECT 1 FROM import_log WHERE import = {number:UInt32} AND state = 'begun'`,
        { number },
      );
      if (rows.length === 1) return number;
      // An importer whose claim was taken over has begun the same number in the meantime: nobody uses it.
      await this.giveUp(number);
    }
  }

  /**
   * Commits numbers, all at once.
   * @throws StoreError when one was given up meanwhile, by an importer that has taken the claim over
   */
  async commit(numbers: readonly number[]): Promise<void> {
    const { first, location } = this.#cluster;
    try {
      await first.run(
        `INSERT INTO import_log (import, state, importer, at_ms)
         SELECT arrayJoin({numbers:Array(UInt32)}), 'committed', {importer:UUID}, toUnixTimestamp64Milli(now64(3))
         WHERE (SELECT count() FROM import_log WHERE import IN {numbers:Array(UInt32)} AND state = 'abandoned') = 0
         ${commitMark(this.#importer)}`,
        { numbers, importer: this.#importer },
      );
    } catch (error) {
      if (await this.#isCommitted(numbers[0]!).catch((cause) => unknownOutcome(location, cause))) return;
      throw error;
    }
    if (!(await this.#isCommitted(numbers[0]!).catch((cause) => unknownOutcome(location, cause))))
      throw takenOverError(location);
  }

  /** Makes sure that a number is never committed, and removes what was written under it. */
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

  /** Gives up the numbers that importers have left when they ended. */
  async recover(): Promise<void> {
    const rows = await this.#cluster.first.rows(
      `SELECT import FROM import_log GROUP BY import
       HAVING countIf(state = 'committed') = 0 AND countIf(state = 'cleaned') = 0 ORDER BY import`,
    );
    for (const { import: number } of rows) await this.giveUp(Number(number));
  }

  /** Notes that all of a number is written. */
  written(number: number): Promise<void> {
    return this.#note(number, 'written');
  }

  /** Numbers that have begun and are not committed, ascending. */
  async open(): Promise<OpenNumber[]> {
    const rows = await this.#cluster.first.rows(
      `SELECT import, any(importer) AS importer, countIf(state = 'written') > 0 AS is_written,
        countIf(state = 'abandoned') > 0 AS is_abandoned
       FROM import_log GROUP BY import HAVING countIf(state = 'committed') = 0 ORDER BY import`,
    );
    return rows.map((row) => ({
      number: Number(row.import),
      importer: String(row.importer),
      isWritten: Number(row.is_written) > 0,
      isAbandoned: Number(row.is_abandoned) > 0,
    }));
  }

  async #clean(number: number): Promise<void> {
    const { first, shards } = this.#cluster;
    await Promise.all(
      shards.map(async (shard) => {
        for (const { name, imported, on } of TABLES) {
          if (!imported || (on === 'first' && shard !== first)) continue;
          await shard.run(`UPDATE ${name} SET gone = 4294967295 WHERE gone = {number:UInt32}`, { number });
          await shard.run(`DELETE FROM ${name} WHERE import = {number:UInt32}`, { number });
        }
      }),
    );
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

/** What a statement that commits ends with, so that it can be found among those that run. */
const commitMark = (importer: string): string => `-- commit of ${importer}`;

function unknownOutcome(location: string, cause: unknown): never {
  throw new StoreError(
    `${location}: the connection broke while the import was committed, so it may be stored or not; run it again, which changes nothing if it is`,
    { cause },
  );
}
