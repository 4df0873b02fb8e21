import type { PointHistory } from '../plan.js';
import { type NamedTables, namedViews, namedVintages } from '../queries/named-views.js';
import { type ClickHouseAddress, namedDatabase } from './engine/address.js';
import { NO_REPORTING_DATE, vintageSql } from './reading/point-sql.js';
import { columnsOf } from './tables.js';

const toDate = (column: string) => `fromUnixTimestamp64Milli(${column}, 'UTC')`;

/** The columns of tables as tools read them: a text that is not null stays '' in a row that a LEFT JOIN does not find. */
const SHOWN: Readonly<Record<string, string>> = {
  name: 'toNullable(name)',
  start_date: toDate('start_date'),
  end_date: toDate('end_date'),
  value: 'if(isNaN(value), NULL, value)',
  reporting_date: `if(reporting_date = ${NO_REPORTING_DATE}, NULL, ${toDate('reporting_date')})`,
  available_date: toDate('available_date'),
  metadata: `nullIf(metadata, '')`,
  dataset: 'toNullable(dataset)',
  imported: `toNullable(${toDate('toInt64(imported)')})`,
};

/** The rows of a query of a table, as tools read them. An alias would hide its column within the query. */
const shown = (table: string, query: string) =>
  `(SELECT ${columnsOf(table)
    .map((name) => (name in SHOWN ? `${SHOWN[name]} AS ${name}` : name))
    .join(', ')} FROM (${query}))`;

/**
 * The committed imports: the latest one, and the uncommitted numbers before it. A query reads it once for all its
 * tables.
 */
const committed = (
  database: string,
) => `(SELECT (maxIf(import, is_committed), groupArrayIf(import, NOT is_committed))
  FROM (SELECT import, countIf(state = 'committed') > 0 AS is_committed FROM ${database}.import_log GROUP BY import))`;

/** As `imported` and `visible` of a snapshot say it. */
const imported = (database: string) =>
  `import <= ${committed(database)}.1 AND NOT has(${committed(database)}.2, import)`;
const visible = (database: string) =>
  `${imported(database)} AND (gone > ${committed(database)}.1 OR has(${committed(database)}.2, gone))`;

/** The database of a store, and the cluster of its servers when there are several. */
type Place = Pick<ClickHouseAddress, 'database' | 'hosts' | 'cluster'>;

/** The statements that create the views on the first server, or replace them. */
export function namedViewStatements({ database, hosts, cluster }: Place): string[] {
  const named = namedDatabase(database);
  const points = hosts.length === 1 ? `${database}.point` : `cluster('${cluster}', ${database}.point)`;
  const table = (name: string) => shown(name, `SELECT * FROM ${database}.${name} WHERE ${visible(database)}`);
  const vintages = (history: PointHistory, where: string) =>
    shown('point', vintageSql(history, where, points));
  const tables: NamedTables = {
    table,
    series: table('series'),
    latest: shown('point', `SELECT * FROM ${points} WHERE ${visible(database)}`),
    vintages: vintages('complete', imported(database)),
    imports: table('source_import'),
    list: (column) => `arraySort(groupArray(${column}))`,
  };
  const date = `toUnixTimestamp64Milli(parseDateTime64BestEffort({date:String}, 3, 'UTC'))`;
  const asOf = vintages('latest', `${imported(database)} AND available_date <= ${date}`);
  const views = { ...namedViews(tables), as_of: namedVintages(tables, asOf) };
  return [
    `CREATE DATABASE IF NOT EXISTS ${named} ENGINE = Atomic`,
    ...Object.entries(views).map(([name, sql]) => `CREATE OR REPLACE VIEW ${named}.${name} AS ${sql}`),
  ];
}
