import type { DuckDBConnection } from '@duckdb/node-api';
import { chunksOf } from '../../../model/grouping.js';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { STAGING } from '../../duckdb/point-tables.js';
import type { Home, MergedPoints } from '../../duckdb/writing/home.js';
import { rowsInTurns, runAll } from '../../duckdb/writing/ranges.js';
import { type BeginOptions, beginTransaction } from '../../duckdb/writing/transaction.js';
import { idCondition } from '../../queries/engine-tables.js';
import type { StoreTransaction } from '../../store.js';
import { Commit, type Expected, type Writing } from '../committing/commit.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE, type Snapshot, visible } from '../engine/snapshot.js';
import {
  createWorkspace,
  fillWorkspace,
  loadPoints,
  loadTables,
  SERIES,
  SHAPE,
  SMALL_TABLES,
  STORED,
  STORED_TABLES,
  TOUCHED_SERIES,
  type Workspace,
} from '../workspace/workspace.js';
import { writeDifferences, writePoints } from './write-rows.js';

interface ClusterOptions extends Omit<BeginOptions, 'home'> {
  /** Called before the commit with the snapshot that readers will see then; the import is given up when it throws. */
  readonly check?: ((snapshot: Snapshot) => Promise<void>) | undefined;
}

/**
 * Begins an import. It runs in a temporary DuckDB store, which settles and merges its points; the cluster is only written to
 * while it commits.
 * @throws StoreError when another import is running
 */
export async function beginImport(
  cluster: Cluster,
  { textBytes, isCopy, check, onEnd }: ClusterOptions,
): Promise<StoreTransaction> {
  let commit: Commit | null = null;
  let workspace: Workspace | null = null;
  try {
    commit = await Commit.begin(cluster);
    workspace = await createWorkspace();
    await loadWorkspace(workspace, cluster, commit);
  } catch (error) {
    await commit?.end();
    await workspace?.remove();
    onEnd();
    throw error;
  }
  const home = new ImportHome(cluster, { commit, workspace, check });
  return beginTransaction(workspace.database, { textBytes, isCopy, home, onEnd });
}

async function loadWorkspace(
  { database }: Workspace,
  cluster: Cluster,
  { before, signal }: Commit,
): Promise<void> {
  const connection = await database.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    await fillWorkspace(connection, cluster, { tables: SMALL_TABLES, snapshot: before, signal });
    await database.commit(connection);
  } finally {
    connection.disconnectSync();
  }
}

/** The cluster as the home of an import that runs in a workspace. */
class ImportHome implements Home {
  readonly #shapeIds = new Set<number>();
  #writing: Writing | null = null;
  #points: MergedPointsWriter | null = null;

  readonly #cluster: Cluster;
  readonly #commit: Commit;
  readonly #workspace: Workspace;
  readonly #check: ClusterOptions['check'];

  constructor(
    cluster: Cluster,
    { commit, workspace, check }: Pick<ClusterOptions, 'check'> & { commit: Commit; workspace: Workspace },
  ) {
    this.#check = check;
    this.#cluster = cluster;
    this.#commit = commit;
    this.#workspace = workspace;
  }

  get location(): string {
    return this.#cluster.location;
  }

