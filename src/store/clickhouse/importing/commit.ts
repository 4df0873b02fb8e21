import { StoreError } from '../../../model/errors.js';
import { chunksOf } from '../../../model/grouping.js';
import { isMarkAlive, mark, unmark } from '../../process-mark.js';
import type { Row } from '../../queries/engine-tables.js';
import { TABLES, tablesOf } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { readSnapshot, replacedSql, type Snapshot } from '../engine/snapshot.js';

const BEAT_MS = 3_000;
/** The time without a heartbeat after which an importer counts as dead and may be replaced by another importer. */
const DEAD_MS = 30_000;

interface Claim {
  readonly import: number;
  /** Identifies the importer's process: process id, host name and a random id. */
  readonly importer: string;
}

/** The exclusive right to import, which is held until the import is committed or abandoned. */
export interface Commit {
  readonly import: number;
  /** The snapshots that readers use before and after the commit. */
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Aborted when another importer has replaced this one. */
  readonly signal: AbortSignal;
  /** Makes all rows with the import's number visible. @throws StoreError if another importer has discarded them */
  finish(): Promise<void>;
  /** Removes uncommitted rows. If that fails, the next import removes them. */
  end(): Promise<void>;
}

/**
 * Begins an import, and removes the rows of dead importers and rows that were replaced long ago.
 *
 * Imports are numbered. For each number, a log has a start row and an end row. An end row with the state `committed` makes
 * the import's rows visible on all shards at once. The server stores only one start row and one end row for a number, even
 * if several importers write one at the same time. The next import cannot start until the end row is stored. If an
 * importer has died, the next importer first stores an end row with the state `abandoned`, and readers ignore its rows.
 * @throws StoreError that names the process of another running import
 */
