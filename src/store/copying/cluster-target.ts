import { createHash, randomUUID } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { Claim } from '../clickhouse/committing/claim.js';
import { ImportLog } from '../clickhouse/committing/import-log.js';
import { type Expected, verify } from '../clickhouse/committing/verify.js';
import type { Cluster } from '../clickhouse/engine/cluster.js';
import { openCluster } from '../clickhouse/open-cluster.js';
import { STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';
import { PointWriter, writeRows } from '../clickhouse/writing/write-rows.js';
import { POINT_COLUMNS } from '../duckdb/point-tables.js';
import type { CopyTarget } from './copy-source.js';
import { type CopyPart, type CopySource, nameOf, readerAt } from './copy-source.js';

/**
 * Opens a cluster for a copy of a source. Each part is an import of its own, known by what it is of; all are committed at
 * once. Parts that a copy of the same content has written before are kept.
 * @throws StoreError when it is not empty
 */
export async function openClusterTarget(location: string, source: CopySource): Promise<CopyTarget> {
  const cluster = await openCluster(location);
  let claim: Claim | null = null;
  try {
    claim = await Claim.take(cluster);
    const written = await findWritten(cluster);
    return new ClusterTarget(cluster, { claim, version: source.version, written });
  } catch (error) {
    await claim?.release();
    await cluster.close();
    throw error;
  }
}

/** The parts that are written, by what they are of. Parts that were broken off are given up. */
async function findWritten(cluster: Cluster): Promise<Map<string, number>> {
  const log = new ImportLog(cluster, randomUUID());
  const written = new Map<string, number>();
  const { committed, open } = await log.read();
  if (committed > 0) {
    throw new StoreError(
      `${cluster.location} has data already; copy into a store that "cropframe store init" has just created`,
    );
  }
  for (const { number, importer, isWritten, isAbandoned } of open) {
    if (isWritten && !isAbandoned) written.set(importer, number);
    else if (!isAbandoned) await log.giveUp(number);
  }
  return written;
}

/** A part ends no rows. */
const copiedRows = (table: string, written: number): Expected => ({
  table,
  written,
  ended: 0,
  among: 'false',
});

interface TargetParts {
  readonly claim: Claim;
  readonly version: string;
  readonly written: Map<string, number>;
}

class ClusterTarget implements CopyTarget {
  readonly #numbers = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #parts: TargetParts;

  constructor(cluster: Cluster, parts: TargetParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  get location(): string {
    return this.#cluster.location;
  }

  hasPart(part: CopyPart): boolean {
    return this.#isWritten(this.#idOf(nameOf(part)));
  }

  async copyTables({ connection }: CopySource, operation: LongOperation): Promise<void> {
    const id = this.#idOf('tables');
    if (this.#isWritten(id)) return;
    const { first } = this.#cluster;
    await this.#write(id, operation, async (number, signal) => {
      // The frequencies that every new store has are replaced by those of the source.
      await first.run('UPDATE frequency SET gone = {number:UInt32} WHERE import = 0', { number }, { signal });
      const writing = { import: number, signal };
      const copied: Expected[] = [];
      for (const { name: table, columns } of STORED_TABLES) {
        const sql = `SELECT ${columns.join(', ')} FROM store.main.${table}`;
        copied.push(copiedRows(table, await writeRows(connection, { shard: first, table, sql, ...writing })));
      }
      await verify(first, copied, writing);
    });
  }

  async copyPart({ connection }: CopySource, part: CopyPart, operation: LongOperation): Promise<void> {
    await this.#write(this.#idOf(nameOf(part)), operation, async (number, signal) => {
      const latest = new PointWriter(this.#cluster, { import: number }, signal);
      const history = new PointWriter(this.#cluster, { import: number, gone: number }, signal);
      const columns = POINT_COLUMNS.join(', ');
      const where = `WHERE series BETWEEN ${part.first} AND ${part.last}`;
      await latest.append(connection, `SELECT ${columns} FROM store.main.point ${where}`);
      await history.append(connection, `SELECT ${columns} FROM store.main.point_history ${where}`);
      const rows = latest.rows.map((count, shard) => count + history.rows[shard]!);
      for (const [i, shard] of this.#cluster.shards.entries())
        await verify(shard, [copiedRows('point', rows[i]!)], { import: number, signal });
    });
  }

  async open() {
    const numbers = [...this.#numbers.values()];
    const own = new Set(numbers);
    const { storeId, open } = await new ImportLog(this.#cluster, randomUUID()).read();
    const abandoned = open.map(({ number }) => number).filter((number) => !own.has(number));
    return readerAt(this.#cluster, { storeId, import: Math.max(...numbers), abandoned });
  }

  async finish(): Promise<void> {
    this.#parts.claim.signal.throwIfAborted();
    await new ImportLog(this.#cluster, randomUUID()).commit([...this.#numbers.values()]);
  }

  async close(): Promise<void> {
    await this.#parts.claim.release();
    await this.#cluster.close();
  }

  #isWritten(id: string): boolean {
    const number = this.#parts.written.get(id);
    if (number !== undefined) this.#numbers.set(id, number);
    return number !== undefined;
  }

  async #write(
    id: string,
    { signal }: LongOperation,
    write: (number: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { claim } = this.#parts;
    const log = new ImportLog(this.#cluster, id);
    const number = await log.begin();
    await write(number, AbortSignal.any([claim.signal, ...(signal === undefined ? [] : [signal])]));
    await log.written(number);
    this.#numbers.set(id, number);
  }

  /** A part of another content of the source has another id. */
  #idOf(name: string): string {
    const hash = createHash('sha256').update(`${this.#parts.version} ${name}`).digest('hex');
    return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  }
}
