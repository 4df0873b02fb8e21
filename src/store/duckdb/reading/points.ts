import { blankNulls } from '../../../columns/bitmap.js';
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

export const pointsOf =
  (database: Database): StoreReader['points'] =>
  (plan, { signal } = {}) =>
    readGroups(plan, {
      maxPoints: MAX_GROUP_POINTS,
      read: (group, reading) => readGroup(database, group, reading),
      requireOpen: () => database.requireOpen(),
      signal,
    });

/**
 * Reads a group's points in order. The engine need not sort the latest points if the `common` facts about their series
 * are up to date. If an import changes the store meanwhile, the points are read again, and the engine sorts them.
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

/** Up to this many handle ranges are read by one scan per range. A single scan with a list of handles is slower. */
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

/** Times are clamped to this distance from 1970, because the engine cannot represent times further away. */
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
