import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { blankNulls } from '../../../columns/bitmap.js';
import type { PackedPoints } from '../../../columns/packed-points.js';
import { onAbort } from '../../../model/linked-abort.js';
import { DAY_MS } from '../../../model/time.js';
import { type EngineRows, engineRows, packRows } from '../../packing/pack-runs.js';
import {
  allColumns,
  areKnown,
  type ColumnName,
  commonPeriodDays,
  type HandleRange,
  handleRanges,
  type KnownSeries,
  type Lists,
  type PointGroup,
  readGroups,
  readsLatest,
  varyingColumns,
} from '../../packing/point-groups.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import { dateConditions } from '../../queries/series.js';
import type { ReadOptions, StoreReader } from '../../store.js';
import type { Database } from '../engine/database.js';
import { PARTS, timeLiteral } from '../engine/sql-values.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';
import { END_MS, HISTORY_POINTS, LATEST_POINTS, LATEST_TABLE, START_MS } from '../point-tables.js';

const MAX_GROUP_POINTS = 262_144;
/** Maximum number of vintages that are read together. Vintages take more memory than packed points. */
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
          ? readShared(group, reading)
          : readGroup(database, group, reading);
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
  readonly reads: Map<number, PointGroup>;
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
    const reads = new Map<number, PointGroup>();
    const lists = limit(async () => {
      waiting.delete(query);
      return reads.size === 0 ? new Map<number, Lists>() : readTogether(database, [...reads.values()]);
    });
    const query = { key, reads, lists };
    waiting.add(query);
    return query;
  };
  return async (read: PointGroup, signal: AbortSignal | undefined): Promise<Lists> => {
    signal?.throwIfAborted();
    const { handle } = read.series[0]!;
    const { series: _, ...flags } = read.plan;
    const key = JSON.stringify([flags, varyingColumns(read.plan, read.series as readonly KnownSeries[])]);
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

function fits({ reads }: SharedQuery, { series, expected }: PointGroup): boolean {
  const points = [...reads.values()].reduce((sum, read) => sum + read.expected, expected);
  return reads.size < MAX_SHARED_SERIES && points <= MAX_SHARED_POINTS && !reads.has(series[0]!.handle);
}

async function readTogether(
  database: Database,
  sharing: readonly PointGroup[],
): Promise<ReadonlyMap<number, Lists>> {
  const series = sharing.flatMap((read) => read.series).sort((a, b) => a.handle - b.handle);
  const expected = sharing.reduce((sum, read) => sum + read.expected, 0);
  const lists = await readGroup(database, { plan: sharing[0]!.plan, series, offset: 0, expected });
  const found = new Map<number, PackedPoints[][]>(series.map(({ handle }) => [handle, []]));
  for (const part of lists.flat()) found.get(series[part.series]!.handle)!.push([{ ...part, series: 0 }]);
  return found;
}

/**
 * Reads a group's points in order. Latest points are read as they are stored if the `common` facts about their series
 * are up to date. Other points, and points that an import changes meanwhile, are sorted by the engine.
 */
async function readGroup(database: Database, group: PointGroup, signal?: AbortSignal): Promise<Lists> {
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
  { columns, group, signal }: ReadOptions & { columns: readonly ColumnName[]; group: PointGroup },
): Promise<Lists> {
  const parts: EngineRows[] = [];
  for await (const chunk of database.chunks(sql, { signal })) {
    const rows = engineRows(chunk.rowCount, columns, (at, name) => {
      if (name === 'metadata') return chunk.getColumnValues(at);
      const vector = rawVector<Items>(chunk, at);
      const valid = name === 'value' || name === 'reporting_date' ? validityBytes(vector) : null;
      if (valid !== null) blankNulls(vector.items as Float64Array, valid);
      return vector.items;
    });
    parts.push({ ...rows, owner: chunk });
  }
  return packRows(parts, group);
}

/** The maximum number of scans that each read one range of handles. One scan with a list of handles would be slower. */
const MAX_RANGES = 8;

function packedSql(plan: PointPlan, series: readonly KnownSeries[], columns: readonly ColumnName[]): string {
  const hasTimes = series.some(({ common }) => common.hasTimes);
  const start = hasTimes ? `${START_MS}::DOUBLE` : 'start_day * 8.64e7';
  const end = hasTimes ? `${END_MS}::DOUBLE` : '(start_day + days) * 8.64e7';
  const read = ['series', start, 'value', ...columns.map((name) => pointColumn(name, end))].join(', ');
  const conditions = [...periodConditions(plan, series), ...sinceCondition(plan)];
  return handleConditions(series)
    .map((handles) => `SELECT ${read} FROM ${LATEST_TABLE} WHERE ${[handles, ...conditions].join(' AND ')}`)
    .join(' UNION ALL ');
}

function pointColumn(name: ColumnName, end: string): string {
  if (name === 'end') return end;
  return name.endsWith('_date') ? `epoch_ms(${name})::DOUBLE` : name;
}

/** Returns SQL conditions for periods that overlap a plan's dates. Testing only the start, if possible, is faster. */
function periodConditions({ startMs, endMs }: PointPlan, series: readonly KnownSeries[]): string[] {
  const hasTimes = series.some(({ common }) => common.hasTimes);
  const conditions: string[] = [];
  if (startMs !== null) {
    const first = Math.ceil(clampMs(startMs) / DAY_MS);
    const days = commonPeriodDays(series[0]!);
    const isSame = days !== null && series.every((one) => commonPeriodDays(one) === days);
    if (hasTimes) conditions.push(`${END_MS} >= ${Math.ceil(clampMs(startMs))}`);
    else conditions.push(isSame ? `start_day >= ${first - days}` : `start_day + days >= ${first}`);
  }
  if (endMs !== null) {
    conditions.push(`start_day <= ${Math.floor(clampMs(endMs) / DAY_MS)}`);
    if (hasTimes) conditions.push(`${START_MS} <= ${Math.floor(clampMs(endMs))}`);
  }
  return conditions;
}

/** Times are clamped to this distance from 1970, because the engine cannot represent later ones. */
const MAX_MS = 100_000_000 * DAY_MS;

const clampMs = (ms: number): number => Math.min(Math.max(ms, -MAX_MS), MAX_MS);

/** Returns an SQL condition for each query that reads the series: one per range of handles, or one for all handles. */
export function handleConditions(series: readonly StoredSeries[]): string[] {
  const ranges = handleRanges(series);
  return ranges.length <= MAX_RANGES ? ranges.map(rangeCondition) : [listCondition(series)];
}

function sortedSql(plan: PointPlan, series: readonly StoredSeries[]): string {
  const columns = [
    'series',
    'epoch_ms(start_date)::DOUBLE',
    'value',
    ...allColumns(plan).map((name) => pointColumn(name, 'epoch_ms(end_date)::DOUBLE')),
  ].join(', ');
  const order = 'ORDER BY series, start_date, end_date, reporting_date NULLS FIRST, available_date';
  const ranges = handleRanges(series);
  const handles = ranges.length === 1 ? rangeCondition(ranges[0]!) : listCondition(series);
  const where = [handles, ...dateConditions(plan, timeLiteral)].join(' AND ');
  const tables = readsLatest(plan) ? [LATEST_POINTS] : [LATEST_POINTS, HISTORY_POINTS];
  const vintages = tables.map((table) => `SELECT * FROM ${table} WHERE ${where}`).join(' UNION ALL ');
  const chosen =
    tables.length === 1 || plan.history === 'complete'
      ? ''
      : `QUALIFY row_number() OVER (${VINTAGE_WINDOWS[plan.history]}) = 1`;
  const since = sinceCondition(plan).map((condition) => `WHERE ${condition}`);
  return [`SELECT ${columns} FROM (SELECT * FROM (${vintages}) ${chosen})`, ...since, order].join(' ');
}

const VINTAGE_WINDOWS = {
  latest:
    'PARTITION BY series, start_date, end_date ORDER BY reporting_date DESC NULLS LAST, available_date DESC',
  reporting: 'PARTITION BY series, start_date, end_date, reporting_date ORDER BY available_date DESC',
};

function sinceCondition({ sinceMs }: PointPlan): string[] {
  return sinceMs === null ? [] : [`available_date >= ${timeLiteral(sinceMs)}`];
}

/**
 * Returns an SQL condition that lets DuckDB skip most row groups. DuckDB would skip none if ranges were joined by OR.
 * For a single series, `=` takes two thirds of the processor time of BETWEEN.
 */
function rangeCondition([first, last]: HandleRange): string {
  return first === last ? `series = ${first}` : `series BETWEEN ${first} AND ${last}`;
}

function listCondition(series: readonly StoredSeries[]): string {
  return `series IN (${series.map(({ handle }) => handle).join(', ')})`;
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