export async function beginCommit(cluster: Cluster): Promise<Commit> {
  const { first, location } = cluster;
  const importer = mark();
  const number = await claimNumber(cluster, importer).catch((error: unknown) => {
    unmark(importer);
    throw error;
  });
  const claim = { import: number, importer };
  const lost = new AbortController();
  const beat = async () => {
    await first.insertRows('import_beat', [{ import: number }]);
    if ((await readLog(first, number, 'end'))?.state === 'abandoned') lost.abort(takenOverError(location));
  };
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS);
  timer.unref();
  let hasEnded = false;
  const release = () => {
    hasEnded = true;
    clearInterval(timer);
    unmark(importer);
  };
  const end = async () => {
    if (!hasEnded) await discard(cluster, claim).catch(() => {});
    release();
  };
  const finish = () => commit(cluster, claim).then(release);
  try {
    const before = await readSnapshot(first);
    // Earlier imports have removed the rows of abandoned imports before the last committed import.
    const left = before.abandoned.filter((abandoned) => abandoned > before.import);
    await removeRows(cluster, left);
    await removeReplaced(first, { signal: lost.signal });
    lost.signal.throwIfAborted();
    return { import: number, before, after: { ...before, import: number }, signal: lost.signal, finish, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function commit(cluster: Cluster, claim: Claim): Promise<void> {
  const { first, location } = cluster;
  const end = await log(cluster, claim, 'committed').catch(async (error: unknown) => {
    // The connection may have been lost after the row was stored.
    const stored = await readLog(first, claim.import, 'end').catch((cause: unknown) => {
      throw new StoreError(
        `${location}: the connection was lost while the import was being committed, so it may or may not have been stored; run it again (if it was stored, this changes nothing)`,
        { cause },
      );
    });
    if (stored === undefined) throw error;
    return stored;
  });
  if (end.state === 'abandoned') throw takenOverError(location);
  cluster.renewSnapshot();
}

async function discard(cluster: Cluster, claim: Claim): Promise<void> {
  if ((await log(cluster, claim, 'abandoned')).state === 'abandoned')
    await removeRows(cluster, [claim.import]);
}

/** Claims the next import number if the last importer has ended or died. @throws StoreError if it is still running */
async function claimNumber(cluster: Cluster, importer: string): Promise<number> {
  const { first, location } = cluster;
  for (;;) {
    const [written] = await first.rows('SELECT max(import) AS import FROM series');
    const [last] = await first.rows(LAST_IMPORT);
    if (last !== undefined && Number(last.has_ended) === 0) {
      const [pid, host] = String(last.importer).split(' ');
      if (Number(last.quiet_ms) <= DEAD_MS && isMarkAlive(String(last.importer)))
        throw new StoreError(
          `${location}: another import is running (process ${pid} on ${host}); wait for it to finish`,
        );
      await log(cluster, { import: Number(last.import), importer }, 'abandoned');
    }
    const number = Number(last?.import ?? 0) + 1;
    if (Number(written!.import) >= number) throw deletedLogError(cluster);
    if ((await log(cluster, { import: number, importer }, 'begun')).importer === importer) return number;
  }
}

const LAST_IMPORT = `SELECT import, importer, import IN (SELECT import FROM import_log WHERE state <> 'begun') AS has_ended,
    toUnixTimestamp64Milli(now64(3)) - greatest(at_ms, (SELECT max(at_ms) FROM import_beat
      WHERE import = (SELECT max(import) FROM import_log))) AS quiet_ms
  FROM import_log WHERE state = 'begun' ORDER BY import DESC LIMIT 1`;

/** Logs the beginning or the end of an import, unless it is already logged. @returns the row in the log */
async function log(cluster: Cluster, claim: Claim, state: string): Promise<Row> {
  const { first } = cluster;
  const part = state === 'begun' ? 'begin' : 'end';
  const earlier = await readLog(first, claim.import, part);
  if (earlier !== undefined) return earlier;
  await first.insertRows('import_log', [{ ...claim, state }], { token: `${part} ${claim.import}` });
  const stored = await readLog(first, claim.import, part);
  if (stored !== undefined) return stored;
  // ClickHouse ignores an insert with a known token, even if the row of the first insert was deleted.
  throw deletedLogError(cluster);
}

const deletedLogError = ({ first, location }: Cluster): StoreError =>
  new StoreError(
    `${location}: the latest rows of the table import_log on the server ${first.name} were deleted, so nothing can be imported; ` +
      'restore the table from a backup, or import all data into a new store',
  );

async function readLog(first: Shard, number: number, part: 'begin' | 'end'): Promise<Row | undefined> {
  const isPart = `import = ${number} AND state ${part === 'begin' ? '=' : '<>'} 'begun'`;
  return (await first.rows(`SELECT importer, state FROM import_log WHERE ${isPart}`))[0];
}

async function removeRows(cluster: Cluster, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const isTheirs = `import IN (${numbers.join(', ')})`;
  await runConcurrently(cluster.shards.entries(), async ([i, shard]) => {
    const tables = tablesOf(i).flatMap(({ name, imported }) => (imported ? [name] : []));
    const written = await shard.rows(
      tables
        .map((name) => `SELECT '${name}' AS name FROM ${name} WHERE ${isTheirs} LIMIT 1`)
        .join(' UNION ALL '),
    );
    await runConcurrently(written, ({ name }) => shard.run(`DELETE FROM ${name} WHERE ${isTheirs}`));
    await dropStaged(shard, numbers);
  });
}

export function dropStaged(shard: Shard, numbers: readonly number[], options?: ReadOptions): Promise<void> {
  const dropped = numbers.map((number) => `DROP PARTITION ${number}`);
  return shard.run(`ALTER TABLE staged_point ${dropped.join(', ')}`, options);
}

const takenOverError = (location: string): StoreError =>
  new StoreError(
    `${location}: this import was idle for too long and was replaced by another import; none of its data was stored; run it again`,
  );

/** How long a replaced row is kept for readers of older snapshots. No query takes longer than this. */
const KEPT_MS = 24 * 3_600_000;

/** A table with fewer replaced rows is left unchanged, because reading the rows takes less time than deleting them. */
const MIN_ROWS = 10_000;

/**
 * Removes rows that committed imports have replaced. For example, a daily import of 20,000 series replaces all of their
 * rows. After a year of such imports, reading the series took 40 times as long, and an import took 10 times as long.
 *
 * Only the oldest row with each key is removed. Readers ignore a row because a later row replaces it, and a deletion is
 * not atomic, so the later row must not disappear before the earlier one. A deletion lists its rows, because
 * ClickHouse 26.7 sometimes hung on deletions that read the same table.
 */
async function removeReplaced(first: Shard, options: ReadOptions): Promise<void> {
  await runConcurrently(
    TABLES.flatMap(({ name, key }) => (key === undefined ? [] : [{ name, key }])),
    async ({ name, key }, reading) => {
      const row = `(${key}, import)`;
      const replaced = `FROM ${name} WHERE ${row} IN (${replacedSql(name, key, OLD)})`;
      const [counted] = await first.rows(`SELECT count() AS rows ${replaced}`, reading);
      if (Number(counted!.rows) < MIN_ROWS) return;
      const isOldest = `(replaces IS NULL OR (${key}, assumeNotNull(replaces)) NOT IN (SELECT ${key}, import FROM ${name}))`;
      const found = await first.rows(`SELECT toString(${row}) AS row ${replaced} AND ${isOldest}`, reading);
      for (const rows of chunksOf(found, MAX_DELETED))
        await first.run(
          `DELETE FROM ${name} WHERE ${row} IN (${rows.map((one) => one.row).join()})`,
          reading,
        );
    },
    options,
  );
}

/** The maximum number of rows that a statement deletes. It limits the length of the statement. */
const MAX_DELETED = 50_000;

/** The SQL condition that selects rows of imports that were committed more than `KEPT_MS` ago. */
const OLD = `import IN (SELECT import FROM import_log
  WHERE state = 'committed' AND at_ms < toUnixTimestamp64Milli(now64(3)) - ${KEPT_MS})`;
