import type { EngineTables } from '../../queries/engine-tables.js';
import type { Database } from '../engine/database.js';
import { PARTS } from '../engine/sql-values.js';
import { rawVector } from '../engine/vectors.js';
import { type PointTable, READ_POINT_TABLES } from '../point-tables.js';

/** The tables of a file. */
export function databaseTables(database: Database): EngineTables {
  return {
    get snapshot() {
      return database.snapshot;
    },
    ...PARTS,
    rows: (sql, options) => database.rows(sql, options),
    async *numbers(sql, options) {
      for await (const chunk of database.chunks(sql, options)) {
        // The memory of a chunk is gone when nothing refers to the chunk any more.
        const columns = Array.from({ length: chunk.columnCount }, (_, at) =>
          rawVector<Int32Array | Float64Array>(chunk, at).items.slice(),
        );
        yield { length: chunk.rowCount, columns };
      }
    },
  };
}

const tablesBySnapshot = new WeakMap<object, Promise<PointTable[]>>();

/** The tables of latest vintages of a store whose content is `snapshot`. */
export function tablesOf(database: Database, snapshot: object): Promise<PointTable[]> {
  let tables = tablesBySnapshot.get(snapshot);
  if (tables === undefined) {
    tables = readTables(database);
    tablesBySnapshot.set(snapshot, tables);
    tables.catch(() => tablesBySnapshot.delete(snapshot));
  }
  return tables;
}

/** The tables of latest vintages, by ascending handle. */
export async function readTables(database: Database): Promise<PointTable[]> {
  return (await database.rows(READ_POINT_TABLES)) as unknown as PointTable[];
}
