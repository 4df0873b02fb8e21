import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../model/errors.js';
import { isMarkAlive, mark, unmark } from '../../process-mark.js';
import { TABLES, tablesOf } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { readSnapshot, replacedSql, type Snapshot, withImport } from '../engine/snapshot.js';

const BEAT_MS = 3_000;
/** The time without a heartbeat after which an importer counts as dead, so that another importer may replace it. */
const DEAD_MS = 30_000;

/** Importers that begin at the same moment all withdraw, and try again after a random delay of at most this time. */
const MAX_DELAY_MS = 300;
const MAX_TRIES = 20;

/**
 * The state of an import number. An importer claims a number (`wanted`), and repeats this record as a heartbeat. The
 * state is `begun` before anything is written, `abandoned` if the number must never be committed, and `cleaned` once
 * its rows have been removed.
 */
type State = 'wanted' | 'begun' | 'abandoned' | 'cleaned';

interface Claim {
  readonly import: number;
  /** Identifies the importer's process: process id, host name and a random id. */
  readonly importer: string;
}

interface FoundClaim extends Claim {
  readonly hasBegun: boolean;
  /** Whether the number is committed or cleaned, the process has ended, or its last heartbeat is too old. */
  readonly isDead: boolean;
}

/**
 * Holds the exclusive right to import until the import is committed or ended. Adding the import number to the log makes
 * all rows with that number visible on all shards at once. ClickHouse has no compare-and-swap, so an importer claims
 * the next number, reads all other claims, and begins only if there are none; otherwise, it withdraws. An importer may
 * replace one whose process has ended. The dead importer's number is abandoned first, so that readers always ignore its
 * rows, even if they are written late.
 */
export class Commit {
  /** Aborted when another importer has replaced this one. */
  readonly signal: AbortSignal;

  #before: Snapshot | null = null;
  #hasEnded = false;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #cluster: Cluster;
  readonly #claim: Claim;

