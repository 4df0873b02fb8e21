import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBTypeId } from '../../duckdb/engine/library.js';
import { rawVector } from '../../duckdb/engine/vectors.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE } from '../engine/snapshot.js';
import type { ColumnKind } from './arrow-columns.js';
import { Block, type BlockColumns, POINT_BLOCK } from './block.js';

/** Rows of a block: fewer make many parts, which are read more slowly until they are merged. */
const MAX_BLOCK_ROWS = 1_000_000;
/** Rows of all blocks that are filled at the same time. */
const MAX_HELD_ROWS = 2_000_000;

interface WriterOptions {
  readonly table: string;
  readonly columns: BlockColumns;
  /** The import that brings the rows, and the one by which they are gone. */
  readonly import: number;
  readonly gone: number;
  readonly signal: AbortSignal | undefined;
}

/** Writes rows of one table to one shard in large blocks, one at a time. */
export class BlockWriter {
  /** Rows so far. */
  rows = 0;
  #block: Block;
  #sending: Promise<void> = Promise.resolve();

  readonly #shard: Shard;
  readonly #options: WriterOptions;
  readonly #maxRows: number;

  constructor(shard: Shard, options: WriterOptions, maxRows = MAX_BLOCK_ROWS) {
    this.#shard = shard;
    this.#options = options;
    this.#maxRows = maxRows;
    this.#block = new Block(options.columns);
  }

  async append(chunk: Parameters<Block['append']>[0], rows: Uint32Array): Promise<void> {
    this.#block.append(chunk, rows);
    this.rows += rows.length;
    if (this.#block.length >= this.#maxRows) await this.#send();
  }

  /** Resolves when the shard has all rows. */
  async finish(): Promise<void> {
    if (this.#block.length > 0) await this.#send();
    await this.#sending;
  }

  /** Waits for the block before this one only: the next one is filled meanwhile. */
  async #send(): Promise<void> {
    const { table, columns, signal } = this.#options;
    const block = this.#block;
    this.#block = new Block(columns);
    await this.#sending;
    const bytes = block.encode(this.#options);
    const names = [...columns.map(([name]) => name), 'import', 'gone'];
    this.#sending = this.#shard.insert(table, names, bytes, { token: randomUUID(), signal });
    // Whoever waits for it next gets the error; none is left without a handler until then.
    this.#sending.catch(() => {});
  }
}

/** Writes points to the shards of their series. */
export class PointWriter {
  readonly #writers: readonly BlockWriter[];

  constructor(cluster: Cluster, numbers: { import: number; gone?: number }, signal: AbortSignal | undefined) {
    const maxRows = Math.min(MAX_BLOCK_ROWS, Math.ceil(MAX_HELD_ROWS / cluster.shards.length));
    const options = { table: 'point', columns: POINT_BLOCK, gone: NOT_GONE, ...numbers, signal };
    this.#writers = cluster.shards.map((shard) => new BlockWriter(shard, options, maxRows));
  }

  /** Rows of each shard so far. */
  get rows(): number[] {
    return this.#writers.map(({ rows }) => rows);
  }

  /** Appends the points of a query, which has `POINT_COLUMNS`. */
  async append(connection: DuckDBConnection, sql: string): Promise<void> {
    const result = await connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      await turns.next();
      const series = rawVector<Int32Array>(chunk, 0).items;
      for (const [shard, rows] of this.#divide(series, chunk.rowCount).entries())
        if (rows.length > 0) await this.#writers[shard]!.append(chunk, rows);
    }
  }

  async finish(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.finish()));
  }

  /** The rows of each shard. */
  #divide(series: Int32Array, length: number): Uint32Array[] {
    const shards = this.#writers.length;
    const rows = Array.from({ length: shards }, () => new Uint32Array(length));
    const counts = new Uint32Array(shards);
    for (let row = 0; row < length; row++) {
      const shard = series[row]! % shards;
      rows[shard]![counts[shard]!++] = row;
    }
    return rows.map((ofShard, shard) => ofShard.subarray(0, counts[shard]));
  }
}

const KINDS = new Map<DuckDBTypeId, ColumnKind>([
  [DuckDBTypeId.INTEGER, 'integer'],
  [DuckDBTypeId.DOUBLE, 'number'],
  [DuckDBTypeId.TIMESTAMP_MS, 'date'],
  [DuckDBTypeId.VARCHAR, 'text'],
  [DuckDBTypeId.BOOLEAN, 'truth'],
]);

/** Writes the rows of a query into a table of a shard, which has them when the writer has finished. */
export async function writeRows(
  connection: DuckDBConnection,
  { shard, sql, ...options }: Omit<WriterOptions, 'columns' | 'gone'> & { shard: Shard; sql: string },
): Promise<BlockWriter> {
  const result = await connection.stream(sql);
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, i) => [name, KINDS.get(types[i]!.typeId)!] as const);
  const writer = new BlockWriter(shard, { ...options, columns, gone: NOT_GONE });
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return writer;
    await turns.next();
    await writer.append(
      chunk,
      Uint32Array.from({ length: chunk.rowCount }, (_, row) => row),
    );
  }
}
