import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import { DAY_MS } from '../../../model/time.js';
import { FIRST_TABLE, HISTORY_TABLE } from '../../duckdb/point-tables.js';
import { inRange, runAll } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { loadRows } from './load-rows.js';
import { STORED } from './load-tables.js';

/** Series that are read from a shard together. */
const SERIES_TOGETHER = 1_000;

const dayOf = (date: string) => `toInt32(floor(${date} / ${DAY_MS}))`;
const timeOf = (date: string) => `toInt32(${date} - ${dayOf(date)} * toInt64(${DAY_MS}))`;

/** The columns of `PACKED_DDL`. */
const PACKED = `series, ${dayOf('start_date')} AS start_day, ${timeOf('start_date')} AS start_ms,
  toInt32(${dayOf('end_date')} - ${dayOf('start_date')}) AS days, ${timeOf('end_date')} AS end_ms, value, unit_id,
  nullIf(p.reporting_date, -9223372036854775808) AS reporting_date, available_date,
  nullIf(p.metadata, '') AS metadata`;

const DATES = 'series, start_date, end_date, reporting_date, available_date';

/** Loads all vintages of the stored series of an import into the workspace, where they are merged with new ones. */
export async function loadPoints(
  connection: DuckDBConnection,
  cluster: Cluster,
  { snapshot, signal, onProgress }: { snapshot: Snapshot } & LongOperation,
): Promise<void> {
  const sql = `SELECT handle, point_count FROM ${STORED}.series ORDER BY handle`;
  const series = (await connection.runAndReadAll(sql)).getRows() as [handle: number, points: number][];
  const total = series.reduce((sum, [, points]) => sum + points, 0);
  let done = 0;
  const together = SERIES_TOGETHER * cluster.shards.length;
  for (let first = 0; first < series.length; first += together) {
    onProgress?.({ label: 'reading stored points', done, total, unit: 'rows' });
    const group = series.slice(first, first + together);
    for (const shard of cluster.shards) {
      const ids = group.flatMap(([handle]) => (cluster.shardOf(handle) === shard ? [handle] : []));
      if (ids.length > 0) await loadGroup(connection, shard, { ids, snapshot, signal });
    }
    done += group.reduce((sum, [, points]) => sum + points, 0);
  }
  await connection.run(`INSERT INTO series_unit SELECT DISTINCT series, unit_id FROM ${FIRST_TABLE.name}`);
  await connection.run(`INSERT INTO ${STORED}.series_unit FROM series_unit`);
}

/** Puts all vintages of the series from `first` to `last` in the place of the points of a workspace. */
export async function loadPointsOf(
  connection: DuckDBConnection,
  cluster: Cluster,
  { first, last, snapshot, signal }: { first: number; last: number; snapshot: Snapshot } & LongOperation,
): Promise<void> {
  await runAll(
    connection,
    [FIRST_TABLE.name, HISTORY_TABLE].map((table) => `DELETE FROM ${table}`),
  );
  const sql = `SELECT handle FROM series WHERE ${inRange('handle', { first, last })} ORDER BY handle`;
  const handles = (await connection.runAndReadAll(sql)).getRows().map(([handle]) => handle as number);
  for (const shard of cluster.shards) {
    const ofShard = handles.filter((handle) => cluster.shardOf(handle) === shard);
    for (let i = 0; i < ofShard.length; i += SERIES_TOGETHER)
      await loadGroup(connection, shard, { ids: ofShard.slice(i, i + SERIES_TOGETHER), snapshot, signal });
  }
}

interface Group {
  readonly ids: readonly number[];
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal | undefined;
}

async function loadGroup(
  connection: DuckDBConnection,
  shard: Shard,
  { ids, snapshot, signal }: Group,
): Promise<void> {
  const latest = visible(snapshot);
  const all = imported(snapshot);
  const parameters = { ...latest.parameters, ids };
  const ofSeries = 'series IN {ids:Array(Int32)}';
  const ordered = `SELECT ${PACKED} FROM point AS p WHERE ${ofSeries} AND ${latest.where} ORDER BY p.series, p.start_date`;
  await loadRows(connection, FIRST_TABLE.name, shard.arrow(ordered, parameters, { signal }));
  // A vintage that was replaced by one with the same dates is not part of the history.
  const history = `SELECT ${PACKED} FROM (
      SELECT * FROM point WHERE ${ofSeries} AND ${all.where} ORDER BY ${DATES}, import DESC LIMIT 1 BY ${DATES}) AS p
    WHERE NOT (${latest.where})`;
  await loadRows(connection, HISTORY_TABLE, shard.arrow(history, parameters, { signal }));
}
