import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import { linkedAbort } from '../../../model/linked-abort.js';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { STAGING } from '../../duckdb/point-tables.js';
import { missingError } from '../../duckdb/writing/file-target.js';
import { refuseBackwards } from '../../duckdb/writing/merge.js';
import { runAll } from '../../duckdb/writing/ranges.js';
import type { ImportTarget, SettledImport } from '../../duckdb/writing/target.js';
import { type BeginOptions, beginTransaction } from '../../duckdb/writing/transaction.js';
import { missingEntitiesSql } from '../../queries/faults.js';
import { columnsOf } from '../../schema/clickhouse.js';
import type { ReadOptions, StoreTransaction } from '../../store.js';
import { type Cluster, together } from '../engine/cluster.js';
import { current, type Snapshot } from '../engine/snapshot.js';
import { tablesAt } from '../reading/tables.js';
import { Commit, dropStaged } from './commit.js';
import { writeSeries } from './series-facts.js';
import { createTemporaryDatabase, type TemporaryDatabase } from './temporary-database.js';
import { download } from './transfer.js';
import { type WrittenPoints, writePoints } from './write-points.js';
import { countEntities, knowsBatch, writeTables } from './write-tables.js';

interface ClusterOptions extends Omit<BeginOptions, 'target'> {
  /** Called before the commit with the snapshot that readers will see then; the import is given up when it throws. */
  readonly check?: ((snapshot: Snapshot) => Promise<void>) | undefined;
}

/**
 * Begins an import. A temporary DuckDB database holds what it brings until the shards take it.
 * @throws StoreError when another import is running
 */
export async function beginImport(
  cluster: Cluster,
  { check, ...options }: ClusterOptions,
): Promise<StoreTransaction> {
  let commit: Commit | null = null;
  let temporary: TemporaryDatabase;
  try {
    commit = await Commit.begin(cluster);
    temporary = await createTemporaryDatabase();
  } catch (error) {
    await commit?.end();
    options.onEnd();
    throw error;
  }
  const target = new ClusterTarget(cluster, { commit, temporary, check });
  return beginTransaction(temporary.database, { ...options, target });
}

/** Servers as the target of an import. */
class ClusterTarget implements ImportTarget {
  readonly #cluster: Cluster;
  readonly #commit: Commit;
  readonly #temporary: TemporaryDatabase;
  readonly #check: ClusterOptions['check'];

  constructor(
    cluster: Cluster,
    {
      commit,
      temporary,
      check,
    }: Pick<ClusterOptions, 'check'> & { commit: Commit; temporary: TemporaryDatabase },
  ) {
    this.#cluster = cluster;
    this.#commit = commit;
    this.#temporary = temporary;
    this.#check = check;
  }

  get location(): string {
    return this.#cluster.location;
  }

