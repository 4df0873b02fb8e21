import { TABLES } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import { runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { replacedSql } from '../engine/snapshot.js';

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
export async function removeReplaced(first: Shard, options: ReadOptions = {}): Promise<void> {
  await runConcurrently(
    TABLES.flatMap(({ name, key }) => (key === undefined ? [] : [{ name, key }])),
    async ({ name, key }, reading) => {
      const replaced = `(${key}, import) IN (${replacedSql(name, key, OLD)})`;
      const [found] = await first.rows(`SELECT count() AS rows FROM ${name} WHERE ${replaced}`, {}, reading);
      if (Number(found!.rows) < MIN_ROWS) return;
      const isOldest = `(replaces IS NULL OR (${key}, assumeNotNull(replaces)) NOT IN (SELECT ${key}, import FROM ${name}))`;
      await first.run(`DELETE FROM ${name} WHERE ${replaced} AND ${isOldest}`, {}, reading);
    },
    options,
  );
}

/** The SQL condition that selects rows of imports that were committed long ago. */
const OLD = `import IN (SELECT import FROM import_log WHERE at_ms < toUnixTimestamp64Milli(now64(3)) - ${KEPT_MS})`;