  private constructor(cluster: Cluster, claim: Claim) {
    this.#cluster = cluster;
    this.#claim = claim;
    this.signal = this.#lost.signal;
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), BEAT_MS);
    this.#timer.unref();
  }

  /**
   * Claims a number, abandons the numbers of dead importers, and removes rows that were replaced long ago.
   * @throws StoreError that names the process of another running import
   */
  static async begin(cluster: Cluster): Promise<Commit> {
    const { own, left } = await claimNumber(cluster);
    const commit = new Commit(cluster, own);
    try {
      await recordClaim(cluster, own, 'begun');
      for (const claim of left) await commit.#giveUp(claim);
      await removeReplaced(cluster.first, { signal: commit.signal });
      commit.#before = await readSnapshot(cluster.first);
      commit.signal.throwIfAborted();
      return commit;
    } catch (error) {
      await commit.end();
      throw error;
    }
  }

  get import(): number {
    return this.#claim.import;
  }

  get before(): Snapshot {
    return this.#before!;
  }

  get after(): Snapshot {
    return withImport(this.before, this.import);
  }

  /** Makes all rows with the import's number visible. @throws StoreError if another importer has discarded them */
  async finish(): Promise<void> {
    const { first, location } = this.#cluster;
    const { import: number, importer } = this.#claim;
    const isCommitted = () =>
      this.#isCommitted(this.#claim).catch((cause: unknown) => {
        throw new StoreError(
          `${location}: the connection was lost while the import was being committed, so it may or may not have been stored; run it again (if it was stored, this changes nothing)`,
          { cause },
        );
      });
    try {
      await first.run(
        `INSERT INTO import_log (import, importer, at_ms)
         SELECT {number:UInt32}, {importer:String}, toUnixTimestamp64Milli(now64(3))
         WHERE (SELECT count() FROM import_claim WHERE import = {number:UInt32} AND state = 'abandoned') = 0
         ${commitMark(this.#claim)}`,
        { parameters: { number, importer } },
      );
    } catch (error) {
      if (!(await isCommitted())) throw error;
    }
    if (!(await isCommitted())) throw takenOverError(location);
    this.#cluster.renewSnapshot();
    this.#release();
  }

  /** Removes uncommitted rows. If that fails, the next import removes them. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#giveUp(this.#claim).catch(() => {});
    this.#release();
  }

  #release(): void {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    unmark(this.#claim.importer);
  }

  async #beat(): Promise<void> {
    await recordClaim(this.#cluster, this.#claim, 'wanted');
    const isGivenUp = `SELECT 1 FROM import_claim WHERE import = ${this.import} AND state = 'abandoned' LIMIT 1`;
    if ((await this.#cluster.first.rows(isGivenUp)).length > 0)
      this.#lost.abort(takenOverError(this.#cluster.location));
  }

  /** Ensures that a number is never committed, and removes its rows, unless it is already committed. */
  async #giveUp(claim: Claim): Promise<void> {
    if (await this.#isCommitted(claim)) return;
    await recordClaim(this.#cluster, claim, 'abandoned');
    // Waits for a commit that began before the number was abandoned, so that the next check sees its result.
    await this.#cluster.first.run(
      `KILL QUERY WHERE query_kind = 'Insert' AND endsWith(query, {mark:String}) SYNC`,
      { parameters: { mark: commitMark(claim) } },
    );
    if (await this.#isCommitted(claim)) return;
    await removeRows(this.#cluster, claim.import);
    await recordClaim(this.#cluster, claim, 'cleaned');
  }

  async #isCommitted({ import: number }: Claim): Promise<boolean> {
    return (
      (await this.#cluster.first.rows(`SELECT 1 FROM import_log WHERE import = ${number} LIMIT 1`)).length > 0
    );
  }
}

async function removeRows(cluster: Cluster, number: number): Promise<void> {
  await runConcurrently(cluster.shards.entries(), async ([i, shard]) => {
    const tables = tablesOf(i).flatMap(({ name, imported }) => (imported ? [name] : []));
    const counts = tables.map(
      (name) => `SELECT '${name}' AS name FROM ${name} WHERE import = ${number} LIMIT 1`,
    );
    const written = await shard.rows(counts.join(' UNION ALL '));
    await runConcurrently(written, ({ name }) => shard.run(`DELETE FROM ${name} WHERE import = ${number}`));
    await dropStaged(shard, number);
  });
}

export function dropStaged(shard: Shard, number: number, options?: ReadOptions): Promise<void> {
  return shard.run(`ALTER TABLE staged_point DROP PARTITION ${number}`, options);
}

async function claimNumber(cluster: Cluster): Promise<{ own: Claim; left: readonly Claim[] }> {
  const importer = mark();
  try {
    for (let tried = 0; ; tried++) {
      await recordClaim(cluster, { import: null, importer }, 'wanted');
      const claims = await readClaims(cluster, importer);
      const own = claims.find((claim) => claim.importer === importer)!;
      const others = claims.filter((claim) => claim !== own);
      const living = others.filter(({ isDead }) => !isDead);
      const isShared = others.some((claim) => claim.import === own.import);
      if (living.length === 0 && !isShared && !own.isDead) return { own, left: others };
      await recordClaim(cluster, own, 'cleaned');
      const other = living.find(({ hasBegun }) => hasBegun) ?? (tried < MAX_TRIES ? undefined : living[0]);
      if (other !== undefined) {
        const [pid, host] = other.importer.split(' ');
        throw new StoreError(
          `${cluster.location}: another import is running (process ${pid} on ${host}); wait for it to finish`,
        );
      }
      await sleep(Math.random() * MAX_DELAY_MS);
    }
  } catch (error) {
    unmark(importer);
    throw error;
  }
}

async function recordClaim(
  { first }: Cluster,
  { import: number, importer }: { readonly import: number | null; readonly importer: string },
  state: State,
): Promise<void> {
  const next =
    '(SELECT max(import) + 1 FROM (SELECT import FROM import_log UNION ALL SELECT import FROM import_claim))';
  await first.run(
    `INSERT INTO import_claim (import, importer, state, at_ms)
     SELECT ${number ?? next}, {importer:String}, {state:String}, toUnixTimestamp64Milli(now64(3))`,
    { parameters: { state, importer } },
  );
}

/** Reads all claims that have not ended, and any ended claims to the number that `importer` claimed last. */
async function readClaims({ first }: Cluster, importer: string): Promise<FoundClaim[]> {
  const found = await first.rows(
    `SELECT import, importer, countIf(state = 'begun') > 0 AS has_begun,
      countIf(state = 'cleaned') > 0 OR import IN (SELECT import FROM import_log) AS has_ended,
      toUnixTimestamp64Milli(now64(3)) - max(at_ms) AS quiet_ms
     FROM import_claim GROUP BY import, importer
     HAVING NOT has_ended OR import = (SELECT max(import) FROM import_claim WHERE importer = {importer:String})`,
    { parameters: { importer } },
  );
  return found.map((row) => ({
    import: Number(row.import),
    importer: String(row.importer),
    hasBegun: Number(row.has_begun) > 0,
    isDead: Number(row.has_ended) > 0 || Number(row.quiet_ms) > DEAD_MS || !isMarkAlive(String(row.importer)),
  }));
}

const commitMark = ({ importer }: Claim): string => `-- commit of ${importer}`;

function takenOverError(location: string): StoreError {
  return new StoreError(
    `${location}: another import replaced this one, which had been idle for too long; none of its data was stored; run it again`,
  );
}

/** How long a replaced row is kept for readers of older snapshots. No query takes longer than this. */
const KEPT_MS = 24 * 3_600_000;

/** A table with fewer replaced rows is not changed, because reading these rows takes less time than deleting them. */
const MIN_ROWS = 10_000;

/**
 * Removes rows that committed imports have replaced. For example, a daily import of 20,000 series replaces all of their
 * rows. After a year of such imports, reading the series took 40 times as long, and an import took 10 times as long.
 *
 * Only the oldest row with each key is removed. Readers ignore a row because a later row replaces it, and a deletion is
 * not atomic, so the later row must not disappear before the earlier one.
 */
async function removeReplaced(first: Shard, options: ReadOptions = {}): Promise<void> {
  await runConcurrently(
    TABLES.flatMap(({ name, key }) => (key === undefined ? [] : [{ name, key }])),
    async ({ name, key }, reading) => {
      const replaced = `(${key}, import) IN (${replacedSql(name, key, OLD)})`;
      const [found] = await first.rows(`SELECT count() AS rows FROM ${name} WHERE ${replaced}`, reading);
      if (Number(found!.rows) < MIN_ROWS) return;
      const isOldest = `(replaces IS NULL OR (${key}, assumeNotNull(replaces)) NOT IN (SELECT ${key}, import FROM ${name}))`;
      await first.run(`DELETE FROM ${name} WHERE ${replaced} AND ${isOldest}`, reading);
    },
    options,
  );
}

/** The SQL condition that selects rows of imports that were committed long ago. */
const OLD = `import IN (SELECT import FROM import_log WHERE at_ms < toUnixTimestamp64Milli(now64(3)) - ${KEPT_MS})`;
