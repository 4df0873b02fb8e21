import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import { formatTime } from '../../../model/time.js';
import { LAYOUT } from '../../schema/tables.js';
import {
  DATED_COLUMNS,
  dateFromMs,
  END_MS,
  FIGURE_COLUMNS,
  HISTORY_POINTS,
  HISTORY_TABLE,
  IS_BACKWARDS,
  LATEST_POINTS,
  LATEST_TABLE,
  PACK_DATES,
  PACKED_DDL,
  PACKED_PERIOD,
  STAGED,
  STAGING,
  START_MS,
  SUMMARIZE,
  SUMMARY_COLUMNS,
  summarizeByUnit,
} from '../point-tables.js';
import { inRange, type PlannedRange, planRanges, readNumbers, runAll, type SeriesRange } from './ranges.js';
import type { SettledImport } from './settle.js';

const PACK_POINT = `series, ${PACK_DATES}, ${FIGURE_COLUMNS}`;

/**
 * The latest points are sorted if more than this number of rows and more than `MAX_UNSORTED_SHARE` of all rows are out
 * of order. Sorting takes seconds, and reads were not slower with 960,000 of 20 million rows out of order.
 */
const MAX_UNSORTED_ROWS = 100_000;
const MAX_UNSORTED_SHARE = 0.1;

/**
 * Merges an import's points into the store's points within the open transaction, one range of handles at a time.
 * `mergeVintages` and `chooseRevisions` in `test/store/conformance/revision-rules.ts` define which vintages are new,
 * and which vintage is the latest. New series get the next handles, in `LAYOUT` order. Handles never change. New rows
 * are appended in sorted runs, so new rows of existing series are out of order.
 * @returns counts, and the first handle for new series (null if there are no points)
 */
export async function mergePoints(
  imported: SettledImport,
  { signal, onProgress }: LongOperation,
): Promise<Omit<ImportCounts, 'entities'> & { newFrom: number | null }> {
  const { connection, settled } = imported;
  const total = settled.points + settled.nulls;
  const counts = { added: 0, revised: 0, unchanged: total, series: 0 };
  if (total === 0) return { ...counts, newFrom: null };
  let done = 0;
  const [newFrom, shift, maxShift] = await readNumbers(
    connection,
    assignHandles('series', NEXT_HANDLE),
    READ_HANDLES,
  );
  const batches = await planRanges(connection, newFrom!);
  for (const batch of batches) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const range = { ...batch, shift: shift === maxShift ? shift! : null };
    const changed = await mergeBatch(range, imported, { areNew: batch.first >= newFrom! });
    counts.added += changed.added;
    counts.revised += changed.added - changed.newPeriods;
    counts.series += changed.series;
    done += batch.rows;
  }
  await sortIfNeeded(connection, signal);
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  return { ...counts, unchanged: total - counts.added, newFrom: newFrom! };
}

/** Throws a StoreError with the series and dates of a staged point that ends before it starts. */
export async function refuseBackwards(connection: DuckDBConnection): Promise<void> {
  const backwards = `SELECT series::DOUBLE, ${START_MS}::DOUBLE, ${END_MS}::DOUBLE FROM ${STAGED} WHERE ${IS_BACKWARDS}`;
  const [series, startMs, endMs] = await readNumbers(connection, `${backwards} LIMIT 1`);
  throw new StoreError(
    `a point in the import's series ${series} starts on ${formatTime(startMs!)} but ends earlier, on ` +
      `${formatTime(endMs!)}; correct its dates`,
  );
}

/** Ranges with more rows are inserted in staged order, if possible. Sorting smaller ranges takes almost no time. */
const MIN_ORDERED_ROWS = 200_000;

/** A range of handles. `shift` is the handle minus the staged number, if equal for all series; otherwise null. */
interface StagedRange extends SeriesRange {
  readonly shift: number | null;
}

async function mergeBatch(
  batch: PlannedRange & StagedRange,
  { connection, settled, isCopy, importedMs }: SettledImport,
  { areNew }: { readonly areNew: boolean },
) {
  const [unorderedHere, repeated] =
    settled.unordered === 0 ? [0, 0] : await readNumbers(connection, findRepeats(batch));
  const isWhole = areNew && repeated === 0;
  const comparing = [classify(batch, importedMs), resolveVintages(batch, { isCopy, importedMs })];
  const [classified, more, periods] = isWhole
    ? [0, 0, 0]
    : ((await readNumbers(connection, ...comparing, COUNT_COMPARED)) as [number, number, number]);
  const added = batch.rows - classified + more;
  const newPeriods = batch.rows - classified + periods;
  if (more > 0) await runAll(connection, moveToHistory(batch));
  if (added === 0) return { added, newPeriods, series: 0 };
  const isOrdered = unorderedHere === 0 && batch.rows > MIN_ORDERED_ROWS;
  const inserted = { areNew, isWhole, isOrdered };
  const { rowsChanged: series } = await runAll(connection, [
    ...(areNew ? [] : [`UPDATE meta SET unsorted_points = unsorted_points + ${added}`]),
    ...insertLatest(batch, inserted),
    ...updateSeries(batch, inserted),
  ]);
  return { added, newPeriods, series };
}

