import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import { linkedAbort } from '../../../model/linked-abort.js';
import type { LongOperation } from '../../../model/progress.js';
import { describeMissing, missingEntitiesSql, type Referring } from '../../queries/faults.js';
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
import { requireRoom } from '../engine/files.js';
import { importMemory, readingMemory } from '../engine/open-database.js';
import { PARTS, quoted, quotedPath } from '../engine/sql-values.js';
import { ENTITY_TABLES } from '../entity-tables.js';
import { RENEW_STORE_ID } from '../schema.js';
import { PointStaging } from '../staging/point-staging.js';
import {
  putEntities,
  putFileRegions,
  putFileShapes,
  putRecords,
  putShapes,
  readIds,
  type Written,
} from './entities.js';
import { HERE, type Home } from './home.js';
import { mergePoints } from './merge.js';
import { runAll } from './ranges.js';
import { type Settled, settlePoints } from './settle.js';

/** The content of a batch: entities of a type, or shapes. */
type BatchKind = EntityType | 'shapes';

export interface BeginOptions {
  /** The length of the import, for which the disk must have room. */
  readonly textBytes?: number | undefined;
  /** Whether all of a store is copied: every vintage is kept, and handles have the order in which series are put. */
  readonly isCopy?: boolean | undefined;
  /** Another store that the import is for; this database by default. */
  readonly home?: Home | undefined;
  /** Called once, after the commit or the rollback. */
  readonly onEnd: () => void;
}

/**
 * Begins an import: one database transaction on its own connection. Points are staged in a temporary table until the
 * commit merges them.
 */
export async function beginTransaction(
  database: Database,
  { textBytes, isCopy = false, home = HERE, onEnd }: BeginOptions,
): Promise<StoreTransaction> {
  let connection: DuckDBConnection | null = null;
  let staging: PointStaging | null = null;
  try {
    connection = await database.connect();
    if (textBytes !== undefined)
      await requireImportRoom(database, { textBytes, isTemporary: home.location !== undefined });
    staging = await PointStaging.create(await database.connect(), { isCopy });
    // The limit would also apply to the data of a store in memory.
    const limit = database.location === ':memory:' ? [] : [`SET memory_limit = '${importMemory()}'`];
    await runAll(connection, [...limit, 'BEGIN TRANSACTION']);
    return new DuckdbTransaction(database, connection, { staging, home, onEnd });
  } catch (error) {
    connection?.disconnectSync();
    await staging?.close();
    await home.end?.();
    onEnd();
    throw toStoreError(error, home.location ?? database.location, 'beginning an import');
  }
}

class DuckdbTransaction implements StoreTransaction {
  readonly #changedEntities = new Map<EntityType, Set<number>>();
  /** Tables that may have changed, without those of points. */
  readonly #changedTables = new Set<string>();
  readonly #aborting = new AbortController();
  #importedMs = Date.now();
  /** Unfinished steps, for which a rollback waits. */
  readonly #running = new Set<Promise<unknown>>();
  #settling: ReturnType<typeof settlePoints> | null = null;
  #hasEnded = false;
  /** The content of the batch of `putOnce`, while it is put. */
  #puttingKinds: Set<BatchKind> | null = null;

  readonly #database: Database;
  readonly #connection: DuckDBConnection;
  readonly #staging: PointStaging;
  readonly #home: Home;
  readonly #onEnd: BeginOptions['onEnd'];

