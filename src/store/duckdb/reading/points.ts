import { availableParallelism } from 'node:os';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { blankNulls } from '../../../columns/bitmap.js';
import type { PackedPoints } from '../../../columns/packed-points.js';
import { type EngineRows, packRows } from '../../packing/pack-runs.js';
import {
  allColumns,
  areKnown,
  columnNames,
  type KnownSeries,
  type Lists,
  type PointGroup,
  readGroups,
  type VaryingColumns,
  varyingColumns,
} from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { PARTS } from '../engine/sql-values.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';
import { packedSql, sortedSql } from './point-sql.js';

/** Maximum number of points in a group of series that a query reads. */
const MAX_GROUP_POINTS = 262_144;
/** Maximum number of vintages in a group. Vintages take more memory than packed points. */
const MAX_GROUP_VINTAGES = 65_536;

/** Returns a function that reads points. Concurrent reads of a single series' latest points may share a query. */
export function pointsOf(
  database: Database,
): (plan: PointPlan, options?: ReadOptions) => AsyncGenerator<readonly PackedPoints[], void, void> {
  const shared = new SharedReads(database);
  return (plan, { signal } = {}) =>
    readGroups(plan, {
      maxPoints: MAX_GROUP_POINTS,
      maxVintages: MAX_GROUP_VINTAGES,
      read: (group, reading) =>
        plan.series.length === 1 && areKnown(plan, group.series, database.snapshot)
          ? shared.read({ plan, ...group }, reading)
          : readGroup(database, { plan, ...group }, reading),
      requireOpen: () => database.requireOpen(),
      signal,
    });
}

/** Maximum number of concurrent queries for reads of a single series. */
const MAX_ALONE = availableParallelism();

/**
 * Maximum number of series per shared query. One query for eight series takes half the processor time of eight queries.
 */
const MAX_SHARED_SERIES = 16;
const MAX_SHARED_POINTS = 65_536;
/** A series with more points than this is read by a separate query. */
const MAX_SHORT_POINTS = 16_384;

interface Waiter {
  readonly read: GroupRead;
  /** Reads with equal keys can share a query. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  settle(lists: Promise<Lists>): void;
}

/**
 * Runs reads of a single series each. At most as many queries run concurrently as there are processors. Further reads
 * wait, and then share queries. Each read gets the same points as it would from a separate query.
 */
class SharedReads {
  #running = 0;
  readonly #waiting = new Set<Waiter>();

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(read: GroupRead, signal: AbortSignal | undefined): Promise<Lists> {
    signal?.throwIfAborted();
    return new Promise<Lists>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const settle = (lists: Promise<Lists>) => {
        signal?.removeEventListener('abort', leave);
        resolve(lists);
      };
      const waiter = { read, key: groupKey(read), signal, settle };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiter);
      this.#begin();
    });
  }

  /** Starts a query for some of the waiting reads, unless the maximum number of queries is already running. */
  #begin(): void {
    if (this.#running === MAX_ALONE || this.#waiting.size === 0) return;
    const sharing = this.#takeSharing();
    this.#running++;
    const all = readTogether(this.#database, sharing).finally(() => {
      this.#running--;
      this.#begin();
    });
    for (const { settle, read } of sharing) settle(all.then((found) => found.get(handleOf(read))!));
  }

  /** Dequeues the read that has waited longest and the reads of other series that can share a query with it. */
  #takeSharing(): Waiter[] {
    const [first] = this.#waiting;
    const bySeries = new Map<number, Waiter>();
    let points = 0;
    for (const waiter of this.#waiting) {
      const { read, key } = waiter;
      const fits = points + read.expected <= MAX_SHARED_POINTS && read.expected <= MAX_SHORT_POINTS;
      if (waiter !== first && (key !== first!.key || !fits || bySeries.has(handleOf(read)))) continue;
      bySeries.set(handleOf(read), waiter);
      this.#waiting.delete(waiter);
      points += read.expected;
      if (bySeries.size === MAX_SHARED_SERIES) break;
    }
    return [...bySeries.values()];
  }
}