  async loadShapes(connection: DuckDBConnection, regionIds: readonly number[]): Promise<void> {
    const ids = [...new Set(regionIds)].filter((id) => !this.#shapeIds.has(id));
    if (ids.length === 0) return;
    const { before: snapshot, signal } = this.#commit;
    const only = idCondition('region_id', ids);
    await loadTables(connection, this.#cluster, { tables: [SHAPE], only, snapshot, signal });
    for (const id of ids) this.#shapeIds.add(id);
    await connection.run(`INSERT INTO shape FROM ${STORED}.shape WHERE ${only}`);
  }

  async load(connection: DuckDBConnection, operation: LongOperation): Promise<void> {
    const writing = this.#commit.writing(operation);
    this.#writing = writing;
    const { before: snapshot, signal } = writing;
    await loadSeries(connection, this.#cluster, { snapshot, signal });
    await loadPoints(connection, this.#cluster, { ...operation, snapshot, signal });
    this.#points = new MergedPointsWriter(this.#cluster, writing);
  }

  take(connection: DuckDBConnection, points: MergedPoints): Promise<void> {
    return this.#points!.take(connection, points);
  }

  async commit(connection: DuckDBConnection, changed: ReadonlySet<string>): Promise<void> {
    const writing = this.#writing!;
    const points = await this.#points!.finish();
    const tables = STORED_TABLES.filter(({ table }) => changed.has(table));
    const written = await writeDifferences(connection, this.#cluster.first, { tables, writing });
    const expected = points.map((point, i) => (i === 0 ? [point, ...written] : [point]));
    await this.#commit.finish(expected, writing, this.#check);
  }

  async end(): Promise<void> {
    await this.#commit.end();
    await this.#workspace.remove();
  }
}

/** A longer list of ids selects nothing: sending it takes longer than reading the other rows. */
const MAX_IDS = 10_000;

/**
 * Loads the stored series of the points of an import, which are settled, and the one with the highest handle: new ones get
 * handles after that.
 */
async function loadSeries(
  connection: DuckDBConnection,
  cluster: Cluster,
  options: Pick<Writing, 'signal'> & { readonly snapshot: Snapshot },
): Promise<void> {
  const last = `handle = (SELECT max(handle) FROM series WHERE ${visible(options.snapshot)})`;
  for (const only of [await selectionOf(connection), last])
    await loadTables(connection, cluster, { tables: [SERIES], only, ...options });
  const stored = `FROM ${STORED}.series`;
  await runAll(connection, [
    `CREATE OR REPLACE TABLE ${STORED}.series AS
     FROM ${TOUCHED_SERIES} UNION ${stored} WHERE handle = (SELECT max(handle) ${stored})`,
    `INSERT INTO series BY NAME ${stored} ORDER BY handle`,
  ]);
}

/** Series with the ids that the staged ones have: some more than those. */
async function selectionOf(connection: DuckDBConnection): Promise<string> {
  const names = SERIES_KEY_FIELDS.map((field) => `'${field}'`).join(', ');
  const read = await connection.runAndReadAll(`
    SELECT concat(field, ' IN (', string_agg(id::VARCHAR, ', '), ')') FROM (
      SELECT DISTINCT unnest([${names}]) AS field, unnest([${SERIES_KEY_FIELDS.join(', ')}]) AS id
      FROM ${STAGING}.staged_series)
    GROUP BY field HAVING count(*) <= ${MAX_IDS}`);
  return ['true', ...read.getRows().map(([condition]) => String(condition))].join(' AND ');
}

/** Series whose revised points are ended together. */
const SERIES_TOGETHER = 5_000;

/** Writes the points that an import adds, and ends those that they supersede. */
class MergedPointsWriter {
  /** Rows of each shard so far. */
  readonly #rows: number[];
  /** How many stored points of each series are superseded. */
  readonly #superseded = new Map<number, number>();

  readonly #cluster: Cluster;
  readonly #writing: Writing;

  constructor(cluster: Cluster, writing: Writing) {
    this.#cluster = cluster;
    this.#writing = writing;
    this.#rows = cluster.shards.map(() => 0);
  }

  async take(connection: DuckDBConnection, { latest, history, outdated }: MergedPoints): Promise<void> {
    await this.#write(connection, latest);
    if (history !== null) await this.#write(connection, history, this.#writing.import);
    if (outdated === null) return;
    const sql = `SELECT series, count(*)::DOUBLE FROM (${outdated}) GROUP BY series`;
    for await (const rows of rowsInTurns<[number, number]>(connection, sql))
      for (const [series, points] of rows)
        this.#superseded.set(series, points + (this.#superseded.get(series) ?? 0));
  }

  /** @param gone the import by which the points are not the latest of their periods */
  async #write(connection: DuckDBConnection, points: string, gone?: number): Promise<void> {
    const written = await writePoints(connection, this.#cluster, { points, gone, writing: this.#writing });
    for (const [i, rows] of written.entries()) this.#rows[i]! += rows;
  }

  /** Ends superseded rows. @returns the rows that each shard must have by then */
  async finish(): Promise<Expected[]> {
    const { shards } = this.#cluster;
    return together(
      shards.entries(),
      async ([i, shard], { signal }) => {
        const revised = [...this.#superseded]
          .filter(([handle]) => this.#cluster.shardOf(handle) === shard)
          .sort(([a], [b]) => a - b);
        const handles = revised.map(([handle]) => handle);
        await this.#endSuperseded(shard, handles, signal);
        return {
          table: 'point',
          written: this.#rows[i]!,
          ended: revised.reduce((sum, [, points]) => sum + points, 0),
          among: handles.length === 0 ? 'false' : `series BETWEEN ${handles[0]} AND ${handles.at(-1)}`,
        };
      },
      this.#writing,
    );
  }

  /** A stored latest vintage is superseded when the import has brought the latest one of the same period. */
  async #endSuperseded(shard: Shard, handles: readonly number[], signal: AbortSignal): Promise<void> {
    const { before, import: number } = this.#writing;
    for (const some of chunksOf(handles, SERIES_TOGETHER)) {
      const isRevised = idCondition('series', some);
      const sql = `UPDATE point SET gone = ${number}
        WHERE ${isRevised} AND ${visible(before)} AND (series, start_date, end_date) IN (
          SELECT series, start_date, end_date FROM point
          WHERE ${isRevised} AND import = ${number} AND gone = ${NOT_GONE})`;
      await shard.run(sql, {}, { signal });
    }
  }
}
