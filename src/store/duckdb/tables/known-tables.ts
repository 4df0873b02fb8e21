import type { Database } from '../engine/database.js';
import { type PointTable, READ_POINT_TABLES } from '../point-tables.js';

const known = new WeakMap<object, Promise<PointTable[]>>();

/** The tables of latest vintages of a store whose content is `snapshot`. */
export function tablesOf(database: Database, snapshot: object): Promise<PointTable[]> {
  let tables = known.get(snapshot);
  if (tables === undefined) {
    tables = readTables(database);
    known.set(snapshot, tables);
    tables.catch(() => known.delete(snapshot));
  }
  return tables;
}

/** The tables of latest vintages, by ascending handle. */
export async function readTables(database: Database): Promise<PointTable[]> {
  return (await database.rows(READ_POINT_TABLES)) as unknown as PointTable[];
}
