import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import { DAY_MS } from '../../../model/time.js';
import { FIRST_TABLE, HISTORY_TABLE } from '../../duckdb/point-tables.js';
import { inRange, runAll } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { eachShard, type Handled } from '../reading/shards.js';
import { type Answer, loadRows, STORED } from './load-tables.js';

/** Series of each shard that are read together. */
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
  const sql = `SELECT handle, point_count AS points FROM ${STORED}.series ORDER BY handle`;
  const series = (await connection.runAndReadAll(sql)).getRowObjectsJS() as unknown as StoredCount[];
  const total = sumOf(series);
  let done = 0;
  for (const group of groupsOf(series, cluster)) {
    onProgress?.({ label: 'reading stored points', done, total, unit: 'rows' });
    await loadGroup(connection, cluster, { group, snapshot, signal });
    done += sumOf(group);
  }
  await runAll(connection, [
    `INSERT INTO series_unit SELECT DISTINCT series, unit_id FROM ${FIRST_TABLE.name}`,
    `INSERT INTO ${STORED}.series_unit FROM series_unit`,
  ]);
}

interface StoredCount extends Handled {
  readonly points: number;
}

const sumOf = (series: readonly StoredCount[]): number => series.reduce((sum, { points }) => sum + points, 0);

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
  const series = (await connection.runAndReadAll(sql)).getRowObjectsJS() as unknown as Handled[];
  for (const group of groupsOf(series, cluster))
    await loadGroup(connection, cluster, { group, snapshot, signal });
}

/** Neighbours that are read together. */
function* groupsOf<One extends Handled>(series: readonly One[], { shards }: Cluster): Generator<One[]> {
  const length = SERIES_TOGETHER * shards.length;
  for (let from = 0; from < series.length; from += length) yield series.slice(from, from + length);
}

interface Group {
  readonly group: readonly Handled[];
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal | undefined;
}

async function loadGroup(
  connection: DuckDBConnection,
  cluster: Cluster,
  { group, snapshot, signal }: Group,
): Promise<void> {
  const [latest, all] = [visible(snapshot), imported(snapshot)];
  const answers: Answer[] = [];
  await eachShard(cluster, group, { signal }, async (shard, of) => {
    const parameters = { ...latest.parameters, ...of.parameters };
    answers.push(
      {
        shard,
        table: FIRST_TABLE.name,
        sql: `SELECT ${PACKED} FROM point AS p WHERE ${of.where} AND ${latest.where} ORDER BY p.series, p.start_date`,
        parameters,
      },
      {
        shard,
        table: HISTORY_TABLE,
        // A vintage that was replaced by one with the same dates is not part of the history.
        sql: `SELECT ${PACKED} FROM (
          SELECT * FROM point WHERE ${of.where} AND ${all.where} ORDER BY ${DATES}, import DESC LIMIT 1 BY ${DATES}) AS p
        WHERE NOT (${latest.where})`,
        parameters,
      },
    );
  });
  await loadRows(connection, answers, { signal });
}
