import type { EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import { beginTransaction } from '../../duckdb/writing/transaction.js';
import type { ImportedSources, StoredFetch } from '../../import-records.js';
import type {
  IdRedirect,
  NewEntity,
  NewPoints,
  NewRows,
  NewShape,
  ReadRows,
  SettledPoints,
  SettleOptions,
  StoreTransaction,
} from '../../store.js';
import { Commit } from '../committing/commit.js';
import type { Cluster } from '../engine/cluster.js';
import { loadSmallTables } from '../workspace/load-tables.js';
import { createWorkspace, type Workspace } from '../workspace/workspace.js';
import { ImportHome } from './import-home.js';

interface BeginOptions {
  /** The length of what is imported, for which the disk of temporary files must have room. */
  readonly textBytes?: number | undefined;
  /** Called once, with whether the import was committed. */
  readonly onEnd: (committed: boolean) => void;
}

/**
 * Begins an import. It runs in a temporary DuckDB store, which settles and merges its points; the cluster is only written to
 * while it commits.
 * @throws StoreError when another import is running
 */
export async function beginImport(
  cluster: Cluster,
  { textBytes, onEnd }: BeginOptions,
): Promise<StoreTransaction> {
  let commit: Commit | null = null;
  let workspace: Workspace | null = null;
  try {
    commit = await Commit.begin(cluster);
    workspace = await createWorkspace();
    await loadWorkspace(workspace, cluster, commit);
    const home = new ImportHome(cluster, commit);
    const inner = await beginTransaction(workspace.database, { textBytes, home, onEnd: () => {} });
    return new ClickHouseTransaction(inner, { home, workspace, onEnd });
  } catch (error) {
    await commit?.end();
    await workspace?.remove();
    onEnd(false);
    throw error;
  }
}

async function loadWorkspace(
  { database }: Workspace,
  cluster: Cluster,
  { before, signal }: Commit,
): Promise<void> {
  const connection = await database.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    await loadSmallTables(connection, cluster, { snapshot: before, signal });
    await database.commit(connection);
  } finally {
    connection.disconnectSync();
  }
}

interface Parts {
  readonly home: ImportHome;
  readonly workspace: Workspace;
  readonly onEnd: (committed: boolean) => void;
}

class ClickHouseTransaction implements StoreTransaction {
  #ending: Promise<void> | null = null;

  readonly #inner: StoreTransaction;
  readonly #home: ImportHome;
  readonly #workspace: Workspace;
  readonly #onEnd: (committed: boolean) => void;

  constructor(inner: StoreTransaction, { home, workspace, onEnd }: Parts) {
    this.#inner = inner;
    this.#home = home;
    this.#workspace = workspace;
    this.#onEnd = onEnd;
  }

  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void> {
    return this.#inner.putEntities(type, entities);
  }

  async putShapes(shapes: readonly NewShape[]): Promise<void> {
    this.#requireOpen();
    await this.#home.loadShapes(shapes.map(({ region_id }) => region_id));
    await this.#inner.putShapes(shapes);
  }

  putOnce(digest: string, put: () => Promise<void>): Promise<void> {
    return this.#inner.putOnce(digest, put);
  }

  putIdRedirects(redirects: readonly IdRedirect[]): Promise<void> {
    return this.#inner.putIdRedirects(redirects);
  }

  async putImportedSources(imported: ImportedSources): Promise<void> {
    this.#requireOpen();
    this.#home.importedSources.push(imported);
  }

  putPoints(points: NewPoints): Promise<void> {
    return this.#inner.putPoints(points);
  }

  putRows(rows: NewRows, options?: Pick<LongOperation, 'signal'>): Promise<ReadRows> {
    return this.#inner.putRows(rows, options);
  }

  putFetch(fetch: StoredFetch): Promise<void> {
    return this.#inner.putFetch(fetch);
  }

  removeFetch(fetch: Pick<StoredFetch, 'dataset' | 'request'>): Promise<void> {
    return this.#inner.removeFetch(fetch);
  }

  settle(options?: SettleOptions): Promise<SettledPoints> {
    return this.#inner.settle(options);
  }

  async commit(options?: LongOperation): Promise<ImportCounts> {
    let committed = false;
    try {
      const counts = await this.#inner.commit(options);
      committed = true;
      return counts;
    } finally {
      await this.#end(committed);
    }
  }

  async rollback(): Promise<void> {
    await this.#inner.rollback();
    await this.#end(false);
  }

  #requireOpen(): void {
    if (this.#ending !== null)
      throw new StoreError(`${this.#home.location}: this import has ended; begin another one`);
  }

  #end(committed: boolean): Promise<void> {
    this.#ending ??= (async () => {
      await this.#home.end();
      await this.#workspace.remove();
      this.#onEnd(committed);
    })();
    return this.#ending;
  }
}