/** Reads several series in one query. A shared query is never aborted, because it takes only milliseconds. */
async function readTogether(
  database: Database,
  sharing: readonly Waiter[],
): Promise<ReadonlyMap<number, Lists>> {
  const series = sharing.flatMap(({ read }) => read.series).sort((a, b) => a.handle - b.handle);
  const [{ read, signal }] = sharing as [Waiter];
  const expected = sharing.reduce((sum, one) => sum + one.read.expected, 0);
  const joint = { plan: read.plan, series, offset: 0, expected };
  const lists = await readGroup(database, joint, sharing.length === 1 ? signal : undefined);
  const found = new Map<number, PackedPoints[][]>(series.map(({ handle }) => [handle, []]));
  for (const part of lists.flat()) found.get(series[part.series]!.handle)!.push([{ ...part, series: 0 }]);
  return found;
}

const handleOf = ({ series }: GroupRead): number => series[0]!.handle;

/** Returns a key that is equal for reads that differ only in their series and read the same columns. */
function groupKey({ plan, series }: GroupRead): string {
  const { series: _, ...flags } = plan;
  return JSON.stringify([flags, varyingColumns(plan, series as readonly KnownSeries[])]);
}

interface GroupRead extends PointGroup {
  readonly plan: PointPlan;
}

/**
 * Reads a group's points in order. The latest points of series with an up-to-date `common` are read as they are stored.
 * Other points, and points that an import changes during the read, are sorted by the engine.
 */
async function readGroup(
  database: Database,
  group: GroupRead,
  signal: AbortSignal | undefined,
): Promise<Lists> {
  const { plan, series } = group;
  const { snapshot } = database;
  if (areKnown(plan, series, snapshot)) {
    const columns = varyingColumns(plan, series);
    const lists = await readRows(database, packedSql(plan, series, columns), { columns, group, signal });
    if (database.snapshot === snapshot) return lists;
  }
  return readRows(database, sortedSql(plan, series), { columns: allColumns(plan), group, signal });
}

interface Reading {
  readonly columns: VaryingColumns;
  readonly group: GroupRead;
  readonly signal: AbortSignal | undefined;
}

async function readRows(
  database: Database,
  sql: string,
  { columns, group, signal }: Reading,
): Promise<PackedPoints[][]> {
  const rowsOf = engineRows(columns);
  const parts: EngineRows[] = [];
  for await (const chunk of database.chunks(sql, { signal })) parts.push(rowsOf(chunk));
  return packRows(parts, group);
}

/** Returns a function that converts a chunk of a point query into rows. */
function engineRows(columns: VaryingColumns): (chunk: DuckDBDataChunk) => EngineRows {
  const names = columnNames(columns);
  return (chunk) => {
    const items = <Column extends Items>(at: number) => rawVector<Column>(chunk, at).items;
    const nullable = (at: number) => {
      const vector = rawVector<Float64Array>(chunk, at);
      const valid = validityBytes(vector);
      if (valid !== null) blankNulls(vector.items, valid);
      return vector.items;
    };
    const rows: Record<string, unknown> = {
      owner: chunk,
      length: chunk.rowCount,
      series: items<Int32Array>(0),
      start: items<Float64Array>(1),
      value: nullable(2),
    };
    for (const [i, name] of names.entries()) {
      if (name === 'metadata') rows[name] = chunk.getColumnValues(3 + i);
      else rows[name] = name === 'reporting_date' ? nullable(3 + i) : items(3 + i);
    }
    return rows as unknown as EngineRows;
  };
}

export function databaseTables(database: Database): EngineTables {
  return {
    get snapshot() {
      return database.snapshot;
    },
    ...PARTS,
    rows: (sql, options) => database.rows(sql, options),
    async *numbers(sql, options) {
      for await (const chunk of database.chunks(sql, options)) {
        // The memory of a chunk is freed once nothing refers to the chunk, so its columns are copied.
        const columns = Array.from({ length: chunk.columnCount }, (_, at) =>
          rawVector<Int32Array | Float64Array>(chunk, at).items.slice(),
        );
        yield { length: chunk.rowCount, columns };
      }
    },
  };
}
