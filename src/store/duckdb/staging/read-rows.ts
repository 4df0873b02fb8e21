import type { DuckDBConnection } from '@duckdb/node-api';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../model/series.js';
import type { NewRows, PutRowsOptions, ReadPoint, ReadRows, RowDimension } from '../../store.js';
import { turns } from '../../turns.js';
import { engineColumns } from '../engine/library.js';
import { END_MS, STAGING, START_MS, summarizeStaged } from '../point-tables.js';
import { readNumbers, rowsInTurns, runAll } from '../writing/ranges.js';
import { readRaw } from './raw-rows.js';
import {
  cellsSql,
  REJECTED_ROWS,
  type ResolvedDimension,
  resolveDimensions,
  soundRows,
} from './resolve-dimensions.js';
import { stagePoints } from './stage-points.js';
import { stageRows } from './stage-rows.js';

/**
 * Reads a text file into the view `table` of points in `STAGING`, sorted by series and start. The engine parses the
 * file, JavaScript resolves its distinct strings, and one statement joins the results to the rows. The tables
 * `<table>_series` and `<table>_summary` list and summarize the series. Nothing is created if the file is damaged or
 * if too many rows are rejected.
 */
export async function readRows(
  connection: DuckDBConnection,
  rows: NewRows,
  { table, mayReject }: { table: string } & Pick<PutRowsOptions, 'mayReject'>,
): Promise<ReadRows> {
  const { columns, numbers } = rows;
  const raw = await readRaw(connection, rows, [otherFields(columns), ...rows.dimensions]);
  const { broken, count } = raw;
  const nothing = { units: [], series: [], sample: async () => [] };
  const statements = [raw.statement];
  if (raw.isDamaged) return { rows: 0, broken: 0, rejected: [], notRead: new Map(), statements, ...nothing };
  const all = { rows: count + broken, broken };
  const most = mayReject?.(all.rows) ?? Number.POSITIVE_INFINITY;
  const resolved = await resolveDimensions(connection, raw.dimensions, { width: numbers.length, most });
  const { dimensions, isEnded, countNotRead } = resolved;
  if (isEnded) {
    const { rejected } = resolved;
    return { ...all, rejected, notRead: await countNotRead(), statements, ...nothing, isEnded };
  }
  const marks = await countMarks(connection, rows, dimensions);
  const { statement, idJoins, literals } = await stagePoints(connection, rows, { table, dimensions });
  statements.push(statement);
  const staged = `${STAGING}.${table}`;
  const ids = SERIES_KEY_FIELDS.join(', ');
  const summarize = [
    summarizeStaged(table, literals),
    `CREATE OR REPLACE TABLE ${staged}_series AS
     SELECT number, ${ids} FROM (SELECT DISTINCT series AS number FROM ${staged}_summary) ${idJoins} ORDER BY number`,
  ];
  await runAll(connection, summarize);
  const beyond = await checkValues(connection, rows, staged);
  const rejected = [...resolved.rejected, ...(beyond ?? [])].sort((a, b) => a.row - b.row);
  const notRead = await countNotRead();
  const counted = await runAll(connection, [
    ...(beyond === null ? [] : summarize),
    'DROP TABLE temp.raw',
    ...dimensions.flatMap(({ name }) => [
      `DROP TABLE IF EXISTS temp.row_${name}`,
      `DROP TABLE IF EXISTS temp.${name}_fault`,
    ]),
    `SELECT unit_id, sum(points)::DOUBLE AS points, min(first_start)::DOUBLE AS "startMs",
       max(last_end)::DOUBLE AS "endMs"
     FROM ${staged}_summary GROUP BY unit_id ORDER BY min(first_line)`,
  ]);
  const units = (await counted.getRowObjects()) as unknown as ReadRows['units'];
  const listed = await connection.run(`SELECT ${ids} FROM ${staged}_series ORDER BY number`);
  const series: SeriesKey[] = [];
  for await (const found of listed.yieldRowObjects()) {
    await turns.next();
    series.push(...(found as unknown as SeriesKey[]));
  }
  const sample = async (limit: number): Promise<ReadPoint[]> => {
    const read = await connection.runAndReadAll(`SELECT ${ids}, ${START_MS}::DOUBLE AS "startMs",
      ${END_MS}::DOUBLE AS "endMs", value, unit_id, epoch_ms(reporting_date)::DOUBLE AS "reportingMs",
      epoch_ms(available_date)::DOUBLE AS "availableMs", metadata
      FROM ${staged} JOIN ${staged}_series ON number = series ORDER BY line, series, value LIMIT ${limit}`);
    return read.getRowObjects() as unknown as ReadPoint[];
  };
  return { ...all, rejected, notRead, marks, units, series, statements, sample };
}

