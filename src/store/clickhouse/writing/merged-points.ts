import type { DuckDBConnection } from '@duckdb/node-api';
import type { MergedPoints } from '../../duckdb/writing/home.js';
import type { Expected } from '../committing/verify.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE, visible } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import type { Writing } from './difference.js';
import { PointWriter } from './write-rows.js';

/** Series whose revised points are ended together. */
const SERIES_TOGETHER = 5_000;

/** Writes the points that an import adds, and ends those that they supersede. */
export class MergedPointsWriter {
  readonly #latest: PointWriter;
  readonly #history: PointWriter;
  /** How many stored points of each series are superseded. */
  readonly #superseded = new Map<number, number>();

  readonly #cluster: Cluster;
  readonly #writing: Writing;

  constructor(cluster: Cluster, writing: Writing) {
    const { import: number, signal } = writing;
    this.#cluster = cluster;
    this.#writing = writing;
    this.#latest = new PointWriter(cluster, { import: number }, signal);
    this.#history = new PointWriter(cluster, { import: number, gone: number }, signal);
  }

  async take(connection: DuckDBConnection, { latest, history, outdated }: MergedPoints): Promise<void> {
    await this.#latest.append(connection, latest);
    if (history !== null) await this.#history.append(connection, history);
    if (outdated === null) return;
    const read = await connection.runAndReadAll(
      `SELECT series, count(*)::DOUBLE FROM (${outdated}) GROUP BY series`,
    );
    for (const [series, points] of read.getRows() as [number, number][])
      this.#superseded.set(series, points + (this.#superseded.get(series) ?? 0));
  }

  /** Ends what is superseded. @returns what each shard must have by then */
  async finish(): Promise<Expected[]> {
    const [latest, history] = [this.#latest.rows, this.#history.rows];
    const { shards } = this.#cluster;
    return together(
      shards.entries(),
      async ([i, shard], { signal }) => {
        const revised = [...this.#superseded]
          .filter(([handle]) => this.#cluster.shardOf(handle) === shard)
          .sort(([a], [b]) => a - b);
        const handles = revised.map(([handle]) => handle);
        await this.#endSuperseded(shard, handles, signal);
        return {
          table: 'point',
          written: latest[i]! + history[i]!,
          ended: revised.reduce((sum, [, points]) => sum + points, 0),
          among: handles.length === 0 ? 'false' : `series BETWEEN ${handles[0]} AND ${handles.at(-1)}`,
        };
      },
      this.#writing,
    );
  }

  /** A stored latest vintage is superseded when the import has brought the latest one of the same period. */
  async #endSuperseded(shard: Shard, handles: readonly number[], signal: AbortSignal): Promise<void> {
    const { before, import: number } = this.#writing;
    const { where, parameters } = visible(before);
    const sql = `UPDATE point SET gone = {number:UInt32}
      WHERE series IN {ids:Array(Int32)} AND ${where} AND (series, start_date, end_date) IN (
        SELECT series, start_date, end_date FROM point
        WHERE series IN {ids:Array(Int32)} AND import = {number:UInt32} AND gone = ${NOT_GONE})`;
    for (let i = 0; i < handles.length; i += SERIES_TOGETHER) {
      const ids = handles.slice(i, i + SERIES_TOGETHER);
      await shard.run(sql, { ...parameters, number, ids }, { signal });
    }
  }
}