  knowsBatch(digest: string, put: Parameters<ImportTarget['knowsBatch']>[1]): Promise<boolean> {
    return knowsBatch(this.#cluster.first, { digest, put, before: this.#commit.before });
  }

  async loadConflictNames(connection: DuckDBConnection): Promise<void> {
    const { before: snapshot, signal } = this.#commit;
    const units = `${STAGING}.conflict`;
    for (const [table, ids] of [
      ['metric', `metric_id FROM ${STAGING}.staged_series`],
      ['item', `item_id FROM ${STAGING}.staged_series`],
      ['region', `region_id FROM ${STAGING}.staged_series`],
      ['unit', `unit_id FROM ${units} UNION SELECT other.unit_id FROM ${units}`],
    ] as const) {
      const unknown = await connection.runAndReadAll(
        `FROM (SELECT ${ids}) AS found(id) ANTI JOIN ${table} USING (id)`,
      );
      const wanted = unknown.getRows().map(([id]) => id);
      if (wanted.length === 0) continue;
      const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table}
        WHERE ${current(table, snapshot)} AND id IN (${wanted.join(', ')})`;
      await download(connection, [{ shard: this.#cluster.first, sql, table }], { signal });
    }
  }

  async commit(settled: SettledImport, { signal: outer, onProgress }: LongOperation): Promise<ImportCounts> {
    const { signal, unlink } = linkedAbort(this.#commit.signal, outer);
    try {
      return await this.#write(settled, { signal, onProgress });
    } finally {
      unlink();
    }
  }

  async #write(settled: SettledImport, operation: LongOperation): Promise<ImportCounts> {
    const { first, shards } = this.#cluster;
    const { import: number, before, after } = this.#commit;
    const { signal } = operation;
    await writeTables({ ...settled, first, import: number, before }, { signal });
    const points = await this.#writePoints(settled, operation);
    const entities = await countEntities(first, number, { signal });
    await this.#checkIntegrity({ settled, ...points }, { signal });
    await together(
      shards.entries(),
      async ([i, shard], options) => {
        const [row] = await shard.rows(
          `SELECT count() AS rows FROM point WHERE import = ${number}`,
          {},
          options,
        );
        const wanted = points.rows[i] ?? 0;
        if (Number(row!.rows) === wanted) return dropStaged(shard, number, options);
        throw new StoreError(
          `the shard ${shard.name} has ${row!.rows} of ${wanted} points that the import wrote; nothing was committed: run the import again`,
        );
      },
      { signal },
    );
    await this.#check?.(after);
    signal?.throwIfAborted();
    await this.#commit.finish();
    return { ...points.counts, entities };
  }

  async #writePoints(
    { connection, settled, isCopy, importedMs }: SettledImport,
    operation: LongOperation,
  ): Promise<Pick<WrittenPoints, 'rows'> & { nextHandle: number; counts: Omit<ImportCounts, 'entities'> }> {
    const total = settled.points + settled.nulls;
    const { first } = this.#cluster;
    const { import: number, before, after } = this.#commit;
    const { signal } = operation;
    const [next] = await first.rows(
      'SELECT max(handle) + 1 AS handle, count() AS series FROM series',
      {},
      operation,
    );
    const nextHandle = next!.series === 0 ? 0 : Number(next!.handle);
    if (total === 0)
      return { rows: [], nextHandle, counts: { added: 0, revised: 0, unchanged: 0, series: 0 } };
    if (settled.backwards > 0) await refuseBackwards(connection);
    await loadSeries(connection, this.#cluster, { before, signal });
    const writing = { cluster: this.#cluster, connection, import: number, before, isCopy, importedMs };
    const written = await writePoints(writing, { nextHandle, total }, operation);
    const series = await writeSeries(writing, written, { after, signal });
    const added = written.rows.reduce((sum, rows) => sum + rows, 0);
    const counts = { added, revised: added - written.newPeriods, unchanged: total - added, series };
    return { rows: written.rows, nextHandle, counts };
  }

  /**
   * Checks what the import has added. What is older cannot lose an entity: none is ever removed.
   * @throws StoreError that names the first id without an entity
   */
  async #checkIntegrity(
    {
      settled,
      counts,
      nextHandle,
    }: { settled: SettledImport; counts: Omit<ImportCounts, 'entities'>; nextHandle: number },
    options: ReadOptions,
  ): Promise<void> {
    const points = counts.added > 0;
    if (!points && !settled.hasContainment) return;
    const tables = tablesAt(this.#cluster, this.#commit.after);
    const added = { from: points ? nextHandle : null, points, contained: settled.hasContainment };
    const [missing] = await tables.rows(missingEntitiesSql(tables, { ...added, limit: 1 }), options);
    if (missing !== undefined) throw missingError(missing);
  }

  async end(): Promise<void> {
    await this.#commit.end();
    await this.#temporary.remove();
  }
}

/** A longer list of ids selects nothing: sending it takes longer than reading the other rows. */
const MAX_IDS = 10_000;

/** Loads the stored series of the staged points, and some more, into the table `stored_series`. */
async function loadSeries(
  connection: DuckDBConnection,
  { first }: Cluster,
  { before, signal }: ReadOptions & { readonly before: Snapshot },
): Promise<void> {
  const columns = [...columnsOf('series'), 'import'];
  await runAll(connection, [
    `CREATE TEMP TABLE stored_series AS
     SELECT series.*, 0 AS vintages, []::INTEGER[] AS units, 0 AS import FROM series LIMIT 0`,
  ]);
  const sql = `SELECT ${columns.join(', ')} FROM series
    WHERE ${current('series', before)} AND ${await selectionOf(connection)}`;
  await download(connection, [{ shard: first, table: 'stored_series', sql }], { signal });
}

/** Selects series with the ids that the staged ones have: some more than those. */
async function selectionOf(connection: DuckDBConnection): Promise<string> {
  const names = SERIES_KEY_FIELDS.map((field) => `'${field}'`).join(', ');
  const read = await connection.runAndReadAll(`
    SELECT concat(field, ' IN (', string_agg(id::VARCHAR, ', '), ')') FROM (
      SELECT DISTINCT unnest([${names}]) AS field, unnest([${SERIES_KEY_FIELDS.join(', ')}]) AS id
      FROM ${STAGING}.staged_series)
    GROUP BY field HAVING count(*) <= ${MAX_IDS}`);
  return ['true', ...read.getRows().map(([condition]) => String(condition))].join(' AND ');
}