const otherFields = (columns: number): RowDimension => ({
  name: 'other_fields',
  of: { texts: [], where: `c${columns - 1} IS NULL OR c${columns} IS NOT NULL` },
  resolve: () => ({ rejected: 'the row has the wrong number of fields' }),
});

const MAX_MARKS = 100;
/** The relative distance within which a value counts as near a number. */
const NEIGHBOURHOOD = 0.05;

async function countMarks(
  connection: DuckDBConnection,
  { marks = [], numbers }: NewRows,
  dimensions: readonly ResolvedDimension[],
): Promise<ReadRows['marks']> {
  if (marks.length === 0) return [];
  const rows = soundRows(dimensions.filter(({ hasFaults }) => hasFaults));
  const listed = `(SELECT DISTINCT unnest(['${marks.join("', '")}']::DOUBLE[]) AS mark)`;
  const columns = numbers.map((_, i) => `raw.v${i}`);
  const unnested = [{ name: 'number', columns }];
  const cells = cellsSql({ from: rows, columns: [], unnested, width: numbers.length });
  const read = await connection.runAndReadAll(`
    SELECT value_column, mark, count(*)::DOUBLE, min(number), max(number)
    FROM (${cells}) AS cells LEFT JOIN ${listed} AS listed ON mark = number GROUP BY value_column, mark
    ORDER BY value_column, mark NULLS FIRST`);
  const counted = read.getRows() as [value: number, mark: number | null, ...(number | null)[]][];
  const others = new Map(counted.flatMap(([value, mark, ...all]) => (mark === null ? [[value, all]] : [])));
  const found = counted.filter(([, mark]) => mark !== null).slice(0, MAX_MARKS) as [number, number, number][];
  if (found.length === 0) return [];
  // A limit ends the search after a few rows, unless few other values are near the number.
  const searches = found.map(([value, number, count]) => {
    const distance = NEIGHBOURHOOD * Math.abs(number);
    return `(SELECT count(*)::DOUBLE FROM (SELECT 1 FROM ${rows} WHERE v${value} <> ${number}
      AND v${value} BETWEEN ${number - distance} AND ${number + distance} LIMIT ${count}))`;
  });
  const near = await readNumbers(connection, `SELECT ${searches.join(', ')}`);
  return found.map(([value, number, count], i) => {
    const [, min = null, max = null] = others.get(value) ?? [];
    return { value, number, count, near: near[i]!, min, max };
  });
}

/**
 * Applies `NewRows.check` to the points in the view `staged`. Values that stand for missing values become null. Rows
 * with a rejected value are deleted, and added to `REJECTED_ROWS`. The table `raw` must still exist.
 * @returns the rejected rows, or null if there is no check or all values are within their bounds
 */
async function checkValues(
  connection: DuckDBConnection,
  { check, numbers }: Pick<NewRows, 'check' | 'numbers'>,
  staged: string,
): Promise<ReadRows['rejected'] | null> {
  if (check === undefined) return null;
  const summary = `${staged}_summary JOIN ${staged}_series ON number = series`;
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
    FROM ${staged} AS point
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
    `UPDATE ${staged}_rows SET value = NULL
     WHERE rowid IN (SELECT staged_row ${verdicts} WHERE reason IS NULL)`,
    `DELETE FROM ${staged}_rows WHERE line IN (SELECT line ${verdicts} WHERE reason IS NOT NULL)`,
    `INSERT INTO ${REJECTED_ROWS}
     SELECT line, arg_min(reason, value_column) ${verdicts} WHERE reason IS NOT NULL GROUP BY line
     RETURNING row::DOUBLE, reason`,
  ]);
  const rows = (await read.getRows()) as [number, number][];
  return rows.map(([row, reason]) => ({ row, reason: reasons[reason]! }));
}

const JUDGED = 'value_column, number, value, measure';

const JUDGED_COLUMNS = engineColumns({
  value_column: 'integer',
  number: 'number',
  value: 'number',
  measure: 'integer',
  reason: 'integer',
});
