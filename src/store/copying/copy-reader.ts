import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import type { Cluster } from '../clickhouse/engine/cluster.js';
import { readSnapshot, type Snapshot } from '../clickhouse/engine/snapshot.js';
import { readPoints } from '../clickhouse/reading/points.js';
import { tablesAt } from '../clickhouse/reading/tables.js';
import { openCluster } from '../clickhouse/schema.js';
import type { Database } from '../duckdb/engine/database.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { readPoints as readFilePoints } from '../duckdb/reading/points.js';
import { databaseTables } from '../duckdb/reading/tables.js';
import type { EngineTables } from '../queries/engine-tables.js';
import { readSeries } from '../queries/series.js';
import type { StoreReader } from '../store.js';

/** A store as it was when it was opened. */
export interface CopyReader extends Pick<StoreReader, 'series' | 'points'> {
  readonly location: string;
  readonly tables: EngineTables;
}

export function fileReader(database: Database): CopyReader {
  const points: CopyReader['points'] = (plan, options) => readFilePoints(database, plan, options);
  return readerOf(database, databaseTables(database), points);
}

/** @param at the state to read, which need not be committed */
export function clusterReader(cluster: Cluster, at: Snapshot): CopyReader {
  return readerOf(cluster, tablesAt(cluster, at), (plan, options) =>
    readPoints(cluster, plan, { ...options, at }),
  );
}

function readerOf(
  { location }: { readonly location: string },
  tables: EngineTables,
  points: CopyReader['points'],
): CopyReader {
  return {
    location,
    tables,
    points,
    series: (plan, options) => readSeries(async () => tables, plan, options),
  };
}

/** Reads a store while `read` does. */
export async function withReader<Result>(
  location: string,
  read: (reader: CopyReader) => Promise<Result>,
): Promise<Result> {
  const opened = isClickHouseAddress(location)
    ? await openCluster(location)
    : await openDatabase(location, true);
  try {
    return await read(
      'first' in opened ? clusterReader(opened, await readSnapshot(opened.first)) : fileReader(opened),
    );
  } finally {
    await opened.close();
  }
}