  constructor(
    database: Database,
    connection: DuckDBConnection,
    { staging, home, onEnd }: { staging: PointStaging; home: Home; onEnd: BeginOptions['onEnd'] },
  ) {
    this.#database = database;
    this.#connection = connection;
    this.#staging = staging;
    this.#home = home;
    this.#onEnd = onEnd;
  }

  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void> {
    return this.#attempt('importing entities', async () => {
      await this.#noteWritten(type, await putEntities(this.#connection, type, entities));
    });
  }

  putShapes(shapes: readonly NewShape[]): Promise<void> {
    return this.#attempt('importing shapes', async () => {
      await this.#home.loadShapes?.(
        this.#connection,
        shapes.map(({ region_id }) => region_id),
      );
      await this.#notePut('shapes', await putShapes(this.#connection, shapes));
    });
  }

  async putRegionFile(path: string): Promise<void> {
    await this.#database.lend(path, async (lent) => {
      const file = quotedPath(lent);
      const version = await this.#attempt('importing regions', () =>
        readRegionVersion(this.#connection, file),
      );
      await this.putOnce(`regions ${version}`, () =>
        this.#attempt('importing regions', async () => {
          await this.#noteWritten('regions', await putFileRegions(this.#connection, file));
          if (this.#home.loadShapes !== undefined)
            await this.#home.loadShapes(
              this.#connection,
              await readIds(this.#connection, `SELECT id FROM ${file}`),
            );
          await this.#notePut('shapes', await putFileShapes(this.#connection, file));
        }),
      );
    });
  }

  async putOnce(digest: string, put: () => Promise<void>): Promise<void> {
    const has = `SELECT 1 FROM known_batch WHERE digest = ${quoted(digest)}`;
    const found = await this.#attempt('importing entities', () => this.#connection.runAndReadAll(has));
    if (found.currentRowCount > 0) return;
    const kinds = new Set<BatchKind>();
    this.#puttingKinds = kinds;
    try {
      await put();
    } finally {
      this.#puttingKinds = null;
    }
    const row = `(${quoted(digest)}, ${quoted([...kinds].join(' '))})`;
    this.#changedTables.add('known_batch');
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
    this.#importedMs = records.imported?.importedMs ?? this.#importedMs;
    for (const table of ['source_import', 'stored_fetch']) this.#changedTables.add(table);
    return this.#attempt('recording an import', () => putRecords(this.#connection, records));
  }

  async settle(options: SettleOptions = {}): Promise<SettledPoints> {
    const { points, nulls, duplicates, conflicts } = await this.#settle(options);
    return { points, nulls, duplicates, conflicts };
  }

  #settle(options: SettleOptions): Promise<Settled> {
    return this.#interruptible(options, 'comparing the points of an import', (signal) => {
      this.#settling ??= settlePoints(this.#connection, this.#staging, { ...options, signal });
      return this.#settling;
    });
  }

  async commit(options: LongOperation = {}): Promise<ImportCounts> {
    this.#requireOpen();
    return this.#track(
      this.#mergeAndCommit(options).catch(async (error) => {
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

  async #mergeAndCommit({ signal, onProgress }: LongOperation): Promise<ImportCounts> {
    const settled = await this.#settle({ signal, onProgress });
    const points = await this.#interruptible({ signal }, 'committing an import', async (signal) => {
      const merged = await this.#merge(settled, { signal, onProgress });
      await this.#connection.run(`${RENEW_STORE_ID}, imports = imports + 1`);
      signal.throwIfAborted();
      if (this.#home.commit === undefined) await this.#database.commit(this.#connection);
      else await this.#home.commit(this.#connection, this.#changedTables);
      this.#hasEnded = true;
      return merged;
    });
    await this.#end();
    if (this.#home.commit === undefined) await this.#database.foldLongLog();
    return { ...points, entities: this.#countEntities() };
  }

  async #merge(settled: Settled, operation: LongOperation): Promise<Omit<ImportCounts, 'entities'>> {
    await this.#home.load?.(this.#connection, operation);
    const { isCopy } = this.#staging;
    const merging = { ...operation, settled, isCopy, importedMs: this.#importedMs, home: this.#home };
    const { newFrom, ...counts } = await mergePoints(this.#connection, merging);
    const hasAdded = counts.added > 0;
    if (hasAdded) for (const table of ['series', 'series_unit']) this.#changedTables.add(table);
    const contained = this.#changedTables.has('containment');
    await checkIntegrity(this.#connection, { from: newFrom, points: hasAdded, contained });
    return counts;
  }

  /** Work that an abort or a rollback interrupts; it then fails with the reason. */
  async #interruptible<Result>(
    { signal: outer }: Pick<LongOperation, 'signal'>,
    action: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { signal, unlink } = linkedAbort(outer, this.#aborting.signal);
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
    // A COMMIT that fails has ended the transaction already, and otherwise disconnecting ends it.
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

  /** Makes a rollback wait for a step. */
  async #track<Result>(step: Promise<Result>): Promise<Result> {
    this.#running.add(step);
    return step.finally(() => this.#running.delete(step));
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new StoreError(`${this.#location}: this import has ended; begin another one`);
  }

  async #end(): Promise<void> {
    this.#hasEnded = true;
    // If this fails, readers keep the memory limit of imports.
    await this.#connection.run(`SET memory_limit = '${readingMemory()}'`).catch(() => {});
    this.#connection.disconnectSync();
    await this.#staging.close();
    await this.#home.end?.();
    this.#onEnd();
  }

  async #noteWritten(type: EntityType, { ids, hasReplaced, hasEdges }: Written): Promise<void> {
    if (ids.length > 0) this.#changedTables.add(ENTITY_TABLES[type].table);
    if (hasEdges) this.#changedTables.add('containment');
    const changed = this.#changedEntities.get(type) ?? new Set();
    this.#changedEntities.set(type, changed);
    for (const id of ids) changed.add(id);
    await this.#notePut(type, hasReplaced);
  }

  /** A batch is no longer known when an entity of one of its types is replaced by another one. */
  async #notePut(kind: BatchKind, hasReplaced: boolean): Promise<void> {
    this.#puttingKinds?.add(kind);
    if (kind === 'shapes') this.#changedTables.add('shape');
    if (hasReplaced) this.#changedTables.add('known_batch');
    const forget = `DELETE FROM known_batch WHERE list_contains(string_split(kinds, ' '), '${kind}')`;
    if (hasReplaced) await this.#connection.run(forget);
  }

  get #location(): string {
    return this.#home.location ?? this.#database.location;
  }

  #countEntities(): number {
    return [...this.#changedEntities.values()].reduce((sum, ids) => sum + ids.size, 0);
  }
}

