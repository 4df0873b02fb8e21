import { availableParallelism } from 'node:os';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import pLimit from 'p-limit';
import { blankNulls } from '../../../columns/bitmap.js';
import type { PackedPoints } from '../../../columns/packed-points.js';
import { onAbort } from '../../../model/linked-abort.js';
import { type EngineRows, packRows } from '../../packing/pack-runs.js';
import {
  allColumns,
  areKnown,
  type ColumnName,
  type KnownSeries,
  type Lists,
  type PointGroup,
  readGroups,
  varyingColumns,
} from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import type { ReadOptions, StoreReader } from '../../store.js';
import type { Database } from '../engine/database.js';
import { PARTS } from '../engine/sql-values.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';
import { packedSql, sortedSql } from './point-sql.js';

const MAX_GROUP_POINTS = 262_144;
/** Maximum number of vintages in a group. Vintages take more memory than packed points. */
const MAX_GROUP_VINTAGES = 65_536;

/** Returns a function that reads points. Concurrent reads of a single series' latest points may share a query. */
export function pointsOf(database: Database): StoreReader['points'] {
  const readShared = sharedReads(database);
  return (plan, { signal } = {}) =>
    readGroups(plan, {
      maxPoints: MAX_GROUP_POINTS,
      maxVintages: MAX_GROUP_VINTAGES,
      read(group, reading) {
        const isShort = plan.series.length === 1 && group.expected <= MAX_SHORT_POINTS;
        return isShort && areKnown(plan, group.series, database.snapshot)
          ? readShared({ plan, ...group }, reading)
          : readGroup(database, { plan, ...group }, reading);
      },
      requireOpen: () => database.requireOpen(),
      signal,
    });
}

/** Maximum number of series per shared query. One query for eight series takes half the time of eight queries. */
const MAX_SHARED_SERIES = 16;
const MAX_SHARED_POINTS = 65_536;
/** A series with more points than this is read by a separate query. */
const MAX_SHORT_POINTS = 16_384;

/** A query that has not begun yet, so that further reads can share it. */
interface SharedQuery {
  readonly key: string;
  readonly reads: Map<number, GroupRead>;
  readonly lists: Promise<ReadonlyMap<number, Lists>>;
}

/**
 * Returns a function that reads a single series. At most as many queries run concurrently as there are processors.
 * Meanwhile, reads that differ only in their series wait for the same query. A read that is aborted while it waits is
 * removed. A query that has begun is never aborted, because it takes only milliseconds. Each read gets the same points
 * as it would from a separate query.
 */
function sharedReads(database: Database) {
  const limit = pLimit(availableParallelism());
  const waiting = new Set<SharedQuery>();
  const newQuery = (key: string): SharedQuery => {
    const reads = new Map<number, GroupRead>();
    const lists = limit(async () => {
      waiting.delete(query);
      return reads.size === 0 ? new Map<number, Lists>() : readTogether(database, [...reads.values()]);
    });
    const query = { key, reads, lists };
    waiting.add(query);
    return query;
  };
  return async (read: GroupRead, signal: AbortSignal | undefined): Promise<Lists> => {
    signal?.throwIfAborted();
    const { handle } = read.series[0]!;
    const key = groupKey(read);
    const { reads, lists } =
      [...waiting].find((query) => query.key === key && fits(query, read)) ?? newQuery(key);
    reads.set(handle, read);
    return new Promise((resolve, reject) => {
      const leave = () => {
        reads.delete(handle);
        reject(signal?.reason);
      };
      const unlink = signal && onAbort(signal, leave);
      lists.then((found) => resolve(found.get(handle)!), reject).finally(unlink);
    });
  };
}

function fits({ reads }: SharedQuery, { series, expected }: GroupRead): boolean {
  const points = [...reads.values()].reduce((sum, read) => sum + read.expected, expected);
  return reads.size < MAX_SHARED_SERIES && points <= MAX_SHARED_POINTS && !reads.has(series[0]!.handle);
}

async function readTogether(
  database: Database,
  sharing: readonly GroupRead[],
): Promise<ReadonlyMap<number, Lists>> {
  const series = sharing.flatMap((read) => read.series).sort((a, b) => a.handle - b.handle);
  const expected = sharing.reduce((sum, read) => sum + read.expected, 0);
  const lists = await readGroup(database, { plan: sharing[0]!.plan, series, offset: 0, expected });
  const found = new Map<number, PackedPoints[][]>(series.map(({ handle }) => [handle, []]));
  for (const part of lists.flat()) found.get(series[part.series]!.handle)!.push([{ ...part, series: 0 }]);
  return found;
}

function groupKey({ plan, series }: GroupRead): string {
  const { series: _, ...flags } = plan;
  return JSON.stringify([flags, varyingColumns(plan, series as readonly KnownSeries[])]);
}

interface GroupRead extends PointGroup {
  readonly plan: PointPlan;
}

/**
 * Reads a group's points in order. The latest points of series with an up-to-date `common` are read as they are stored.
 * Other points, and points that an import changes meanwhile, are sorted by the engine.
 */
async function readGroup(database: Database, group: GroupRead, signal?: AbortSignal): Promise<Lists> {
  const { plan, series } = group;
  const { snapshot } = database;
  if (areKnown(plan, series, snapshot)) {
    const columns = varyingColumns(plan, series);
    const lists = await readRows(database, packedSql(plan, series, columns), { columns, group, signal });
    if (database.snapshot === snapshot) return lists;
  }
  return readRows(database, sortedSql(plan, series), { columns: allColumns(plan), group, signal });
}

async function readRows(
  database: Database,
  sql: string,
  { columns, group, signal }: ReadOptions & { columns: readonly ColumnName[]; group: GroupRead },
): Promise<Lists> {
  const rowsOf = engineRows(columns);
  const parts: EngineRows[] = [];
  for await (const chunk of database.chunks(sql, { signal })) parts.push(rowsOf(chunk));
  return packRows(parts, group);
}

function engineRows(columns: readonly ColumnName[]): (chunk: DuckDBDataChunk) => EngineRows {
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
    for (const [i, name] of columns.entries()) {
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
