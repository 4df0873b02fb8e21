import { unpackLists } from '../../columns/packed-points.js';
import { ENTITY_TYPES, type EntityType } from '../../model/entity.js';
import { StoreError } from '../../model/errors.js';
import { chunksOf } from '../../model/grouping.js';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import { readSnapshot } from '../clickhouse/engine/snapshot.js';
import { beginImport } from '../clickhouse/importing/begin-import.js';
import { readPoints } from '../clickhouse/reading/points.js';
import { tablesAt } from '../clickhouse/reading/tables.js';
import { openCluster } from '../clickhouse/schema.js';
import { writeNewFile } from '../duckdb/engine/drafts.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { databaseTables, pointsOf } from '../duckdb/reading/points.js';
import { beginTransaction } from '../duckdb/writing/transaction.js';
import type { PointPlan } from '../plan.js';
import type { EngineTables } from '../queries/engine-tables.js';
import { entityOperations } from '../queries/entities.js';
import { readSeries, seriesOperations } from '../queries/series.js';
import { aliasesOf, ENTITY_TABLES } from '../schema/tables.js';
import type { NewEntity, NewPoints, NewShape, StoreReader, StoreTransaction } from '../store.js';

/**
 * Copies a store into an empty store in a single import. Either store may be a file or a cluster. Handles, revisions
 * and import dates are kept; users and tokens are not copied. An interrupted copy leaves nothing behind.
 * @throws StoreError if the target already has data, or if points in the source contradict each other
 */
export async function copyStore(
  from: string,
  to: string,
  operation: LongOperation = {},
): Promise<CopiedStore> {
  if (from === to) throw new StoreError(`${from} cannot be copied onto itself; specify a different store`);
  return withSource(from, (source) =>
    isClickHouseAddress(to) ? copyToServers(source, to, operation) : copyToFile(source, to, operation),
  );
}

interface CopiedStore {
  readonly series: number;
  readonly points: number;
}

function copyToFile(source: CopySource, to: string, operation: LongOperation): Promise<CopiedStore> {
  const like = isClickHouseAddress(source.location) ? undefined : source.location;
  return writeNewFile({ to, name: 'the copy', like }, async (draft) => {
    const database = await openDatabase(draft, { readOnly: false, name: to });
    try {
      const transaction = await beginTransaction(database, { isCopy: true, onEnd() {} });
      return await copyInto(transaction, source, operation);
    } finally {
      await database.close();
    }
  });
}

async function copyToServers(source: CopySource, to: string, operation: LongOperation): Promise<CopiedStore> {
  const cluster = await openCluster(to);
  try {
    if ((await readSnapshot(cluster.first)).import > 0)
      throw new StoreError(
        `${cluster.location} already contains data; copy into a new store, created with "cropframe store init"`,
      );
    return await copyInto(await beginImport(cluster, { isCopy: true, onEnd() {} }), source, operation);
  } finally {
    await cluster.close();
  }
}

async function copyInto(
  transaction: StoreTransaction,
  source: CopySource,
  operation: LongOperation,
): Promise<CopiedStore> {
  const { signal, onProgress } = operation;
  try {
    const sum = `SELECT CAST(sum(point_count) AS DOUBLE) AS points FROM ${source.tables.from('series')}`;
    const total = Number((await source.tables.rows(sum))[0]?.points ?? 0);
    if (!(total > 0)) throw new StoreError(`${source.location} has no points; there is nothing to copy`);
    await copyTables(transaction, source);
    let [done, sent] = [0, 0];
    for await (const series of readSeries(async () => source.tables, { selection: {} }, { signal })) {
      onProgress?.({ label: 'copying points', done, total, unit: 'rows' });
      for await (const columns of unpackLists(source.points({ ...EVERY_POINT, series }, { signal }))) {
        await transaction.putPoints({ series, columns: columns as NewPoints['columns'] });
        sent += columns.length;
      }
      done += series.reduce((points, { pointCount }) => points + pointCount, 0);
    }
    onProgress?.({ label: 'copying points', done: total, total, unit: 'rows' });
    const { points, nulls } = await transaction.settle(operation);
    if (points + nulls !== sent)
      throw new StoreError(
        `only ${points + nulls} of ${sent} points could be copied; the rest repeat or contradict other points; ` +
          'find the damage with "cropframe store check"',
      );
    const { series, added } = await transaction.commit(operation);
    return { series, points: added };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const EVERY_POINT: Omit<PointPlan, 'series'> = {
  startMs: null,
  endMs: null,
  history: 'complete',
  atMs: null,
  sinceMs: null,
  withAvailableDate: true,
  withMetadata: true,
};

const REGIONS_PER_QUERY = 500;

async function copyTables(transaction: StoreTransaction, { tables }: CopySource): Promise<void> {
  for (const type of ENTITY_TYPES)
    await transaction.putEntities(type, (await readEntities(tables, type)) as NewEntity<never>[]);
  const shaped = await tables.rows(`SELECT DISTINCT region_id FROM ${tables.from('shape')} ORDER BY 1`);
  const ids = shaped.map(({ region_id }) => Number(region_id));
  for (const group of chunksOf(ids, REGIONS_PER_QUERY)) {
    const read = tables.from('shape', tables.ids('region_id', group));
    const shapes = await tables.rows(`SELECT region_id, detail, geojson FROM ${read}`);
    await transaction.putShapes(shapes as unknown as NewShape[]);
  }
  const { sourceImports, fetches } = seriesOperations(async () => tables);
  for (const { sourceId, dataset, importedMs } of await sourceImports())
    if (dataset !== null && importedMs !== null)
      await transaction.record({ imported: { dataset, sourceIds: [sourceId], importedMs } });
  for (const fetched of await fetches()) await transaction.record({ fetched });
}

async function readEntities(tables: CopySource['tables'], type: EntityType): Promise<unknown[]> {
  const entities = await entityOperations(async () => tables).lookup(type, null);
  const rows = await tables.rows(`SELECT * FROM ${tables.from(ENTITY_TABLES[type].table)} ORDER BY id`);
  return rows.map((row, i) => ({
    ...entities[i],
    historical: row.historical,
    aliases: aliasesOf(row),
    identity: row.identity ?? undefined,
  }));
}

/** A store that does not change while it is being copied. */
interface CopySource extends Pick<StoreReader, 'points'> {
  readonly tables: EngineTables;
  readonly location: string;
}

async function withSource<Result>(
  location: string,
  read: (source: CopySource) => Promise<Result>,
): Promise<Result> {
  if (!isClickHouseAddress(location)) {
    const database = await openDatabase(location, { readOnly: true });
    const source = { tables: databaseTables(database), points: pointsOf(database), location };
    return read(source).finally(() => database.close());
  }
  const cluster = await openCluster(location);
  try {
    const at = await readSnapshot(cluster.first);
    const points: CopySource['points'] = (plan, options) => readPoints(cluster, plan, { ...options, at });
    return await read({ tables: tablesAt(cluster, at), points, location });
  } finally {
    await cluster.close();
  }
}