async function sortIfNeeded(connection: DuckDBConnection, signal: AbortSignal | undefined): Promise<void> {
  const counting = `SELECT unsorted_points::DOUBLE, (SELECT count(*) FROM ${LATEST_TABLE})::DOUBLE FROM meta`;
  const [unsorted, rows] = (await readNumbers(connection, counting)) as [number, number];
  if (unsorted <= Math.max(MAX_UNSORTED_ROWS, MAX_UNSORTED_SHARE * rows)) return;
  signal?.throwIfAborted();
  await runAll(connection, [
    ...sortRows(LATEST_TABLE, PACKED_PERIOD),
    ...sortRows(HISTORY_TABLE, `${PACKED_PERIOD}, reporting_date, available_date`),
    'UPDATE meta SET unsorted_points = 0',
  ]);
}

/** Returns the statements that sort a table. They do not use CREATE TABLE AS, which would drop NOT NULL constraints. */
const sortRows = (table: string, order: string): string[] => [
  `CREATE TABLE store.main.${table}_sorted ${PACKED_DDL}`,
  `INSERT INTO ${table}_sorted FROM ${table} ORDER BY ${order}`,
  `DROP TABLE ${table}`,
  `ALTER TABLE ${table}_sorted RENAME TO ${table}`,
];

const PERIOD_KEY = 'series, start_date, end_date';
const VINTAGE_KEY = `${PERIOD_KEY}, reporting_date`;

const samePeriod = (a: string, b: string) =>
  ['series', 'start_date', 'end_date'].map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');

const CONTENT = ['value', 'unit_id', 'metadata'];

/** Returns the SQL condition that two vintages have equal content. In `a` and `b`, `$` stands for a column's name. */
const sameContent = (a: string, b: string): string =>
  CONTENT.map((column) => `${a} IS NOT DISTINCT FROM ${b}`.replaceAll('$', column)).join(' AND ');

/**
 * Returns the statement that assigns a handle (a series' number in the store) to each staged series with points: its
 * handle in the table `stored`, or the next free handle.
 */
export const assignHandles = (stored: string, next: string, more = ''): string => `
  CREATE TEMP TABLE series_handle AS
  SELECT number, coalesce(stored.handle,
    ${next} - 1 + row_number() OVER (PARTITION BY stored.handle IS NULL ORDER BY number))::INTEGER AS handle ${more}
  FROM ${STAGING}.staged_series LEFT JOIN ${stored} AS stored USING (${LAYOUT.join(', ')})
  WHERE number IN (SELECT series FROM ${STAGING}.staged_summary)`;

const NEXT_HANDLE = '(SELECT coalesce(max(handle), -1) + 1 FROM series)';

const READ_HANDLES = `
  SELECT ${NEXT_HANDLE}::DOUBLE, min(handle - number)::DOUBLE, max(handle - number)::DOUBLE FROM series_handle`;

const findRepeats = (range: SeriesRange): string => `
  WITH numbers AS (SELECT number FROM series_handle WHERE ${inRange('handle', range)})
  SELECT (SELECT count(*) FROM ${STAGING}.unordered_series WHERE series IN (FROM numbers))::DOUBLE,
    (SELECT count(*) FROM ${STAGING}.repeated_period WHERE series IN (FROM numbers))::DOUBLE`;

/** Returns a query for staged rows. If `shift` is known, no join is needed. A join takes longer than the insertion. */
const stagedColumns = (columns: string, { shift, ...range }: StagedRange): string =>
  shift === null
    ? `SELECT handle AS series, ${columns} FROM ${STAGED} AS staged JOIN series_handle ON number = series
       WHERE ${inRange('handle', range)}`
    : `SELECT series + ${shift} AS series, ${columns} FROM ${STAGED} AS staged
       WHERE ${inRange('staged.series', { first: range.first - shift, last: range.last - shift })}`;

const DATES = `${dateFromMs(START_MS)} AS start_date, ${dateFromMs(END_MS)} AS end_date`;

/** Returns a subquery for staged rows, with dates. A temporary table would use memory until the transaction ends. */
const stagedRows = (range: StagedRange): string =>
  `(${stagedColumns(`${DATES}, ${FIGURE_COLUMNS}, staged_row`, range)})`;

