import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import { linkAbort } from '../../../model/linked-abort.js';
import type { LongOperation } from '../../../model/progress.js';
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
import { importMemory, readingMemory } from '../engine/open-database.js';
import { quoteLiteral, quotePath } from '../engine/sql-values.js';
import { PointStaging } from '../staging/point-staging.js';
import {
  putEntities,
  putFileRegions,
  putFileShapes,
  putRecords,
  putShapes,
  type Written,
} from './entities.js';
import { runAll } from './ranges.js';
import { passConflicts, type Settled, type SettledImport, settlePoints } from './settle.js';
import type { BatchKind, ImportTarget } from './target.js';
import { fileTarget } from './target.js';

export interface BeginOptions {
  /** Whether the import copies a store. If so, all vintages are kept, and handles follow the order of the series. */
  readonly isCopy?: boolean | undefined;
  /** The target store, if `database` only prepares the import. By default, `database` is the target. */
  readonly target?: ImportTarget | undefined;
  /** Called once, after the commit or the rollback. */
  readonly onEnd: () => void;
}

/**
 * Begins an import, which is a database transaction on a separate connection. Until the commit, points are staged in
 * an in-memory database.
 */
export async function beginTransaction(
  database: Database,
  { isCopy = false, target, onEnd }: BeginOptions,
): Promise<StoreTransaction> {
  let connection: DuckDBConnection | null = null;
  let staging: PointStaging | null = null;
  try {
    connection = await database.connect();
    staging = await PointStaging.create(await database.connect(), { isCopy });
    // For a store in memory, the limit would also apply to the store's data.
    const limit = database.location === ':memory:' ? [] : [`SET memory_limit = '${importMemory()}'`];
    await runAll(connection, [...limit, 'BEGIN TRANSACTION']);
    return new DuckdbTransaction(database, connection, { staging, target, onEnd });
  } catch (error) {
    connection?.disconnectSync();
    await staging?.close();
    await target?.end();
    onEnd();
    throw toStoreError(error, target?.location ?? database.location, 'beginning an import');
  }
}

class DuckdbTransaction implements StoreTransaction {
  readonly #changedEntities = new Map<EntityType, Set<number>>();
  readonly #putKinds = new Set<BatchKind>();
  #hasContainment = false;
  readonly #forgotten = new Map<string, SettledImport['forgotten'][number]>();
  readonly #aborting = new AbortController();
  #importedMs = Date.now();
  /** Steps that are still running. A rollback waits for them. */
  readonly #running = new Set<Promise<unknown>>();
  #settling: Promise<Settled> | null = null;
  #hasEnded = false;
  /** The types of rows that the current call of `putOnce` has written so far; null outside of such a call. */
  #puttingKinds: Set<BatchKind> | null = null;

  readonly #database: Database;
  readonly #connection: DuckDBConnection;
  readonly #staging: PointStaging;
  readonly #target: ImportTarget;
  readonly #onEnd: BeginOptions['onEnd'];

