import type { DuckDBConnection } from '@duckdb/node-api';
import type { PointColumns } from '../../columns/point-columns.js';
import { REGION_LEVELS } from '../../model/entity.js';
import { StoreError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import type { Columns } from '../schema/columns.js';
import { ENTITY_TABLES } from '../schema/entity-tables.js';
import { OTHER_TABLES } from '../schema/tables.js';
import type { StoreTransaction } from '../store.js';
import { interruptOnAbort } from './engine/database.js';
import { writeNewFile } from './engine/drafts.js';
import { toStoreError } from './engine/errors.js';
import { canonicalPath } from './engine/files.js';
import { attach, confine, openDatabase } from './engine/open-database.js';
import { rawVector, validityBytes } from './engine/vectors.js';
import { NAMED_SCHEMA } from './schema.js';
import { beginTransaction } from './writing/transaction.js';

const LEVEL = `CASE region_level ${Object.entries(REGION_LEVELS)
  .map(([name, level]) => `WHEN '${name}' THEN ${level}`)
  .join(' ')} END`;

/** Queries for entities through the named views of a store, for tables that its version lacks. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  metric: 'SELECT DISTINCT metric_id AS id, metric AS name FROM series',
  item: 'SELECT DISTINCT item_id AS id, item AS name FROM series',
  region: `SELECT region_id AS id, region AS name, definition, ${LEVEL} AS level, latitude, longitude, historical FROM regions`,
  source: 'SELECT source_id AS id, source AS name, long_name, licence, citation, url FROM sources',
  unit: `SELECT unit_id AS id, name, name_plural, unit AS abbreviation, factor, base_offset, dimension FROM units`,
  containment: `SELECT 'regions' AS entity_type, unnest(belongs_to) AS parent, region_id AS child FROM regions`,
};

/** Tables that are copied unchanged. Frequencies are not among them, because every new store has them. */
const COPIED_TABLES: Readonly<Record<string, Columns>> = {
  ...Object.fromEntries(Object.values(ENTITY_TABLES).map(({ table, columns }) => [table, columns])),
  ...Object.fromEntries(
    (['containment', 'shape', 'stored_fetch'] as const).map((table) => [table, OTHER_TABLES[table]]),
  ),
};

/** The name under which the earlier store is attached. */
const EARLIER = 'earlier';

/** The columns of a vintage that every version has. */
const VINTAGE = `${SERIES_KEY_FIELDS.map((field) => `${field}::INTEGER AS ${field}`).join(', ')}, unit_id::INTEGER AS unit_id,
  epoch_ms(start_date) AS start_ms, epoch_ms(end_date) AS end_ms, epoch_ms(reporting_date) AS reporting_ms,
  epoch_ms(available_date) AS available_ms, value, metadata`;

/**
 * Copies a store of an earlier version into a new file of this version. Series and all vintages with their dates are
 * read through the named views. Entities, shapes and recorded fetches are copied if the earlier store has them. All
 * vintages are read back from both stores and compared before the copy becomes a store.
 * @throws StoreError when the store has no such views, or the copy differs
 */
export async function copyEarlierStore(
  from: string,
  to: string,
  operation: LongOperation,
): Promise<{ series: number; points: number }> {
  const like = canonicalPath(from);
  try {
    return await writeNewFile({ path: canonicalPath(to), to, name: 'the copy', like }, async (draft) => {
      const database = await openDatabase(draft, { readOnly: false, name: to });
      try {
        const connection = await database.connect();
        const stopWatching = interruptOnAbort(connection, operation.signal);
        await attach(connection, like, { as: EARLIER, readOnly: true });
        // Its views may be those of somebody else.
        await confine(connection);
        await copyEntities(connection, from);
        await copyVintages(
          connection,
          await beginTransaction(database, { isCopy: true, onEnd() {} }),
          operation,
        );
        const compared = await compare(connection, from);
        stopWatching();
        await connection.run(`DETACH ${EARLIER}`);
        connection.disconnectSync();
        return compared;
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, from, 'copying the store');
  }
}

async function copyEntities(connection: DuckDBConnection, from: string): Promise<void> {
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().flat().map(String);
  const views = await read(
    `SELECT view_name FROM duckdb_views() WHERE database_name = '${EARLIER}' AND schema_name = '${NAMED_SCHEMA}'`,
  );
  if (!views.includes('history') || !views.includes('series'))
    throw new StoreError(
      `${from} is too old to be copied: it has no views of names; import its files into a new store`,
    );
  for (const [table, defined] of Object.entries(COPIED_TABLES)) {
    const had = await read(
      `SELECT column_name FROM duckdb_columns() WHERE database_name = '${EARLIER}' AND schema_name = 'main' AND table_name = '${table}'`,
    );
    const columns = Object.keys(defined);
    const isTable = columns.slice(0, 2).every((name) => had.includes(name));
    const named = NAMED_ENTITIES[table];
    if (!isTable && named === undefined) continue;
    await connection.run(`USE ${EARLIER}.${isTable ? 'main' : NAMED_SCHEMA}`);
    const rows = isTable ? `main.${table}` : `(${named})`;
    const kept = isTable ? had : await read(`SELECT column_name FROM (DESCRIBE ${named})`);
    const values = columns.map((name) => {
      const value = kept.includes(name) ? name : 'NULL';
      return name === 'aliases' ? `coalesce(${value}, '[]')` : value;
    });
    await connection.run(`DELETE FROM store.main.${table}`);
    await connection.run(
      `INSERT INTO store.main.${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${rows}`,
    );
  }
}

/** Imports all vintages, and the import dates of their sources. */
async function copyVintages(
  connection: DuckDBConnection,
  transaction: StoreTransaction,
  { signal, onProgress }: LongOperation,
): Promise<void> {
  try {
    await connection.run(`USE ${EARLIER}.${NAMED_SCHEMA}`);
    const imports = await connection.runAndReadAll(
      'SELECT source_id, dataset, epoch_ms(imported)::DOUBLE FROM sources WHERE dataset IS NOT NULL AND imported IS NOT NULL',
    );
    for (const [sourceId, dataset, importedMs] of imports.getRows())
      await transaction.record({
        imported: { dataset: String(dataset), sourceIds: [Number(sourceId)], importedMs: Number(importedMs) },
      });
    const [[total] = []] = (await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM history')).getRows();
    let done = 0;
    const vintages = await connection.stream(
      `SELECT ${VINTAGE} FROM history ORDER BY series, start_ms, end_ms`,
    );
    for (;;) {
      const chunk = await vintages.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      signal?.throwIfAborted();
      await transaction.putPoints(pointsOf(chunk));
      done += chunk.rowCount;
      onProgress?.({ label: 'copying points', done, total: Number(total), unit: 'rows' });
    }
    await transaction.commit({ signal, onProgress });
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

type Chunk = Parameters<typeof rawVector>[0];

/** Converts a chunk of `VINTAGE` rows to points. */
function pointsOf(chunk: Chunk): Parameters<StoreTransaction['putPoints']>[0] {
  const length = chunk.rowCount;
  const integers = (at: number) => rawVector<Int32Array>(chunk, at).items.slice(0, length);
  const dates = (at: number) => rawVector<BigInt64Array>(chunk, at).items.slice(0, length);
  const valid = (at: number) => validityBytes(rawVector(chunk, at))?.slice() ?? null;
  const keys = SERIES_KEY_FIELDS.map((_, at) => integers(at));
  const numbers = new Map<string, number>();
  const series: SeriesKey[] = [];
  const numberOf = (row: number): number => {
    const key = keys.map((ids) => ids[row]!);
    const text = key.join();
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, series.length);
    return (
      series.push(Object.fromEntries(SERIES_KEY_FIELDS.map((field, at) => [field, key[at]])) as never) - 1
    );
  };
  const first = SERIES_KEY_FIELDS.length;
  const columns: PointColumns & { available_date: BigInt64Array } = {
    length,
    series: Uint32Array.from({ length }, (_, row) => numberOf(row)),
    unit_id: integers(first),
    start_date: dates(first + 1),
    end_date: dates(first + 2),
    reporting_date: dates(first + 3),
    reporting_valid: valid(first + 3),
    available_date: dates(first + 4),
    value: rawVector<Float64Array>(chunk, first + 5).items.slice(0, length),
    value_valid: valid(first + 5),
    metadata: chunk.getColumnValues(first + 6) as (string | null)[],
  };
  return { series, columns };
}

/** Compares all vintages of both stores. @returns the number of vintages */
async function compare(
  connection: DuckDBConnection,
  from: string,
): Promise<{ series: number; points: number }> {
  const digest = `SELECT count(*)::DOUBLE AS points, sum(hash(vintage)::HUGEINT)::VARCHAR AS digest,
    (SELECT count(*) FROM (SELECT DISTINCT ${SERIES_KEY_FIELDS.join(', ')} FROM history))::DOUBLE AS series
    FROM (SELECT ${VINTAGE} FROM history) AS vintage`;
  const found = [];
  for (const database of [EARLIER, 'store']) {
    await connection.run(`USE ${database}.${NAMED_SCHEMA}`);
    found.push((await connection.runAndReadAll(digest)).getRowObjects()[0]!);
  }
  const [before, after] = found;
  if (before!.digest !== after!.digest || before!.points !== after!.points)
    throw new StoreError(
      `the copy of ${from} differs: it has ${after!.points} of ${before!.points} vintages, or other values; no store was written`,
    );
  return { series: Number(after!.series), points: Number(after!.points) };
}