/**
 * Checks the additions of an import. What is older cannot lose an entity: none is ever removed.
 * @throws StoreError that names the first id without an entity
 */
async function checkIntegrity(connection: DuckDBConnection, added: Required<Referring>): Promise<void> {
  if (!added.points && !added.contained) return;
  const sql = missingEntitiesSql(PARTS, { ...added, limit: 1 });
  const [missing] = (await connection.runAndReadAll(sql)).getRowObjects();
  if (missing !== undefined)
    throw new StoreError(`${describeMissing(missing)}; add that ${missing.kind} to the import`);
}

/** The first import of a store always writes names, regions and their shapes: 10 MB. */
const FIRST_IMPORT_BYTES = 8_000_000;
/** The minimum that any import writes. */
const IMPORT_BYTES = 1_000_000;
/** The smallest share of the text of bulk files that their points take in a store: wide rows with one figure each. */
const MIN_SHARE_OF_TEXT = 0.02;

/**
 * Refuses an import for which the disk of a store is clearly too full. The estimate is a low one: an import that passes
 * may still not fit, and is then rolled back.
 * @param textBytes length of the texts to import
 * @param isTemporary whether the database is only where an import for another store works
 * @throws StoreError that says how much is needed, and how much is free
 */
async function requireImportRoom(
  database: Database,
  { textBytes, isTemporary }: { textBytes: number; isTemporary: boolean },
): Promise<void> {
  const { location } = database;
  if (location === ':memory:') return;
  const [row] = await database.rows('SELECT imports FROM meta');
  const base = row?.imports === 0 ? FIRST_IMPORT_BYTES : IMPORT_BYTES;
  const remedy = isTemporary ? 'set TMPDIR to a folder on another disk' : 'name a store on another disk';
  const bytes = base + textBytes * MIN_SHARE_OF_TEXT;
  requireRoom(location, { bytes, what: `${location}: this import`, remedy });
}

/** The checksum of a file of regions, whose path is a literal of SQL. */
async function readRegionVersion(connection: DuckDBConnection, file: string): Promise<string> {
  const read = await connection.runAndReadAll(`SELECT decode(value) FROM parquet_kv_metadata(${file})`);
  return String(read.getRows()[0]![0]);
}
