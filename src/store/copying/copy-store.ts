import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { unpackLists } from '../../columns/packed-points.js';
import { ENTITY_TYPES, type EntityType } from '../../model/entity.js';
import { StoreError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import { readSnapshot } from '../clickhouse/engine/snapshot.js';
import { openCluster } from '../clickhouse/schema.js';
import { beginImport } from '../clickhouse/writing/import-home.js';
import { canonicalPath, removeStoreFiles, requireNoStore, syncFile } from '../duckdb/engine/files.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { aliasesOf, ENTITY_TABLES } from '../duckdb/entity-tables.js';
import { beginTransaction } from '../duckdb/writing/transaction.js';
import { entityOperations } from '../queries/entities.js';
import { readFetches, readSourceImports } from '../queries/import-records.js';
import type { NewEntity, NewPoints, NewShape, StoreTransaction } from '../store.js';
import { type ComparedStores, comparePoints, EVERY_POINT, EVERY_SERIES } from './compare-points.js';
import { type CopyReader, clusterReader, fileReader, withReader } from './copy-reader.js';

/**
 * Copies a store into an empty one by one import: from a file into a cluster, back, or between two of a kind. Handles,
 * revisions and the dates of imports stay; users and tokens are left out. All points are read back from both and compared
 * before the copy becomes a store. Of a copy that breaks off nothing stays.
 * @throws StoreError when the target has data, or differs in the end
 */
export async function copyStore(
  from: string,
  to: string,
  operation: LongOperation = {},
): Promise<ComparedStores> {
  if (from === to) throw new StoreError(`${from} cannot be copied onto itself; name another store`);
  try {
    return await withReader(from, async (source) => {
      const { tables } = source;
      const sum = `SELECT CAST(sum(point_count) AS DOUBLE) AS points FROM ${tables.from('series')}`;
      const [row] = await tables.rows(sum);
      const total = Number(row?.points ?? 0);
      if (!(total > 0)) throw new StoreError(`${from} has no points; there is nothing to copy`);
      const copying = { ...operation, total };
      return isClickHouseAddress(to) ? copyToServers(source, to, copying) : copyToFile(source, to, copying);
    });
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw error;
  }
}

interface Copying extends LongOperation {
  /** Latest points of the source. */
  readonly total: number;
}

/** The file has another name until it is whole. */
async function copyToFile(source: CopyReader, to: string, copying: Copying): Promise<ComparedStores> {
  const path = canonicalPath(to);
  requireNoStore(path, { to, name: 'the copy' });
  const draft = `${path}.${randomUUID()}.copy`;
  try {
    const database = await openDatabase(draft, false);
    let compared: ComparedStores;
    try {
      await copyInto(await beginTransaction(database, { isCopy: true, onEnd() {} }), source, copying);
      compared = await comparePoints([source, fileReader(database)], copying);
      copying.signal?.throwIfAborted();
    } finally {
      await database.close();
    }
    syncFile(draft);
    requireNoStore(path, { to, name: 'the copy' });
    renameSync(draft, path);
    return compared;
  } finally {
    removeStoreFiles(draft);
  }
}

async function copyToServers(source: CopyReader, to: string, copying: Copying): Promise<ComparedStores> {
  const cluster = await openCluster(to);
  try {
    if ((await readSnapshot(cluster.first)).import > 0) {
      throw new StoreError(
        `${cluster.location} has data already; copy into a store that "cropframe store init" has just created`,
      );
    }
    let compared: ComparedStores | null = null;
    const transaction = await beginImport(cluster, {
      isCopy: true,
      async check(snapshot) {
        compared = await comparePoints([source, clusterReader(cluster, snapshot)], copying);
      },
      onEnd() {},
    });
    await copyInto(transaction, source, copying);
    return compared!;
  } finally {
    await cluster.close();
  }
}

/** Imports all that a store has. */
async function copyInto(
  transaction: StoreTransaction,
  source: CopyReader,
  { total, ...operation }: Copying,
): Promise<void> {
  const { signal, onProgress } = operation;
  try {
    await copyTables(transaction, source);
    let done = 0;
    for await (const series of source.series(EVERY_SERIES, { signal })) {
      onProgress?.({ label: 'copying points', done, total, unit: 'rows' });
      for await (const columns of unpackLists(source.points({ ...EVERY_POINT, series }, { signal })))
        await transaction.putPoints({ series, columns: columns as NewPoints['columns'] });
      done += series.reduce((points, { pointCount }) => points + pointCount, 0);
    }
    onProgress?.({ label: 'copying points', done: total, total, unit: 'rows' });
    await transaction.commit(operation);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** Regions whose shapes are read together. */
const REGIONS_TOGETHER = 500;

/** Copies everything except points. */
async function copyTables(transaction: StoreTransaction, { tables }: CopyReader): Promise<void> {
  for (const type of ENTITY_TYPES)
    await transaction.putEntities(type, (await readEntities(tables, type)) as NewEntity<never>[]);
  const shaped = await tables.rows(`SELECT DISTINCT region_id FROM ${tables.from('shape')} ORDER BY 1`);
  const ids = shaped.map(({ region_id }) => Number(region_id));
  for (let from = 0; from < ids.length; from += REGIONS_TOGETHER) {
    const group = ids.slice(from, from + REGIONS_TOGETHER);
    const read = tables.from('shape', tables.ids('region_id', group));
    const shapes = await tables.rows(`SELECT region_id, detail, geojson FROM ${read}`);
    await transaction.putShapes(shapes as unknown as NewShape[]);
  }
  await transaction.record({ redirects: await entityOperations(async () => tables).idRedirects() });
  for (const { sourceId, dataset, importedMs } of await readSourceImports(tables))
    if (dataset !== null && importedMs !== null)
      await transaction.record({ imported: { dataset, sourceIds: [sourceId], importedMs } });
  for (const fetched of await readFetches(tables)) await transaction.record({ fetched });
}

/** The entities of a type, with all that an import says of them. */
async function readEntities(tables: CopyReader['tables'], type: EntityType): Promise<unknown[]> {
  const { table, toEntity } = ENTITY_TABLES[type];
  const parents = new Map<unknown, number[]>();
  const ofType = tables.from('containment', `entity_type = '${type}'`);
  const pairs = await tables.rows(`SELECT parent, child FROM ${ofType}`);
  for (const { parent, child } of pairs) parents.set(child, [...(parents.get(child) ?? []), Number(parent)]);
  return (await tables.rows(`SELECT * FROM ${tables.from(table)} ORDER BY id`)).map((row) => ({
    ...toEntity(row, { contains: [], belongsTo: parents.get(row.id) ?? [] }),
    historical: row.historical,
    aliases: aliasesOf(row),
    identity: row.identity ?? undefined,
  }));
}
