import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../model/errors.js';
import { linkedAbort } from '../../../model/linked-abort.js';
import { isMarkAlive, mark, unmark } from '../../process-mark.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE, readSnapshot, type Snapshot } from '../engine/snapshot.js';
import { tablesOf } from '../tables.js';

/** How often an importer says that it lives, and after how long without that another one takes its place. */
const BEAT_MS = 3_000;
const DEAD_MS = 30_000;

/** Of importers that begin at one moment all withdraw; they try again after up to so long, so many times. */
const MAX_DELAY_MS = 300;
const MAX_TRIES = 20;

/** An import that writes. */
export interface Writing {
  /** Its number. */
  readonly import: number;
  /** The state before it. */
  readonly before: Snapshot;
  readonly signal: AbortSignal | undefined;
}

/**
 * Rows of the log. An importer wants a number, and says so again while it lives; before it writes anything, it begins. The
 * number ends as committed, or is abandoned and then cleaned: nothing is left of it.
 */
type State = 'wanted' | 'begun' | 'committed' | 'abandoned' | 'cleaned';

/** A number that an importer wants or has. */
interface Claim {
  readonly import: number;
  /** Its mark: the process, the machine, and an id. */
  readonly importer: string;
}

/** A claim that is found in the log. */
interface FoundClaim extends Claim {
  readonly hasBegun: boolean;
  /** Whether the number has ended, or the process has, or has said nothing for long. One that cleans up still lives. */
  readonly isDead: boolean;
}

/**
 * The right to import, which one importer at a time has, up to the row that commits: the one row that says `committed` makes
 * the rows of a number visible, on all shards at once. There is no compare-and-swap: whoever wants to import inserts a row
 * with the next number, reads those of all others, and begins only when there is no other; otherwise it withdraws.
 * The place of a process that has ended is taken. Its number is given up before that, and readers pass over it for ever: also
 * over rows that its importer writes late.
 */
export class Commit {
  /** Aborted when another importer takes the place of this one. */
  readonly signal: AbortSignal;

  #before: Snapshot | null = null;
  #unlink = (): void => {};
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
   * Begins a number, and gives up those that others have left.
   * @throws StoreError that names the importer that runs
   */
  static async begin(cluster: Cluster): Promise<Commit> {
    const { own, left } = await claimNumber(cluster);
    const commit = new Commit(cluster, own);
    try {
      await note(cluster, own, 'begun');
      for (const claim of left) await commit.#giveUp(claim);
      commit.#before = await readSnapshot(cluster.first, { before: own.import });
      commit.signal.throwIfAborted();
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
    const both = linkedAbort(this.signal, signal);
    this.#unlink = both.unlink;
    return { import: this.#claim.import, before: this.before, signal: both.signal };
  }

  /**
   * Commits when every shard has all of its rows of the import, by its position. A shard that has died since it was
   * written to is found by that.
   * @param check is given the state that readers will see, and refuses by throwing
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
    await this.#commit();
    this.#cluster.renewSnapshot();
    this.#release();
  }

  /** Gives up uncommitted rows. The next import removes the rest that cannot be removed now. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#giveUp(this.#claim).catch(() => {});
    this.#release();
  }

  #release(): void {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    this.#unlink();
    unmark(this.#claim.importer);
  }

  async #beat(): Promise<void> {
    await note(this.#cluster, this.#claim, 'wanted');
    if (await this.#has('abandoned', this.#claim)) this.#lost.abort(takenOverError(this.#cluster.location));
  }

  /**
   * Commits the number.
   * @throws StoreError when it was given up meanwhile, by an importer that has taken the place of this one
   */
  async #commit(): Promise<void> {
    const { first, location } = this.#cluster;
    const { import: number, importer } = this.#claim;
    const isCommitted = () =>
      this.#has('committed', this.#claim).catch((cause: unknown) => {
        throw unknownOutcome(location, cause);
      });
    try {
      await first.run(
        `INSERT INTO import_log (import, state, importer, at_ms)
         SELECT {number:UInt32}, 'committed', {importer:String}, toUnixTimestamp64Milli(now64(3))
         WHERE (SELECT count() FROM import_log WHERE import = {number:UInt32} AND state = 'abandoned') = 0
         ${commitMark(this.#claim)}`,
        { number, importer },
      );
    } catch (error) {
      if (await isCommitted()) return;
      throw error;
    }
    if (!(await isCommitted())) throw takenOverError(location);
  }

  /** Makes sure that a number is never committed, and removes its rows. */
  async #giveUp(claim: Claim): Promise<void> {
    if (await this.#has('committed', claim)) return;
    await note(this.#cluster, claim, 'abandoned');
    // A commit that began before this row was there ends before the next look.
    await this.#cluster.first.run(
      `KILL QUERY WHERE query_kind = 'Insert' AND endsWith(query, {mark:String}) SYNC`,
      { mark: commitMark(claim) },
    );
    if (await this.#has('committed', claim)) return;
    await this.#clean(claim.import);
    await note(this.#cluster, claim, 'cleaned');
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

  async #has(state: State, { import: number }: Claim): Promise<boolean> {
    const rows = await this.#cluster.first.rows(
      'SELECT 1 FROM import_log WHERE import = {number:UInt32} AND state = {state:String} LIMIT 1',
      { number, state },
    );
    return rows.length > 0;
  }
}

