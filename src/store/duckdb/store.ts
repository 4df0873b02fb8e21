import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { runUnderSignals } from '../../model/linked-abort.js';
import { openAccess } from '../access.js';
import { oneImport } from '../one-import.js';
import type { CountedVintages, Sum, SumPlan, VintagePlan } from '../plan.js';
import type { EngineTables } from '../queries/engine-tables.js';
import { entityOperations } from '../queries/entities.js';
import { addVintages, readFacets } from '../queries/facets.js';
import { dateConditions, seriesCondition, seriesOperations } from '../queries/series.js';
import { addParts, type SumPart, sumParts } from '../queries/sums.js';
import type { KeptData, ReadOptions, Store, StoreBackup } from '../store.js';
import { temporaryName } from '../temporary-files.js';
import { writeBackup } from './backup/backup.js';
import type { Database } from './engine/database.js';
import { keepAccess } from './engine/drafts.js';
import { closedError } from './engine/errors.js';
import { type OpenDatabaseOptions, openDatabase } from './engine/open-database.js';
import { timeLiteral } from './engine/sql-values.js';
import { HISTORY_POINTS, LATEST_POINTS } from './point-tables.js';
import { findFaults } from './reading/faults.js';
import { databaseTables, handleConditions, pointsOf } from './reading/points.js';
import { NAMED_SCHEMA } from './schema.js';
import { beginTransaction } from './writing/transaction.js';

export interface AskedStore extends Store {
  /** Opens a connection for users' queries in the schema of the views that show names. The caller must close it. */
  connectToAsk(): Promise<DuckDBConnection>;
}

export const canAsk = (store: Store): store is AskedStore => 'connectToAsk' in store;

async function connectToAsk(database: Database): Promise<DuckDBConnection> {
  if (!database.isConfined)
    throw new StoreError(`${database.location} was not opened for SQL queries; open it with openEmbedded`);
  const connection = await database.connect();
  await connection.run(`USE store.${NAMED_SCHEMA}`);
  return connection;
}

/** A query that lists the names of the views, columns and macros that users can query. */
export const ASKED_NAMES = `SELECT name FROM (
    SELECT view_name AS name FROM duckdb_views() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT function_name FROM duckdb_functions() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT column_name FROM duckdb_columns() WHERE schema_name = '${NAMED_SCHEMA}') ORDER BY name`;

async function readSums(
  tables: EngineTables,
  { selection, ...dates }: SumPlan,
  options?: ReadOptions,
): Promise<Sum[]> {
  const fields = 'metric_id, item_id, region_id, source_id, frequency_id';
  const selected = tables.from('series', seriesCondition(tables, { selection }));
  const values = `(SELECT ${fields}, point.unit_id, value
    FROM ${LATEST_POINTS} AS point JOIN (SELECT handle, ${fields} FROM ${selected}) ON handle = point.series
    WHERE ${['value IS NOT NULL', ...dateConditions(dates, timeLiteral)].join(' AND ')})`;
  const parts = await tables.rows(sumParts(`${fields}, unit_id`, values), options);
  return addParts(parts as unknown as SumPart[]);
}

async function readVintages(
  tables: EngineTables,
  { series, limit }: VintagePlan,
  options?: ReadOptions,
): Promise<CountedVintages> {
  const counted = [LATEST_POINTS, HISTORY_POINTS].flatMap((table) =>
    handleConditions(series).map(
      (handles) => `
      SELECT kind::DOUBLE AS kind, ms::DOUBLE AS ms, points::DOUBLE AS points FROM (
        SELECT grouping(available_date) AS kind, epoch_ms(coalesce(available_date, reporting_date)) AS ms,
          count(*) AS points
        FROM ${table} WHERE ${handles} GROUP BY GROUPING SETS ((available_date), (reporting_date)))
      WHERE ms IS NOT NULL`,
    ),
  );
  const rows = counted.length === 0 ? [] : await tables.rows(counted.join(' UNION ALL '), options);
  return addVintages(rows, limit);
}

/** Opens a store. @throws StoreError if the file is not a store, has a different schema version, or is in use */
export async function openDuckdbStore(
  location: string,
  options: Pick<OpenDatabaseOptions, 'readOnly' | 'isConfined'>,
): Promise<AskedStore> {
  const database = await openDatabase(location, options);
  const tables = databaseTables(database);
  const imports = oneImport(database, (onEnd) => beginTransaction(database, { onEnd }));
  // No other process can write while the file is open, so only a commit by this process changes the version.
  let version: { readonly snapshot: object; readonly id: Promise<string> } | null = null;
  const closing = new AbortController();
  const backups = new Set<Promise<StoreBackup>>();

  return {
    engine: 'duckdb',
    access: openAccess(database.location),
    kept: database.location === ':memory:' ? KEEPS_NOTHING : openKept(database.location),
    version() {
      const { snapshot } = database;
      if (snapshot !== null && version?.snapshot === snapshot) return version.id;
      const id = database.rows('SELECT store_id FROM meta').then(([row]) => String(row!.store_id));
      version = snapshot && { snapshot, id };
      id.catch(() => {
        version = null;
      });
      return id;
    },
    connectToAsk: () => connectToAsk(database),
    ...entityOperations(async () => tables),
    ...seriesOperations(async () => tables),
    facets: (plan, options) => readFacets(tables, plan, options),
    vintages: (plan, options) => readVintages(tables, plan, options),
    points: pointsOf(database),
    sums: (plan, options) => readSums(tables, plan, options),
    begin: imports.begin,
    findFaults: (options) => findFaults(database, options),
    async backup(to, { signal, onProgress } = {}) {
      const backup = runUnderSignals([signal, closing.signal], (ending) =>
        writeBackup(database, to, { signal: ending.signal, onProgress }),
      );
      backups.add(backup);
      return backup.finally(() => backups.delete(backup));
    },
    async close() {
      closing.abort(closedError());
      await Promise.allSettled(backups);
      await imports.end().finally(() => database.close());
    },
  };
}

/** Opens derived data kept in files next to the store, each with a checksum. Unreadable and damaged files count as missing. */
function openKept(location: string): KeptData {
  const pathOf = (name: string) => `${location}.${name}`;
  return {
    async read(name) {
      const file = await readFile(pathOf(name)).catch(() => null);
      const bytes = file?.subarray(CHECKSUM_BYTES) ?? null;
      return bytes !== null && checksumOf(bytes).equals(file!.subarray(0, CHECKSUM_BYTES)) ? bytes : null;
    },
    async write(name, bytes) {
      const draft = `${pathOf(name)}.${temporaryName()}`;
      try {
        await writeFile(draft, [checksumOf(bytes), bytes], { flag: 'wx', mode: 0o600 });
        keepAccess(draft, location);
        await rename(draft, pathOf(name));
      } catch {
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}

/** Returns a checksum of eight hexadecimal digits. */
const checksumOf = (bytes: Uint8Array) =>
  Buffer.from(crc32(bytes).toString(16).padStart(CHECKSUM_BYTES, '0'));
const CHECKSUM_BYTES = 8;

const KEEPS_NOTHING: KeptData = { read: async () => null, write: async () => {} };
