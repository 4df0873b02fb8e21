import type { DuckDBConnection } from '@duckdb/node-api';
import { CONTAINING_TYPES, ENTITY_TYPES, type EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import { linkAbort } from '../../../model/linked-abort.js';
import type { LongOperation } from '../../../model/progress.js';
import type { EngineTables, QueryParts } from '../../queries/engine-tables.js';
import { refuseMissing } from '../../queries/faults.js';
import type {
  ImportRecords,
  NewEntity,
  NewPoints,
  NewRows,
  NewShape,
  PutRowsOptions,
  ReadRows,
  SettledPoints,
  SettleOptions,
  StoreTransaction,
} from '../../store.js';
import { type Database, interruptOnAbort } from '../engine/database.js';
import { toStoreError } from '../engine/errors.js';
import { memoryLimit } from '../engine/open-database.js';
import { PARTS, quoteLiteral, quotePath } from '../engine/sql-values.js';
import { RENEW_STORE_ID } from '../schema.js';
import { PointStaging } from '../staging/point-staging.js';
import {
  type Written as PutRows,
  putEntities,
  putFileRegions,
  putFileShapes,
  putRecords,
  putShapes,
} from './entities.js';
import { mergePoints, refuseBackwards } from './merge.js';
import { runAll } from './ranges.js';
import { passConflicts, type Settled, type SettledImport, settlePoints } from './settle.js';

export type BatchKind = EntityType | 'shapes';

/** The store into which an import is committed. */
export interface ImportTarget {
  readonly location: string;
  /** Aborted if the import can no longer be committed. */
  readonly signal?: AbortSignal;
  /** The store's tables, including everything that `write` has written. */
  readonly tables: QueryParts & Pick<EngineTables, 'rows'>;
  /** Checks whether the store still has a batch from `putOnce`. The keys of `put` are types of rows already put. */
  knowsBatch(digest: string, put: ReadonlyMap<BatchKind, unknown>): Promise<boolean>;
  /** Loads the names of the entities in conflicting points into the connection's tables. */
  loadConflictNames?(connection: DuckDBConnection): Promise<void>;
  /**
   * Writes the import without making it visible to readers.
   * @returns counts, and the first handle for new series (null if there are no points)
   */
  write(settled: SettledImport, operation: LongOperation): Promise<Written>;
  /** Makes the import visible to readers. */
  commit(): Promise<void>;
  /** Releases the import's resources, and discards everything that was not committed. */
  end(): Promise<void>;
}

/** Counts of an import's changes. `entities` is omitted if the transaction counts them. */
interface Written extends Omit<ImportCounts, 'entities'>, Partial<Pick<ImportCounts, 'entities'>> {
  readonly newFrom: number | null;
}

export interface BeginOptions {
  /** Whether the import copies a store. If so, all vintages are kept, and handles follow the order of the series. */
  readonly isCopy?: boolean | undefined;
  /** The target store, if `database` only prepares the import. By default, `database` is the target. */
  readonly target?: ImportTarget | undefined;
  readonly onEnd: () => void;
}

/** Begins an import: a database transaction on a separate connection, with points staged in an in-memory database. */
export async function beginTransaction(
  database: Database,
  { isCopy = false, target, onEnd }: BeginOptions,
): Promise<StoreTransaction> {
  let connection: DuckDBConnection | null = null;
  let staging: PointStaging | null = null;
  try {
    connection = await database.connect();
    staging = await PointStaging.create(await database.connect(), { isCopy });
    // For an in-memory store, the limit would also apply to the store's data.
    const isUnlimited = database.location === ':memory:' && target === undefined;
    const limit = isUnlimited ? [] : [`SET memory_limit = '${memoryLimit({ isImporting: true })}'`];
    await runAll(connection, [...limit, 'BEGIN TRANSACTION']);
    return new DuckdbTransaction(database, connection, { staging, target, onEnd });
  } catch (error) {
    connection?.disconnectSync();
    await staging?.close();
    await target?.end();
    throw toStoreError(error, target?.location ?? database.location, 'beginning an import');
  }
}

class DuckdbTransaction implements StoreTransaction {
  /** The types of rows that were written, with the ids of the added or changed entities. */
  readonly #changed = new Map<BatchKind, Set<number>>();
  readonly #aborting = new AbortController();
  #importedMs = Date.now();
  /** Steps that are still running. A rollback waits for them. */
  readonly #running = new Set<Promise<unknown>>();
  #settling: Promise<Settled> | null = null;
  /** The import's shutdown, once it has started. */
  #ended: Promise<void> | null = null;
  /** The types of rows that the last call to `putOnce` has written so far. */
  #puttingKinds = new Set<BatchKind>();

  readonly #database: Database;
  readonly #connection: DuckDBConnection;
  readonly #staging: PointStaging;
  readonly #target: ImportTarget;
  readonly #onEnd: () => void;

  constructor(
    database: Database,
    connection: DuckDBConnection,
    { staging, target, onEnd }: { staging: PointStaging } & Pick<BeginOptions, 'target' | 'onEnd'>,
  ) {
    this.#database = database;
    this.#connection = connection;
    this.#staging = staging;
    this.#target = target ?? fileTarget(database, connection);
    this.#onEnd = onEnd;
  }

  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void> {
    return this.#run('importing entities', async () =>
      this.#noteWritten(type, await putEntities(this.#connection, type, entities)),
    );
  }

  putShapes(shapes: readonly NewShape[]): Promise<void> {
    return this.#run('importing shapes', async () =>
      this.#noteWritten('shapes', await putShapes(this.#connection, shapes)),
    );
  }

  putRegionFile(path: string): Promise<void> {
    const put = async (lent: string) => {
      const file = quotePath(lent);
      // The file's metadata has a checksum of its content.
      const checksum = `SELECT decode(value) FROM parquet_kv_metadata(${file})`;
      const [row] = (await this.#connection.runAndReadAll(checksum)).getRows();
      await this.putOnce(`regions ${row![0]}`, async () => {
        await this.#noteWritten('regions', await putFileRegions(this.#connection, file));
        await this.#noteWritten('shapes', await putFileShapes(this.#connection, file));
      });
    };
    return this.#run('importing regions', () => this.#database.lend(path, put));
  }

  async putOnce(digest: string, put: () => Promise<void>): Promise<void> {
    if (await this.#run('importing entities', () => this.#target.knowsBatch(digest, this.#changed))) return;
    this.#puttingKinds = new Set();
    await put();
    const batch = `(${quoteLiteral(digest)}, ${quoteLiteral([...this.#puttingKinds].join(' '))})`;
    await this.#run('importing entities', () =>
      this.#connection.run(`INSERT INTO known_batch VALUES ${batch}`),
    );
  }

  putPoints(points: NewPoints): Promise<void> {
    return this.#run('importing points', () => this.#staging.add(points));
  }

  putRows(rows: NewRows, options: PutRowsOptions = {}): Promise<ReadRows> {
    const read = (path: string) => this.#staging.read({ ...rows, path }, options);
    return this.#run('importing rows', () => this.#database.lend(rows.path, read), options.signal);
  }

  record(records: ImportRecords): Promise<void> {
    this.#importedMs = records.imported?.importedMs ?? this.#importedMs;
    return this.#run('recording an import', () => putRecords(this.#connection, records));
  }

  async settle(options: SettleOptions = {}): Promise<SettledPoints> {
    const { points, nulls, duplicates, conflicts } = await this.#settle(options);
    return { points, nulls, duplicates, conflicts };
  }

  #settle({ onConflicts, ...operation }: SettleOptions): Promise<Settled> {
    const settle = async (signal: AbortSignal) => {
      const settled = await settlePoints(this.#staging, { ...operation, signal });
      if (settled.conflicts === 0 || onConflicts === undefined) return settled;
      await this.#target.loadConflictNames?.(this.#connection);
      await passConflicts(this.#connection, onConflicts);
      return settled;
    };
    this.#settling ??= this.#run('comparing the points of an import', settle, operation.signal);
    return this.#settling;
  }

  async commit(options: LongOperation = {}): Promise<ImportCounts> {
    this.#requireOpen();
    try {
      const settled = await this.#settle(options);
      const commit = (signal: AbortSignal) => this.#commit(settled, { ...options, signal });
      const counts = await this.#run('committing an import', commit, options.signal);
      this.#ended ??= this.#end();
      await this.#ended;
      return counts;
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
  }

  async #commit(settled: Settled, operation: LongOperation): Promise<ImportCounts> {
    const connection = this.#connection;
    if (settled.backwards > 0) await refuseBackwards(connection);
    const ready = { connection, settled, isCopy: this.#staging.isCopy, importedMs: this.#importedMs };
    const { newFrom, ...counts } = await this.#target.write(ready, operation);
    const sizeOf = (kind: BatchKind) => this.#changed.get(kind)?.size ?? 0;
    const contained = CONTAINING_TYPES.some(sizeOf);
    await refuseMissing(this.#target.tables, { from: newFrom, points: counts.added > 0, contained });
    operation.signal?.throwIfAborted();
    await this.#target.commit();
    const entities = ENTITY_TYPES.reduce((sum, type) => sum + sizeOf(type), 0);
    return { entities, ...counts };
  }

  async rollback(): Promise<void> {
    this.#aborting.abort(new StoreError(`${this.#target.location}: this import was rolled back`));
    await Promise.allSettled(this.#running);
    await this.#rollBack();
  }

  #rollBack(): Promise<void> {
    // A failed COMMIT has already ended the transaction. If ROLLBACK fails, disconnecting ends it.
    const end = () => this.#end();
    this.#ended ??= this.#connection.run('ROLLBACK').then(end, end);
    return this.#ended;
  }

  /** Runs a step that an abort or a rollback can interrupt. Interrupted steps fail with the signal's reason. */
  async #run<Result>(
    action: string,
    work: (signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<Result> {
    this.#aborting.signal.throwIfAborted();
    this.#requireOpen();
    const { signal, unlink } = linkAbort(outer, this.#aborting.signal, this.#target.signal);
    const connections = [this.#connection, this.#staging.connection];
    const stopWatching = connections.map((connection) => interruptOnAbort(connection, signal));
    const step = signal.aborted ? Promise.reject(signal.reason) : work(signal);
    this.#running.add(step);
    try {
      return await step;
    } catch (error) {
      signal.throwIfAborted();
      throw toStoreError(error, this.#target.location, action);
    } finally {
      this.#running.delete(step);
      for (const stop of stopWatching) stop();
      unlink();
    }
  }

  #requireOpen(): void {
    if (this.#ended !== null)
      throw new StoreError(`${this.#target.location}: this import has ended; begin a new one`);
  }

  async #end(): Promise<void> {
    // If this fails, the memory limit for imports also applies to later reads.
    const limit = memoryLimit({ isImporting: false });
    await this.#connection.run(`SET memory_limit = '${limit}'`).catch(() => {});
    this.#connection.disconnectSync();
    await this.#staging.close();
    await this.#target.end();
    this.#onEnd();
  }

  /** Records that rows of a type were written. If stored rows were replaced, forgets known batches of that type. */
  async #noteWritten(kind: BatchKind, { ids, hasReplaced }: PutRows): Promise<void> {
    const changed = this.#changed.get(kind) ?? new Set();
    for (const id of ids) changed.add(id);
    this.#changed.set(kind, changed);
    this.#puttingKinds.add(kind);
    const forget = `DELETE FROM known_batch WHERE list_contains(string_split(kinds, ' '), '${kind}')`;
    if (hasReplaced) await this.#connection.run(forget);
  }
}

/** Returns the target for an import into `database`. The open transaction commits both entities and points. */
function fileTarget(database: Database, connection: DuckDBConnection): ImportTarget {
  return {
    location: database.location,
    tables: { ...PARTS, rows: async (sql) => (await connection.runAndReadAll(sql)).getRowObjects() },
    async knowsBatch(digest) {
      const found = `SELECT 1 FROM known_batch WHERE digest = ${quoteLiteral(digest)}`;
      return (await connection.runAndReadAll(found)).currentRowCount > 0;
    },
    write: mergePoints,
    async commit() {
      await connection.run(`${RENEW_STORE_ID}, imports = imports + 1`);
      await database.commit(connection);
    },
    end: () => database.foldLongLog(),
  };
}
