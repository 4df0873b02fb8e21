import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { SeriesKey } from '../../../model/series.js';
import type { NewRows, ReadRows, ValueCheck } from '../../store.js';
import { BIGINT, DOUBLE, INTEGER, type TableColumns } from '../engine/library.js';
import { STAGING } from '../point-tables.js';
import { rowsInTurns, runAll } from '../writing/ranges.js';
import { REJECTED_ROWS } from './resolve-dimensions.js';
import { stageRows } from './stage-rows.js';

interface CheckedTable {
  readonly table: string;
  readonly points: (table: string) => string;
  readonly keyOf: (code: number) => SeriesKey;
}

/**
 * Applies `NewRows.check` to the staged points of a text file. Values that stand for missing ones become null. Rows
 * with a rejected value are deleted, and added to `REJECTED_ROWS`. The table `raw` must still exist.
 * @returns the rejected rows, or null if there is no check or all values are within their bounds
 */
export async function checkValues(
  connection: DuckDBConnection,
  { check, numbers }: Pick<NewRows, 'check' | 'numbers'>,
  { table, points, keyOf }: CheckedTable,
): Promise<ReadRows['rejected'] | null> {
  if (check === undefined) return null;
  const measures = new Map<string, Measure>();
  const bounded: DuckDBValue[][] = [];
  const ranges = `SELECT series::DOUBLE, unit_id, lowest, highest FROM ${STAGING}.${table}_summary WHERE figures > 0`;
  for await (const found of rowsInTurns<[number, number, number, number]>(connection, ranges))
    for (const [series, unit_id, lowest, highest] of found) {
      const { metric_id } = keyOf(series);
      const key = `${metric_id} ${unit_id}`;
      if (!measures.has(key))
        measures.set(key, { ...check.boundsOf(metric_id, unit_id), metric_id, unit_id, at: measures.size });
      const { min, max, at } = measures.get(key)!;
      if (lowest < min || highest > max) bounded.push([BigInt(series), unit_id, min, max, at]);
    }
  if (bounded.length === 0) return null;
  await stageRows(connection, 'bounded', { columns: BOUNDED_COLUMNS, rows: bounded });
  const raw = `[${numbers.map((_, i) => `raw.v${i}`).join(', ')}]`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE beyond AS
    SELECT staged_row, line, value_column, coalesce(${raw}[value_column + 1], value) AS number, value, measure
    FROM (${points(`${STAGING}.${table}`)}) AS point
    JOIN temp.bounded USING (series, unit_id) JOIN temp.raw ON raw.rowid = line
    WHERE value < min OR value > max`);
  const listed = [...measures.values()];
  const reasons: string[] = [];
  const judged: (number | null)[][] = [];
  const distinct = `SELECT ${JUDGED} FROM beyond GROUP BY ALL ORDER BY min(line)`;
  for await (const found of rowsInTurns<[number, number, number, number]>(connection, distinct))
    for (const [column, number, value, measure] of found) {
      const reason = check.judge({ column, number, value, ...listed[measure]! });
      judged.push([column, number, value, measure, reason === null ? null : reasons.push(reason) - 1]);
    }
  await stageRows(connection, 'judged', { columns: JUDGED_COLUMNS, rows: judged });
  const verdicts = `FROM beyond JOIN temp.judged USING (${JUDGED})`;
  const read = await runAll(connection, [
    `UPDATE ${STAGING}.${table} SET value = NULL
     WHERE rowid IN (SELECT staged_row ${verdicts} WHERE reason IS NULL)`,
    `DELETE FROM ${STAGING}.${table} WHERE line IN (SELECT line ${verdicts} WHERE reason IS NOT NULL)`,
    `INSERT INTO ${REJECTED_ROWS}
     SELECT line, arg_min(reason, value_column) ${verdicts} WHERE reason IS NOT NULL GROUP BY line
     RETURNING row::DOUBLE, reason`,
  ]);
  const rows = (await read.getRows()) as [number, number][];
  return rows.map(([row, reason]) => ({ row, reason: reasons[reason]! }));
}

interface Measure extends ReturnType<ValueCheck['boundsOf']> {
  readonly metric_id: number;
  readonly unit_id: number;
  /** The measure's index. */
  readonly at: number;
}

const JUDGED = 'value_column, number, value, measure';

const JUDGED_COLUMNS: TableColumns = [
  ['value_column', INTEGER],
  ['number', DOUBLE],
  ['value', DOUBLE],
  ['measure', INTEGER],
  ['reason', INTEGER],
];

const BOUNDED_COLUMNS: TableColumns = [
  ['series', BIGINT],
  ['unit_id', INTEGER],
  ['min', DOUBLE],
  ['max', DOUBLE],
  ['measure', INTEGER],
];
