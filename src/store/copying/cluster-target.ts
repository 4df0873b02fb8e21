import { createHash, randomUUID } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { Claim } from '../clickhouse/committing/claim.js';
import { ImportLog } from '../clickhouse/committing/import-log.js';
import { type Expected, verify } from '../clickhouse/committing/verify.js';
import type { Cluster } from '../clickhouse/engine/cluster.js';
import { openCluster } from '../clickhouse/open-cluster.js';
import { STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';
import { PointWriter, writeRows } from '../clickhouse/writing/write-rows.js';
import { POINT_COLUMNS } from '../duckdb/point-tables.js';
import { inRange } from '../duckdb/writing/ranges.js';
import type { ReadOptions } from '../store.js';
import { type CopySource, type CopyTarget, nameOf, readerAt } from './copy-source.js';

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
    return clusterTarget(cluster, { claim, source, written: await findWritten(cluster) });
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
  readonly source: CopySource;
  readonly written: ReadonlyMap<string, number>;
}

function clusterTarget(cluster: Cluster, { claim, source, written }: TargetParts): CopyTarget {
  const { connection, version } = source;
  const { first, shards } = cluster;
  /** The numbers of the parts that the copy consists of. */
  const numbers = new Set<number>();

  /** A part of another content of the source has another id. */
  function idOf(name: string): string {
    const hash = createHash('sha256').update(`${version} ${name}`).digest('hex');
    return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  }

  function isWritten(name: string): boolean {
    const number = written.get(idOf(name));
    if (number !== undefined) numbers.add(number);
    return number !== undefined;
  }

  async function write(
    name: string,
    { signal }: ReadOptions,
    put: (writing: { import: number; signal: AbortSignal }) => Promise<void>,
  ): Promise<void> {
    const log = new ImportLog(cluster, idOf(name));
    const number = await log.begin();
    const signals = [claim.signal, ...(signal === undefined ? [] : [signal])];
    await put({ import: number, signal: AbortSignal.any(signals) });
    await log.written(number);
    numbers.add(number);
  }

  return {
    hasPart: (part) => isWritten(nameOf(part)),
    async copyTables(options) {
      if (isWritten('tables')) return;
      await write('tables', options, async (writing) => {
        const { import: number, signal } = writing;
        // The frequencies that every new store has are replaced by those of the source.
        await first.run(
          'UPDATE frequency SET gone = {number:UInt32} WHERE import = 0',
          { number },
          { signal },
        );
        const copied: Expected[] = [];
        for (const { name: table, columns } of STORED_TABLES) {
          const sql = `SELECT ${columns.join(', ')} FROM store.main.${table}`;
          copied.push(
            copiedRows(table, await writeRows(connection, { shard: first, table, sql, ...writing })),
          );
        }
        await verify(first, copied, writing);
      });
    },
    copyPart: (part, options) =>
      write(nameOf(part), options, async (writing) => {
        const { import: number, signal } = writing;
        const latest = new PointWriter(cluster, { import: number }, signal);
        const history = new PointWriter(cluster, { import: number, gone: number }, signal);
        const pointsOf = (view: string) =>
          `SELECT ${POINT_COLUMNS.join(', ')} FROM store.main.${view} WHERE ${inRange('series', part)}`;
        await latest.append(connection, pointsOf('point'));
        await history.append(connection, pointsOf('point_history'));
        for (const [i, shard] of shards.entries())
          await verify(shard, [copiedRows('point', latest.rows[i]! + history.rows[i]!)], writing);
      }),
    async open() {
      const { storeId, open } = await new ImportLog(cluster, randomUUID()).read();
      const abandoned = open.map(({ number }) => number).filter((number) => !numbers.has(number));
      return readerAt(cluster, { storeId, import: Math.max(...numbers), abandoned });
    },
    async finish() {
      claim.signal.throwIfAborted();
      await new ImportLog(cluster, randomUUID()).commit([...numbers]);
    },
    async close() {
      await claim.release();
      await cluster.close();
    },
  };
}
