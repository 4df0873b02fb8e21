import { totalmem } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { CONTAINING_TYPES, type EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { IdChange } from '../../id-change.js';
import type {
  IdRedirect,
  ImportCounts,
  NewEntity,
  NewPoints,
  NewShape,
  StoreTransaction,
} from '../../store.js';
import type { Engine } from '../engine/engine.js';
import { storeFailure } from '../engine/failure.js';
import { integer } from '../engine/literals.js';
import { ENTITY_TABLES } from '../entity-tables.js';
import { putEntities, putIdRedirects, putShapes } from './entity-writer.js';
import { changeEntityId } from './id-changes.js';
import { checkIntegrity } from './integrity.js';
import { mergePoints } from './merge.js';
import { PointStaging } from './staging.js';

/**
 * Begins an import: one engine transaction on a connection of its own. Points wait in a temporary table until the
 * commit merges them; `ended` is told whether anything was committed.
 */
export async function beginTransaction(
  engine: Engine,
  ended: (committed: boolean) => void,
): Promise<StoreTransaction> {
  let connection: DuckDBConnection | null = null;
  try {
    connection = await engine.connect();
    // What a store in memory holds is its memory.
    if (engine.location !== ':memory:') await connection.run(`SET memory_limit = '${importMemory()}'`);
    const staging = await PointStaging.create(connection);
    await connection.run('BEGIN TRANSACTION');
    return new DuckdbTransaction(engine, connection, staging, ended);
  } catch (error) {
    connection?.disconnectSync();
    ended(false);
    throw storeFailure(error, engine.location, 'beginning an import');
  }
}

/** What the engine would take of its own accord grows with the import, up to most of the machine's memory. */
const IMPORT_MEMORY_MB = 2000;

/** How much the engine may hold during an import; what is staged beyond that waits on disk. */
function importMemory(): string {
  const half = Math.floor(totalmem() / 2e6);
  return `${Math.min(IMPORT_MEMORY_MB, half)}MB`;
}

class DuckdbTransaction implements StoreTransaction {
  readonly #changedEntities = new Map<EntityType, Set<number>>();
  readonly #stopping = new AbortController();
  #committing: Promise<unknown> | null = null;
  #over = false;

  readonly #engine: Engine;
  readonly #connection: DuckDBConnection;
  readonly #staging: PointStaging;
  readonly #ended: (committed: boolean) => void;

  constructor(
    engine: Engine,
    connection: DuckDBConnection,
    staging: PointStaging,
    ended: (committed: boolean) => void,
  ) {
    this.#engine = engine;
    this.#connection = connection;
    this.#staging = staging;
    this.#ended = ended;
  }

  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void> {
    return this.#write('importing entities', async () => {
      const changed = this.#changedEntities.get(type) ?? new Set();
      this.#changedEntities.set(type, changed);
      for (const id of await putEntities(this.#connection, type, entities)) changed.add(id);
    });
  }

  putShapes(shapes: readonly NewShape[]): Promise<void> {
    return this.#write('importing shapes', () => putShapes(this.#connection, shapes));
  }

  putIdRedirects(redirects: readonly IdRedirect[]): Promise<void> {
    return this.#write('importing id redirects', () => putIdRedirects(this.#connection, redirects));
  }

  changeIds(changes: readonly IdChange[]): Promise<void> {
    return this.#write('changing ids', async () => {
      for (const change of changes) {
        await this.#staging.changeId(change);
        await changeEntityId(this.#connection, change, { addRedirect: await this.#isCommitted(change) });
        const changed = this.#changedEntities.get(change.type) ?? new Set();
        changed.delete(change.from);
        this.#changedEntities.set(change.type, changed.add(change.to));
      }
    });
  }

  putPoints(points: NewPoints): Promise<void> {
    return this.#write('importing points', async () => this.#staging.add(points));
  }

  async commit(options: LongOperation = {}): Promise<ImportCounts> {
    this.#requireOpen();
    const commit = this.#mergeAndCommit(options);
    this.#committing = commit;
    try {
      return await commit;
    } catch (error) {
      await this.#undo();
      throw error;
    }
  }

  async rollback(): Promise<void> {
    this.#stopping.abort(new StoreError(`${this.#location}: this import was rolled back`));
    await this.#committing?.catch(() => {});
    await this.#undo();
  }

  async #mergeAndCommit({ signal: given, onProgress }: LongOperation): Promise<ImportCounts> {
    const signal =
      given === undefined ? this.#stopping.signal : AbortSignal.any([given, this.#stopping.signal]);
    const interrupt = () => this.#connection.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      return await this.#write('committing an import', async () => {
        signal.throwIfAborted();
        const points = await mergePoints(this.#connection, this.#staging, { signal, onProgress });
        await checkIntegrity(this.#connection, CONTAINING_TYPES);
        await this.#connection.run('UPDATE meta SET imports = imports + 1');
        signal.throwIfAborted();
        await this.#connection.run('COMMIT');
        await this.#end(true);
        return { ...points, entities: this.#countEntities() };
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  async #undo(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    try {
      await this.#connection.run('ROLLBACK');
    } finally {
      await this.#end(false);
    }
  }

  async #write<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
    this.#requireOpen();
    try {
      return await work();
    } catch (error) {
      throw storeFailure(error, this.#location, doing);
    }
  }

  #requireOpen(): void {
    if (this.#over) throw new StoreError(`${this.#location}: this import has ended; begin another`);
  }

  async #end(committed: boolean): Promise<void> {
    this.#over = true;
    // An abort that comes too late for the commit may interrupt this: then readers keep to the bound as well.
    await this.#connection.run('RESET memory_limit').catch(() => {});
    this.#connection.disconnectSync();
    this.#ended(committed);
  }

  /** Queries on another connection, which does not see this import. */
  async #isCommitted({ type, from }: IdChange): Promise<boolean> {
    const { table } = ENTITY_TABLES[type];
    return (await this.#engine.rows(`SELECT 1 FROM ${table} WHERE id = ?`, [integer(from)])).length > 0;
  }

  get #location(): string {
    return this.#engine.location;
  }

  #countEntities(): number {
    return [...this.#changedEntities.values()].reduce((sum, ids) => sum + ids.size, 0);
  }
}