/**
 * Classifies staged rows. An `unchanged` row repeats its period's latest stored vintage. An `unresolved` row must be
 * compared with the period's other vintages. A row that is the only row of a new period is omitted.
 */
const classify = (range: StagedRange, importedMs: number): string => `
  CREATE OR REPLACE TEMP TABLE classified AS
  WITH incoming AS ${stagedRows(range)},
  repeated AS (
    SELECT handle AS series, ${DATES} FROM ${STAGING}.repeated_period JOIN series_handle ON number = series
    WHERE ${inRange('handle', range)}),
  stored AS (SELECT ${DATED_COLUMNS} FROM ${LATEST_POINTS} AS point WHERE ${inRange('series', range)})
  SELECT staged_row, CASE
      WHEN repeated.series IS NOT NULL THEN 'unresolved'
      WHEN stored.reporting_date IS NOT DISTINCT FROM incoming.reporting_date
        AND stored.available_date <= incoming.available_date
        AND incoming.available_date IN (stored.available_date, ${dateFromMs(importedMs)})
        AND ${sameContent('incoming.$', 'stored.$')} THEN 'unchanged'
      ELSE 'unresolved' END AS status
  FROM incoming
  LEFT JOIN repeated ON ${samePeriod('repeated', 'incoming')}
  LEFT JOIN stored ON ${samePeriod('stored', 'incoming')}
  WHERE repeated.series IS NOT NULL OR stored.series IS NOT NULL`;

/**
 * Compares unresolved vintages with all stored vintages of their periods, like `mergeVintages`. Stored vintages never
 * change. A staged vintage is a correction if a stored vintage has the same dates. A correction becomes available at
 * the import time, but after all stored vintages with its reporting date, so it is the latest. A correction is added
 * only if it is the newest staged vintage with its reporting date and differs from the newest stored vintage with that
 * date. Without a reporting date, the correction must also differ from the stored vintage with the same dates. Other
 * corrections repeat an earlier release. `origin` is 0 for latest, 1 for other stored, and 2 for staged vintages.
 */
const resolveVintages = (
  range: StagedRange,
  { isCopy, importedMs }: Pick<SettledImport, 'isCopy' | 'importedMs'>,
): string =>
  `CREATE OR REPLACE TEMP TABLE ranked AS
   WITH incoming AS (
     SELECT * FROM ${stagedRows(range)} AS staged_rows
     WHERE staged_row IN (SELECT staged_row FROM classified WHERE status = 'unresolved')
   ), periods AS (SELECT DISTINCT ${PERIOD_KEY} FROM incoming),
   combined AS (
     SELECT ${DATED_COLUMNS}, 0 AS origin FROM ${LATEST_POINTS} AS point SEMI JOIN periods USING (${PERIOD_KEY}) WHERE ${inRange('point.series', range)}
     UNION ALL
     SELECT ${DATED_COLUMNS}, 1 FROM ${HISTORY_POINTS} AS history SEMI JOIN periods USING (${PERIOD_KEY})
     WHERE ${inRange('history.series', range)}
     UNION ALL SELECT ${DATED_COLUMNS}, 2 FROM incoming
   ), compared AS (
     SELECT *, lag(available_date) OVER vintages IS NOT DISTINCT FROM available_date AS is_correction,
       ${sameContent('$', 'lag($) OVER vintages')} AND lag(origin) OVER vintages < 2 AS is_same,
       max(available_date) FILTER (origin = 2) OVER report = available_date AS is_newest,
       arg_max(newest_stored, available_date) FILTER (origin < 2) OVER report AS stored
     FROM (SELECT *, {'available_date': available_date, ${CONTENT.map((column) => `'${column}': ${column}`).join(', ')}} AS newest_stored
       FROM combined)
     WINDOW report AS (PARTITION BY ${VINTAGE_KEY}), vintages AS (PARTITION BY ${VINTAGE_KEY} ORDER BY available_date, origin)
   ), resolved AS (
     SELECT * REPLACE (CASE WHEN origin = 2 AND is_correction
         THEN greatest(${dateFromMs(importedMs)}, stored.available_date + INTERVAL 1 MILLISECOND)
         ELSE available_date END::TIMESTAMP_MS AS available_date)
     FROM (SELECT ${DATED_COLUMNS}, origin, is_correction, stored, CASE WHEN origin < 2 THEN 'kept'
         WHEN is_correction AND is_newest AND NOT (is_same AND reporting_date IS NULL)
           AND NOT (${sameContent('$', 'stored.$')}) THEN 'added'
         WHEN is_correction OR ${!isCopy} AND is_same AND available_date = ${dateFromMs(importedMs)} THEN 'unchanged'
         ELSE 'added' END AS status
       FROM compared)
   )
   SELECT *, row_number() OVER (PARTITION BY ${PERIOD_KEY}
     ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1 AS is_latest
   FROM resolved WHERE status <> 'unchanged'`;

