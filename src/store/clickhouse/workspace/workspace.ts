import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { chunksOf } from '../../../model/grouping.js';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { DAY_MS } from '../../../model/time.js';
import type { Database } from '../../duckdb/engine/database.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { quoted } from '../../duckdb/engine/sql-values.js';
import { ENTITY_TABLES } from '../../duckdb/entity-tables.js';
import { FIRST_TABLE, HISTORY_TABLE, STAGING } from '../../duckdb/point-tables.js';
import { rowsInTurns, runAll } from '../../duckdb/writing/ranges.js';
import type { ReadOptions } from '../../store.js';
import { makeTemporaryFolder } from '../../temporary-files.js';
import { type Cluster, eachShard, type Handled, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { columnsOf } from '../tables.js';

/** A DuckDB store in a temporary folder, in which one import runs. */
export interface Workspace {
  readonly database: Database;
  /** Closes the database and removes the folder. */
  remove(): Promise<void>;
}

/** Creates a workspace with the tables of an empty store. */
export async function createWorkspace(): Promise<Workspace> {
  const folder = await makeTemporaryFolder();
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const database = await openDatabase(join(folder, 'workspace.duckdb'), { readOnly: false });
    return {
      database,
      async remove() {
        await database.discard().catch(() => {});
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** A table whose rows an import compares one by one. */
export interface StoredTable {
  readonly table: string;
  /** Its columns in the cluster; those of the workspace have the same names. */
  readonly columns: readonly string[];
  /** The columns that tell its rows apart, in the words of both engines; none is null. */
  readonly key: string;
}

const storedTable = (table: string, key: string): StoredTable => ({ table, columns: columnsOf(table), key });

/** Tables that are loaded when an import begins: they are small. */
export const SMALL_TABLES: readonly StoredTable[] = [
  ...Object.values(ENTITY_TABLES).map(({ table }) => storedTable(table, 'id')),
  storedTable('containment', 'entity_type, parent, child'),
  storedTable('stored_fetch', 'dataset, request'),
  storedTable('source_import', 'source_id'),
  storedTable('known_batch', 'digest'),
];

/** Loaded for the regions whose shapes an import brings. */
export const SHAPE = storedTable('shape', 'region_id, detail');

/** Loaded for the series of the points of an import. */
export const SERIES = storedTable('series', 'handle');
const SERIES_UNIT = storedTable('series_unit', 'series, unit_id');

/** All tables but that of points. */
export const STORED_TABLES: readonly StoredTable[] = [...SMALL_TABLES, SHAPE, SERIES, SERIES_UNIT];

/** The schema of the workspace with the rows of the cluster, next to the tables that the import changes. */
export const STORED = 'stored';

/** The stored series that an import brings points of. */
export const TOUCHED_SERIES = `${STORED}.series SEMI JOIN ${STAGING}.staged_series USING (${SERIES_KEY_FIELDS.join(', ')})`;

/** Loads tables into an empty workspace: as the import changes them, and as they are in the cluster. */
export async function fillWorkspace(
  connection: DuckDBConnection,
  cluster: Cluster,
  { tables, ...loaded }: Loaded,
): Promise<void> {
  await connection.run('DELETE FROM frequency');
  await loadTables(connection, cluster, { tables, into: 'main', ...loaded });
  await runAll(connection, [
    `CREATE SCHEMA ${STORED}`,
    ...STORED_TABLES.map(
      ({ table, columns }) =>
        `CREATE TABLE ${STORED}.${table} AS SELECT ${columns.join(', ')} FROM main.${table}`,
    ),
  ]);
}

interface Loaded {
  readonly tables: readonly StoredTable[];
  readonly snapshot: Snapshot;
  /** The schema of the workspace; `STORED` by default. */
  readonly into?: string | undefined;
  /** The condition that selects some rows; all by default. */
  readonly only?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Loads tables of the first server into the workspace, all at the same time. */
export async function loadTables(
  connection: DuckDBConnection,
  { first }: Cluster,
  { tables, into = STORED, snapshot, only = 'true', signal }: Loaded,
): Promise<void> {
  const answers = tables.map(({ table, columns }) => ({
    shard: first,
    table: `${into}.${table}`,
    sql: `SELECT ${columns.join(', ')} FROM ${table} WHERE ${visible(snapshot)} AND ${only}`,
  }));
  await loadRows(connection, answers, { signal });
}

/** The answer of a shard, and the table of the workspace with the same columns. */
interface Answer {
  readonly shard: Shard;
  readonly sql: string;
  readonly table: string;
}

/** Appends answers to tables of the workspace. NaN is loaded as NULL. */
export async function loadRows(
  connection: DuckDBConnection,
  answers: readonly Answer[],
  { signal }: ReadOptions,
): Promise<void> {
  const folder = await makeTemporaryFolder();
  const fileOf = (i: number) => join(folder, `${i}.parquet`);
  try {
    await together(
      answers.entries(),
      ([i, { shard, sql }], options) => shard.download(fileOf(i), sql, options),
      { signal },
    );
    const inserts: string[] = [];
    for (const [i, { table }] of answers.entries())
      inserts.push(
        `INSERT INTO ${table} SELECT ${await valuesFor(connection, table)} FROM read_parquet(${quoted(fileOf(i))})`,
      );
    await runAll(connection, inserts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The columns of a table, as they are made of those of a cluster. */
async function valuesFor(connection: DuckDBConnection, table: string): Promise<string> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const made = described.getRows().map(([name, type]) => {
    if (type === 'TIMESTAMP_MS') return `make_timestamp_ms(${name})`;
    return type === 'DOUBLE' ? `CASE WHEN NOT isnan(${name}) THEN ${name} END` : String(name);
  });
  return made.join(', ');
}

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
  const sql = `SELECT handle, point_count FROM ${TOUCHED_SERIES} ORDER BY handle`;
  const series: StoredCount[] = [];
  for await (const rows of rowsInTurns<[number, number]>(connection, sql))
    series.push(...rows.map(([handle, points]) => ({ handle, points })));
  const total = sumOf(series);
  let done = 0;
  for (const group of chunksOf(series, SERIES_TOGETHER * cluster.shards.length)) {
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
    answers.push(
      {
        shard,
        table: FIRST_TABLE.name,
        sql: `SELECT ${PACKED} FROM point AS p WHERE ${of} AND ${latest} ORDER BY p.series, p.start_date`,
      },
      {
        shard,
        table: HISTORY_TABLE,
        sql: `SELECT ${PACKED} FROM point AS p WHERE ${of} AND ${all} AND NOT (${latest}) ORDER BY ${DATES}`,
      },
    );
  });
  await loadRows(connection, answers, { signal });
}
