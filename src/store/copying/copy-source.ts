import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import type { Cluster } from '../clickhouse/engine/cluster.js';
import { readSnapshot, type Snapshot, versionOf } from '../clickhouse/engine/snapshot.js';
import { openCluster } from '../clickhouse/open-cluster.js';
import { readPoints } from '../clickhouse/reading/points.js';
import { clusterTables } from '../clickhouse/reading/tables.js';
import { loadPointsOf } from '../clickhouse/workspace/load-points.js';
import { fillWorkspace, STORED } from '../clickhouse/workspace/load-tables.js';
import { STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';
import { createWorkspace } from '../clickhouse/workspace/workspace.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { readPoints as readFilePoints } from '../duckdb/reading/points.js';
import { databaseTables } from '../duckdb/reading/tables.js';
import { readSeries } from '../queries/series.js';
import type { ReadOptions, StoreReader } from '../store.js';

/** What a copy is compared by. */
export type CopyReader = Pick<StoreReader, 'series' | 'points'>;

/** Series from `first` to `last`, both included, with their latest points. */
export interface CopyPart {
  readonly first: number;
  readonly last: number;
  readonly points: number;
}

/** What a part is remembered by. */
export const nameOf = ({ first, last }: CopyPart): string => `${first}-${last}`;

/** A store that is copied, as it was when it was opened. */
export interface CopySource {
  readonly location: string;
  /** Differs for stores and contents of a store. */
  readonly version: string;
  /** A database with all tables of the store. Its points are those of the last part that was loaded, or all. */
  readonly connection: DuckDBConnection;
  readonly reader: CopyReader;
  loadPart(part: CopyPart, operation: LongOperation): Promise<void>;
  close(): Promise<void>;
}

/** Opens a store to be copied. */
export function openSource(location: string, operation: LongOperation): Promise<CopySource> {
  return isClickHouseAddress(location) ? openClusterSource(location, operation) : openFileSource(location);
}

async function openFileSource(location: string): Promise<CopySource> {
  const database = await openDatabase(location, true);
  const connection = await database.connectToRead();
  const [meta] = await database.rows('SELECT store_id, imports FROM meta');
  return {
    location,
    version: `${meta!.store_id}-${meta!.imports}`,
    connection,
    reader: readerOfFile(database),
    async loadPart() {},
    async close() {
      connection.disconnectSync();
      await database.close();
    },
  };
}

/** Reads a file. */
export function readerOfFile(database: Parameters<typeof readFilePoints>[0]): CopyReader {
  return {
    series: (plan, options) => readSeries(async () => databaseTables(database), plan, options),
    points: (plan, options) => readFilePoints(database, plan, options),
  };
}

async function openClusterSource(location: string, operation: LongOperation): Promise<CopySource> {
  const cluster = await openCluster(location);
  const snapshot = await readSnapshot(cluster.first);
  const workspace = await createWorkspace();
  const close = async () => {
    await workspace.remove();
    await cluster.close();
  };
  try {
    const connection = await workspace.database.connect();
    await fillWorkspace(connection, cluster, { tables: STORED_TABLES, snapshot, signal: operation.signal });
    await connection.run(`DROP SCHEMA ${STORED} CASCADE`);
    return {
      location: cluster.location,
      version: versionOf(snapshot),
      connection,
      reader: readerAt(cluster, snapshot),
      loadPart: (part, options) => loadPointsOf(connection, cluster, { ...options, ...part, snapshot }),
      async close() {
        connection.disconnectSync();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads a cluster as it is for a snapshot, which need not be committed. */
export function readerAt(cluster: Cluster, snapshot: Snapshot): CopyReader {
  const servers = cluster.at(snapshot);
  return {
    series: (plan, options) => readSeries((reading) => clusterTables(servers, reading), plan, options),
    points: (plan, options) => readPoints(servers, plan, options),
  };
}

/** Points of a part, roughly. */
const PART_POINTS = 4_000_000;

/** Divides the series of a store into parts, the same ones for the same content. */
export async function planParts(
  { connection }: CopySource,
  partPoints: number = PART_POINTS,
): Promise<CopyPart[]> {
  const read = await connection.runAndReadAll(`
    WITH placed AS (
      SELECT handle, point_count,
        (sum(point_count) OVER (ORDER BY handle) - point_count) // ${partPoints} AS part
      FROM series)
    SELECT min(handle), max(handle), sum(point_count)::DOUBLE FROM placed GROUP BY part ORDER BY 1`);
  return (read.getRows() as [number, number, number][]).map(([first, last, points]) => ({
    first,
    last,
    points,
  }));
}

/** A store that a copy is written into. What is copied is kept when the copy breaks off, and becomes a store at the end. */
export interface CopyTarget {
  /** Copies what is not points, unless that was done before. */
  copyTables(options: ReadOptions): Promise<void>;
  /** Whether a part was copied before. */
  hasPart(part: CopyPart): boolean;
  /** Copies the points of a part, which the source has loaded. */
  copyPart(part: CopyPart, options: ReadOptions): Promise<void>;
  /** What was copied, before it is a store. */
  open(): Promise<CopyReader>;
  /** Makes the copy a store. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