/** Counts the classified rows, the vintages added from them, and the new periods among these vintages. */
const COUNT_COMPARED = `
  SELECT (SELECT count(*) FROM classified)::DOUBLE, count(*) FILTER (status = 'added')::DOUBLE,
    (SELECT count(*) FROM (SELECT 1 FROM ranked GROUP BY ${PERIOD_KEY} HAVING min(origin) = 2))::DOUBLE
  FROM ranked`;

/** Returns statements that move superseded vintages to the history, and add new vintages that are not the latest. */
const moveToHistory = (range: SeriesRange): string[] => {
  const same = PACKED_PERIOD.split(', ').map((column) => `${LATEST_TABLE}.${column} = outdated.${column}`);
  return [
    `DELETE FROM ${LATEST_TABLE} USING (
       SELECT series, ${PACK_DATES} FROM ranked WHERE origin = 0 AND NOT is_latest) AS outdated
     WHERE ${same.join(' AND ')} AND ${inRange(`${LATEST_TABLE}.series`, range)}`,
    `INSERT INTO ${HISTORY_TABLE} SELECT ${PACK_POINT} FROM ranked WHERE NOT is_latest AND origin IN (0, 2)
     ORDER BY ${VINTAGE_KEY}, available_date`,
  ];
};

const newPeriods = (range: StagedRange): string =>
  `FROM ${stagedRows(range)} AS staged_rows ANTI JOIN classified USING (staged_row)`;

interface Inserted {
  readonly areNew: boolean;
  /** Whether every staged row is the only row of a new period, so that no row had to be compared. */
  readonly isWhole: boolean;
  readonly isOrdered: boolean;
}

/** Returns statements that insert added vintages that are the latest and, unless `areNew`, fill `changed_series`. */
const insertLatest = (range: StagedRange, { areNew, isWhole, isOrdered }: Inserted): string[] => {
  if (isWhole) {
    const rows = stagedColumns(`start_day, start_ms, days, end_ms, ${FIGURE_COLUMNS}`, range);
    return [`INSERT INTO ${LATEST_TABLE} ${rows} ${isOrdered ? '' : `ORDER BY ${PACKED_PERIOD}`}`];
  }
  const added = (columns: string, where: string) =>
    `UNION ALL SELECT ${columns} FROM ranked WHERE origin = 2 AND ${where}`;
  const changed = `CREATE OR REPLACE TEMP TABLE changed_series AS
     SELECT DISTINCT series FROM (SELECT series ${newPeriods(range)} ${added('series', 'true')})`;
  return [
    ...(areNew ? [] : [changed]),
    `INSERT INTO ${LATEST_TABLE} SELECT ${PACK_POINT}
     FROM (SELECT ${DATED_COLUMNS} ${newPeriods(range)} ${added(DATED_COLUMNS, 'is_latest')}) ORDER BY ${PERIOD_KEY}`,
  ];
};

/** Returns the statements that recompute rows of the table `series`. The last statement adds or updates these rows. */
const updateSeries = (range: SeriesRange, { areNew, isWhole }: Inserted): string[] => [
  // The points of new series are not filtered by `changed_series`, because filtering takes three times as long.
  `CREATE OR REPLACE TEMP TABLE by_unit AS ${
    isWhole
      ? `SELECT * REPLACE (handle AS series) FROM ${STAGING}.staged_summary JOIN series_handle ON number = series
         WHERE ${inRange('handle', range)}`
      : summarizeByUnit(LATEST_TABLE, {
          where: `${inRange('series', range)} ${areNew ? '' : 'AND series IN (FROM changed_series)'}`,
        })
  }`,
  ...(areNew ? [] : ['DELETE FROM series_unit WHERE series IN (FROM changed_series)']),
  'INSERT INTO series_unit SELECT series, unit_id FROM by_unit ORDER BY ALL',
  areNew
    ? `INSERT INTO series BY NAME
       SELECT ${LAYOUT.join(', ')}, series_summary.*
       FROM (${SUMMARIZE}) AS series_summary JOIN series_handle USING (handle) JOIN ${STAGING}.staged_series USING (number)
       ORDER BY handle`
    : `UPDATE series SET ${SUMMARY_COLUMNS.map((column) => `${column} = series_summary.${column}`).join(', ')}
       FROM (${SUMMARIZE}) AS series_summary WHERE series_summary.handle = series.handle`,
];