  constructor(
    database: Database,
    connection: DuckDBConnection,
    { staging, target, onEnd }: { staging: PointStaging } & Pick<BeginOptions, 'target' | 'onEnd'>,
  ) {
    this.#database = database;
    this.#connection = connection;
    this.#staging = staging;
    this.#target = target ?? fileTarget(database, connection, () => this.#countEntities());
    this.#onEnd = onEnd;
  }

  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void> {
    return this.#attempt('importing entities', async () => {
      await this.#noteWritten(type, await putEntities(this.#connection, type, entities));
    });
  }

  putShapes(shapes: readonly NewShape[]): Promise<void> {
    return this.#attempt('importing shapes', async () =>
      this.#notePut('shapes', await putShapes(this.#connection, shapes)),
    );
  }

  async putRegionFile(path: string): Promise<void> {
    await this.#database.lend(path, async (lent) => {
      const file = quotePath(lent);
      const version = await this.#attempt('importing regions', () =>
        readRegionVersion(this.#connection, file),
      );
      await this.putOnce(`regions ${version}`, () =>
        this.#attempt('importing regions', async () => {
          await this.#noteWritten('regions', await putFileRegions(this.#connection, file));
          await this.#notePut('shapes', await putFileShapes(this.#connection, file));
        }),
      );
    });
  }

  async putOnce(digest: string, put: () => Promise<void>): Promise<void> {
    if (await this.#attempt('importing entities', () => this.#target.knowsBatch(digest, this.#putKinds)))
      return;
    const kinds = new Set<BatchKind>();
    this.#puttingKinds = kinds;
    try {
      await put();
    } finally {
      this.#puttingKinds = null;
    }
    const row = `(${quoteLiteral(digest)}, ${quoteLiteral([...kinds].join(' '))})`;
    await this.#attempt('importing entities', () =>
      this.#connection.run(`INSERT INTO known_batch VALUES ${row}`),
    );
  }

  putPoints(points: NewPoints): Promise<void> {
    return this.#attempt('importing points', () => this.#staging.add(points));
  }

  putRows(rows: NewRows, options: PutRowsOptions = {}): Promise<ReadRows> {
    return this.#interruptible(options, 'importing rows', () =>
      this.#database.lend(rows.path, (path) => this.#staging.read({ ...rows, path }, options)),
    );
  }

  record(records: ImportRecords): Promise<void> {
    const { imported, fetched, forgotten } = records;
    this.#importedMs = imported?.importedMs ?? this.#importedMs;
    const keyOf = ({ dataset, request }: SettledImport['forgotten'][number]) => `${dataset}\n${request}`;
    if (forgotten !== undefined) this.#forgotten.set(keyOf(forgotten), forgotten);
    if (fetched !== undefined) this.#forgotten.delete(keyOf(fetched));
    return this.#attempt('recording an import', () => putRecords(this.#connection, records));
  }

  async settle(options: SettleOptions = {}): Promise<SettledPoints> {
    const { points, nulls, duplicates, conflicts } = await this.#settle(options);
    return { points, nulls, duplicates, conflicts };
  }

  #settle({ onConflicts, ...operation }: SettleOptions): Promise<Settled> {
    return this.#interruptible(operation, 'comparing the points of an import', (signal) => {
      this.#settling ??= settlePoints(this.#staging, { ...operation, signal }).then(async (settled) => {
        if (settled.conflicts === 0 || onConflicts === undefined) return settled;
        await this.#target.loadConflictNames(this.#connection);
        await passConflicts(this.#connection, onConflicts);
        return settled;
      });
      return this.#settling;
    });
  }

  async commit(options: LongOperation = {}): Promise<ImportCounts> {
    this.#requireOpen();
    return this.#track(
      this.#settleAndCommit(options).catch(async (error) => {
        await this.#rollBack();
        throw error;
      }),
    );
  }

  async rollback(): Promise<void> {
    this.#aborting.abort(new StoreError(`${this.#location}: this import was rolled back`));
    await Promise.allSettled(this.#running);
    await this.#rollBack();
  }

  async #settleAndCommit({ signal, onProgress }: LongOperation): Promise<ImportCounts> {
    const settled = await this.#settle({ signal, onProgress });
    const counts = await this.#interruptible({ signal }, 'committing an import', async (signal) => {
      const ready: SettledImport = {
        connection: this.#connection,
        settled,
        isCopy: this.#staging.isCopy,
        importedMs: this.#importedMs,
        forgotten: [...this.#forgotten.values()],
        hasContainment: this.#hasContainment,
      };
      const committed = await this.#target.commit(ready, { signal, onProgress });
      this.#hasEnded = true;
      return committed;
    });
    await this.#end();
    return counts;
  }

  /** Runs work that can be interrupted by an abort or a rollback. Interrupted work fails with the signal's reason. */
  async #interruptible<Result>(
    { signal: outer }: Pick<LongOperation, 'signal'>,
    action: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { signal, unlink } = linkAbort(outer, this.#aborting.signal);
    const connections = [this.#connection, this.#staging.connection];
    const stopWatching = connections.map((connection) => interruptOnAbort(connection, signal));
    try {
      return await this.#attempt(action, async () => {
        signal.throwIfAborted();
        return work(signal);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      for (const stop of stopWatching) stop();
      unlink();
    }
  }

  async #rollBack(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // A COMMIT that failed has already ended the transaction. If ROLLBACK fails, disconnecting ends it.
    await this.#connection.run('ROLLBACK').catch(() => {});
    await this.#end();
  }

  async #attempt<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    try {
      return await this.#track(work());
    } catch (error) {
      throw toStoreError(error, this.#location, action);
    }
  }

  /** Tracks a step, so that a rollback waits for it. */
  async #track<Result>(step: Promise<Result>): Promise<Result> {
    this.#running.add(step);
    return step.finally(() => this.#running.delete(step));
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new StoreError(`${this.#location}: this import has ended; begin a new one`);
  }

  async #end(): Promise<void> {
    this.#hasEnded = true;
    // If this fails, the memory limit for imports also applies to later reads.
    await this.#connection.run(`SET memory_limit = '${readingMemory()}'`).catch(() => {});
    this.#connection.disconnectSync();
    await this.#staging.close();
    await this.#target.end();
    this.#onEnd();
  }

  async #noteWritten(type: EntityType, { ids, hasReplaced, hasEdges }: Written): Promise<void> {
    this.#hasContainment ||= hasEdges;
    const changed = this.#changedEntities.get(type) ?? new Set();
    this.#changedEntities.set(type, changed);
    for (const id of ids) changed.add(id);
    await this.#notePut(type, hasReplaced);
  }

  /** Records that rows of a type were written. If they replaced rows, known batches with such rows are forgotten. */
  async #notePut(kind: BatchKind, hasReplaced: boolean): Promise<void> {
    this.#puttingKinds?.add(kind);
    this.#putKinds.add(kind);
    const forget = `DELETE FROM known_batch WHERE list_contains(string_split(kinds, ' '), '${kind}')`;
    if (hasReplaced) await this.#connection.run(forget);
  }

  get #location(): string {
    return this.#target.location;
  }

  #countEntities(): number {
    return [...this.#changedEntities.values()].reduce((sum, ids) => sum + ids.size, 0);
  }
}

/** Reads the checksum in a regions file's metadata. @param file the path as an SQL literal */
async function readRegionVersion(connection: DuckDBConnection, file: string): Promise<string> {
  const read = await connection.runAndReadAll(`SELECT decode(value) FROM parquet_kv_metadata(${file})`);
  return String(read.getRows()[0]![0]);
}
