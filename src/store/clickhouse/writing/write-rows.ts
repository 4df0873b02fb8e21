import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../../duckdb/engine/sql-values.js';
import { readNumber } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import { createFolder } from '../workspace/workspace.js';

interface Written {
  readonly table: string;
  /** The import that brings the rows, and the one by which they are gone. */
  readonly import: number;
  readonly gone?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Points of a query with `POINT_COLUMNS`, with the values that mean no value, no date and no remark. */
const pointsOf = (
  sql: string,
) => `SELECT series, start_date, end_date, coalesce(value, 'nan'::DOUBLE) AS value,
  unit_id, coalesce(epoch_ms(reporting_date), -9223372036854775808) AS reporting_date, available_date,
  coalesce(metadata, '') AS metadata FROM (${sql})`;

/** Writes points to the shards of their series. */
export class PointWriter {
  /** Rows of each shard so far. */
  readonly rows: number[];

  readonly #cluster: Cluster;
  readonly #written: Written;

  constructor(cluster: Cluster, numbers: { import: number; gone?: number }, signal: AbortSignal | undefined) {
    this.#cluster = cluster;
    this.#written = { table: 'point', ...numbers, signal };
    this.rows = cluster.shards.map(() => 0);
  }

  /** Writes the points of a query, which has `POINT_COLUMNS`. The shards have them when it resolves. */
  async append(connection: DuckDBConnection, sql: string): Promise<void> {
    const { shards } = this.#cluster;
    const rows = await writeToShards(connection, shards, {
      sql: pointsOf(sql),
      position: `series % ${shards.length}`,
      ...this.#written,
    });
    for (const [i, count] of rows.entries()) this.rows[i]! += count;
  }
}

/** Writes the rows of a query into a table of a shard. @returns how many there are */
export async function writeRows(
  connection: DuckDBConnection,
  { shard, ...written }: Written & { readonly shard: Shard; readonly sql: string },
): Promise<number> {
  const [rows] = await writeToShards(connection, [shard], { ...written, position: '0' });
  return rows!;
}

/** Writes each row as Parquet for the shard of its position, which reads the files. @returns the rows of each shard */
async function writeToShards(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  {
    sql,
    position,
    table,
    import: number,
    gone = NOT_GONE,
    signal,
  }: Written & { readonly sql: string; readonly position: string },
): Promise<number[]> {
  const described = await connection.runAndReadAll(`DESCRIBE FROM (${sql})`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const values = columns.map(({ name, type }) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = [...columns.map(({ name }) => name), 'import', 'gone'];
  const folder = await createFolder();
  try {
    await connection.run(
      `COPY (SELECT ${values.join(', ')}, ${number}::UINTEGER AS import, ${gone}::UINTEGER AS gone, ${position} AS shard
       FROM (${sql})) TO ${quoted(folder.path)} (FORMAT parquet, PARTITION_BY (shard), OVERWRITE_OR_IGNORE)`,
    );
    const counts: number[] = [];
    await together(
      shards.entries(),
      async ([i, shard], options) => {
        const ofShard = join(folder.path, `shard=${i}`);
        counts[i] = 0;
        if (!existsSync(ofShard)) return;
        counts[i] = await readNumber(
          connection,
          `SELECT count(*)::DOUBLE FROM read_parquet(${quoted(join(ofShard, '*.parquet'))})`,
        );
        for (const file of readdirSync(ofShard))
          await shard.insertFile(table, names, join(ofShard, file), { token: randomUUID(), ...options });
      },
      { signal },
    );
    return counts;
  } finally {
    await folder.remove();
  }
}
