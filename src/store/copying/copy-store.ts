import { createHash, type Hash } from 'node:crypto';
import { isValid } from '../../columns/bitmap.js';
import { unpackLists } from '../../columns/packed-points.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { ENTITY_TYPES, type EntityType } from '../../model/entity.js';
import { StoreError } from '../../model/errors.js';
import { chunksOf, groupedBy } from '../../model/grouping.js';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import type { Cluster } from '../clickhouse/engine/cluster.js';
import { readSnapshot, type Snapshot } from '../clickhouse/engine/snapshot.js';
import { beginImport } from '../clickhouse/importing/begin-import.js';
import { readPoints } from '../clickhouse/reading/points.js';
import { tablesAt } from '../clickhouse/reading/tables.js';
import { openCluster } from '../clickhouse/schema.js';
import type { Database } from '../duckdb/engine/database.js';
import { writeNewFile } from '../duckdb/engine/drafts.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { databaseTables, pointsOf } from '../duckdb/reading/points.js';
import { beginTransaction } from '../duckdb/writing/transaction.js';
import type { PointPlan, SeriesPlan, StoredSeries } from '../plan.js';
import type { EngineTables } from '../queries/engine-tables.js';
import { readFetches, readSourceImports } from '../queries/import-records.js';
import { readSeries } from '../queries/series.js';
import { aliasesOf, ENTITY_TABLES } from '../schema/tables.js';
import type { NewEntity, NewPoints, NewShape, StoreReader, StoreTransaction } from '../store.js';

/**
 * Copies a store into an empty store in a single import. Either store may be a file or a cluster. Handles, revisions
 * and import dates are kept; users and tokens are not copied. All points of both stores are read and compared before
 * the copy becomes visible. An interrupted copy leaves nothing behind.
 * @throws StoreError if the target already has data, or the copy differs from the original
 */
export async function copyStore(
  from: string,
  to: string,
  operation: LongOperation = {},
): Promise<ComparedStores> {
  if (from === to) throw new StoreError(`${from} cannot be copied onto itself; specify a different store`);
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
  readonly total: number;
}

function copyToFile(source: CopyReader, to: string, copying: Copying): Promise<ComparedStores> {
  return writeNewFile({ to, name: 'the copy', like: source.file }, async (draft) => {
    const database = await openDatabase(draft, { readOnly: false, name: to });
    try {
      await copyInto(await beginTransaction(database, { isCopy: true, onEnd() {} }), source, copying);
      const compared = await comparePoints([source, fileReader(database)], copying);
      copying.signal?.throwIfAborted();
      return compared;
    } finally {
      await database.close();
    }
  });
}

