import type { DuckDBConnection } from '@duckdb/node-api';
import type { NewRows, ReadRows } from '../../store.js';
import { DOUBLE, INTEGER, type TableColumns } from '../engine/library.js';
import { STAGING } from '../point-tables.js';
import { rowsInTurns, runAll } from '../writing/ranges.js';
import { REJECTED_ROWS } from './resolve-dimensions.js';
import { stageRows } from './stage-rows.js';

interface CheckedTable {
  readonly table: string;
  readonly points: (table: string) => string;
}

/**
 * Applies `NewRows.check` to the staged points of a text file. Values that stand for missing ones become null. Rows
 * with a rejected value are deleted, and added to `REJECTED_ROWS`. The table `raw` must still exist.
 * @returns the rejected rows, or null if there is no check or all values are within their bounds
 */
export async function checkValues(
  connection: DuckDBConnection,
  { check, numbers }: Pick<NewRows, 'check' | 'numbers'>,
  { table, points }: CheckedTable,
): Promise<ReadRows['rejected'] | null> {
  if (check === undefined) return null;
  const summary = `${STAGING}.${table}_summary JOIN ${STAGING}.${table}_series ON number = series`;
  const ranges = await connection.runAndReadAll(
    `SELECT metric_id, unit_id, min(lowest), max(highest) FROM ${summary} WHERE figures > 0 GROUP BY ALL`,
  );
  const bounded = (ranges.getRows() as [number, number, number, number][]).flatMap(
    ([metric_id, unit_id, lowest, highest]) => {
      const { min, max } = check.boundsOf(metric_id, unit_id);
      return lowest < min || highest > max ? [{ metric_id, unit_id, min, max }] : [];
    },
  );
  if (bounded.length === 0) return null;
  const bounds = bounded.map(
    ({ metric_id, unit_id, min, max }, i) =>
      `(${metric_id}, ${unit_id}, '${min}'::DOUBLE, '${max}'::DOUBLE, ${i})`,
  );
  const raw = `[${numbers.map((_, i) => `raw.v${i}`).join(', ')}]`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE beyond AS
    SELECT staged_row, line, value_column, coalesce(${raw}[value_column + 1], value) AS number, value, measure
    FROM (${points(`${STAGING}.${table}`)}) AS point
    JOIN (SELECT series, unit_id, min, max, measure FROM ${summary}
      JOIN (VALUES ${bounds.join(', ')}) AS bounds(metric_id, unit_id, min, max, measure) USING (metric_id, unit_id)
      WHERE lowest < min OR highest > max) AS bounded USING (series, unit_id)
    JOIN temp.raw ON raw.rowid = line WHERE value < min OR value > max`);
  const reasons: string[] = [];
  const judged: (number | null)[][] = [];
  const distinct = `SELECT ${JUDGED} FROM beyond GROUP BY ALL ORDER BY min(line)`;
  for await (const found of rowsInTurns<[number, number, number, number]>(connection, distinct))
    for (const [column, number, value, measure] of found) {
      const { metric_id, unit_id } = bounded[measure]!;
      const reason = check.judge({ column, number, value, metric_id, unit_id });
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

const JUDGED = 'value_column, number, value, measure';

const JUDGED_COLUMNS: TableColumns = [
  ['value_column', INTEGER],
  ['number', DOUBLE],
  ['value', DOUBLE],
  ['measure', INTEGER],
  ['reason', INTEGER],
];