/** Claims the next number, and finds the claims that others have left. */
async function claimNumber(cluster: Cluster): Promise<{ own: Claim; left: readonly Claim[] }> {
  const importer = mark();
  try {
    for (let tried = 0; ; tried++) {
      await note(cluster, { import: null, importer }, 'wanted');
      const claims = await readClaims(cluster, importer);
      const own = claims.find((claim) => claim.importer === importer)!;
      const others = claims.filter((claim) => claim !== own);
      const living = others.filter(({ isDead }) => !isDead);
      const isShared = others.some((claim) => claim.import === own.import);
      if (living.length === 0 && !isShared && !own.isDead) return { own, left: others };
      await note(cluster, own, 'cleaned');
      const other = living.find(({ hasBegun }) => hasBegun) ?? (tried < MAX_TRIES ? undefined : living[0]);
      if (other !== undefined) throw runningError(cluster.location, other);
      await sleep(Math.random() * MAX_DELAY_MS);
    }
  } catch (error) {
    unmark(importer);
    throw error;
  }
}

/** Adds a row to the log; without a number, that of the next one. The clock is that of the server, which all importers share. */
async function note(
  { first }: Cluster,
  { import: number, importer }: { readonly import: number | null; readonly importer: string },
  state: State,
): Promise<void> {
  await first.run(
    `INSERT INTO import_log (import, state, importer, at_ms)
     SELECT ${number ?? '(SELECT max(import) + 1 FROM import_log)'}, {state:String}, {importer:String},
       toUnixTimestamp64Milli(now64(3))`,
    { state, importer },
  );
}

/** The claims of an importer and those of others that have not ended, also ended ones with the same number. */
async function readClaims({ first }: Cluster, importer: string): Promise<FoundClaim[]> {
  const found = await first.rows(
    `SELECT import, importer, countIf(state = 'begun') > 0 AS has_begun,
      countIf(state IN ('committed', 'cleaned')) > 0 AS has_ended,
      toUnixTimestamp64Milli(now64(3)) - max(at_ms) AS quiet_ms
     FROM import_log GROUP BY import, importer
     HAVING NOT has_ended OR import = (SELECT max(import) FROM import_log WHERE importer = {importer:String})`,
    { importer },
  );
  return found.map((row) => ({
    import: Number(row.import),
    importer: String(row.importer),
    hasBegun: Number(row.has_begun) > 0,
    isDead: Number(row.has_ended) > 0 || Number(row.quiet_ms) > DEAD_MS || !isMarkAlive(String(row.importer)),
  }));
}

/** The end of a statement that commits, by which it is found among running ones. */
const commitMark = ({ importer }: Claim): string => `-- commit of ${importer}`;

/** An importer that was stopped for too long. */
function takenOverError(location: string): StoreError {
  return new StoreError(
    `${location}: this import paused for so long that another one took its place, and nothing of it was stored; run it again`,
  );
}

function runningError(location: string, { importer }: Claim): StoreError {
  const [pid, host] = importer.split(' ');
  return new StoreError(
    `${location}: another import is running (process ${pid} on ${host}); wait until it has ended`,
  );
}

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