async function copyToServers(source: CopyReader, to: string, copying: Copying): Promise<ComparedStores> {
  const cluster = await openCluster(to);
  try {
    if ((await readSnapshot(cluster.first)).import > 0) {
      throw new StoreError(
        `${cluster.location} already contains data; copy into a new store, created with "cropframe store init"`,
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

const REGIONS_PER_QUERY = 500;

async function copyTables(transaction: StoreTransaction, { tables }: CopyReader): Promise<void> {
  for (const type of ENTITY_TYPES)
    await transaction.putEntities(type, (await readEntities(tables, type)) as NewEntity<never>[]);
  const shaped = await tables.rows(`SELECT DISTINCT region_id FROM ${tables.from('shape')} ORDER BY 1`);
  const ids = shaped.map(({ region_id }) => Number(region_id));
  for (const group of chunksOf(ids, REGIONS_PER_QUERY)) {
    const read = tables.from('shape', tables.ids('region_id', group));
    const shapes = await tables.rows(`SELECT region_id, detail, geojson FROM ${read}`);
    await transaction.putShapes(shapes as unknown as NewShape[]);
  }
  for (const { sourceId, dataset, importedMs } of await readSourceImports(tables))
    if (dataset !== null && importedMs !== null)
      await transaction.record({ imported: { dataset, sourceIds: [sourceId], importedMs } });
  for (const fetched of await readFetches(tables)) await transaction.record({ fetched });
}

async function readEntities(tables: CopyReader['tables'], type: EntityType): Promise<unknown[]> {
  const { table, toEntity } = ENTITY_TABLES[type];
  const ofType = tables.from('containment', `entity_type = '${type}'`);
  const pairs = groupedBy(await tables.rows(`SELECT parent, child FROM ${ofType}`), ({ child }) => child);
  return (await tables.rows(`SELECT * FROM ${tables.from(table)} ORDER BY id`)).map((row) => ({
    ...toEntity(row, {
      contains: [],
      belongsTo: (pairs.get(row.id) ?? []).map(({ parent }) => parent as number),
    }),
    historical: row.historical,
    aliases: aliasesOf(row),
    identity: row.identity ?? undefined,
  }));
}

interface CopyReader extends Pick<StoreReader, 'series' | 'points'> {
  readonly tables: EngineTables;
  readonly file?: string | undefined;
}

function fileReader(database: Database): CopyReader {
  return { ...readerOf(databaseTables(database), pointsOf(database)), file: database.location };
}

/** Returns a reader of a cluster. @param at the snapshot to read, which may be uncommitted */
function clusterReader(cluster: Cluster, at: Snapshot): CopyReader {
  return readerOf(tablesAt(cluster, at), (plan, options) => readPoints(cluster, plan, { ...options, at }));
}

function readerOf(tables: EngineTables, points: CopyReader['points']): CopyReader {
  const series: CopyReader['series'] = (plan, options) => readSeries(async () => tables, plan, options);
  return { tables, points, series };
}

async function withReader<Result>(
  location: string,
  read: (reader: CopyReader) => Promise<Result>,
): Promise<Result> {
  const opened = isClickHouseAddress(location)
    ? await openCluster(location)
    : await openDatabase(location, { readOnly: true });
  try {
    if (!('first' in opened)) return await read(fileReader(opened));
    return await read(clusterReader(opened, await readSnapshot(opened.first)));
  } finally {
    await opened.close();
  }
}

interface ComparedStores {
  readonly series: number;
  readonly points: number;
}

/** Compares all vintages of two stores bit by bit. @throws StoreError that names the first series that differs */
async function comparePoints(
  [from, to]: readonly [CopyReader, CopyReader],
  { total, signal, onProgress }: LongOperation & { total: number },
): Promise<ComparedStores> {
  const seriesOf = (store: CopyReader) => store.series(EVERY_SERIES, { signal })[Symbol.asyncIterator]();
  const [these, those] = [seriesOf(from), seriesOf(to)];
  let [series, points] = [0, 0];
  for (;;) {
    const [a, b] = await Promise.all([these.next(), those.next()]);
    const [left, right] = [a.done === true ? [] : a.value, b.done === true ? [] : b.value];
    requireSameSeries(left, right);
    if (left.length === 0) break;
    const [here, there] = await Promise.all([
      digestPoints(from, left, signal),
      digestPoints(to, right, signal),
    ]);
    if (here.text !== there.text || here.rows !== there.rows) {
      throw new StoreError(
        `in the copy, series ${left[0]!.handle} to ${left.at(-1)!.handle} differ from the original ` +
          `(${here.rows} points in the original, ${there.rows} in the copy); the copy was discarded: copy again`,
      );
    }
    series += left.length;
    points += here.rows;
    onProgress?.({ label: 'comparing the stores', done: Math.min(points, total), total, unit: 'rows' });
  }
  return { series, points };
}

const EVERY_SERIES: SeriesPlan = { selection: {} };

function requireSameSeries(left: readonly StoredSeries[], right: readonly StoredSeries[]): void {
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [a, b] = [left[i], right[i]].map((one) => {
      const { common: _, ...series } = one ?? {};
      return one === undefined ? 'none' : JSON.stringify(series, Object.keys(series).sort());
    });
    if (a !== b)
      throw new StoreError(`the copy differs from the original in a series: ${a} became ${b}; copy again`);
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

async function digestPoints(
  reader: CopyReader,
  series: readonly StoredSeries[],
  signal: AbortSignal | undefined,
): Promise<{ text: string; rows: number }> {
  const hashes = Array.from({ length: 9 }, () => createHash('sha256'));
  let rows = 0;
  for await (const columns of unpackLists(reader.points({ ...EVERY_POINT, series }, { signal }))) {
    addColumns(hashes, columns);
    rows += columns.length;
  }
  return { text: hashes.map((hash) => hash.digest('hex')).join(), rows };
}

/** Adds columns to the digest. Missing values and dates are stored as NaN and 0, so that they hash identically. */
function addColumns(hashes: readonly Hash[], columns: PointColumns): void {
  const { length, reporting_valid, metadata } = columns;
  const rows = Array.from({ length }, (_, row) => row);
  const parts = [
    columns.series,
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.unit_id,
    columns.reporting_date,
    columns.available_date!,
    Uint8Array.from(rows, (row) => Number(isValid(reporting_valid, row))),
    rows.map((row) => `${JSON.stringify(metadata?.[row] ?? null)}\n`).join(''),
  ];
  for (const [i, part] of parts.entries()) hashes[i]!.update(part);
}
