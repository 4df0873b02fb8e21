import { DAY_MS } from '../../../model/time.js';
import { imported, type Snapshot } from '../engine/snapshot.js';
import { NO_REPORTING_DATE, vintageSql } from './point-sql.js';

const time = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const day = (date: string) => `intDiv(${date} - ${time(date)}, ${DAY_MS})`;

/** Returns the query of the latest points of each series and unit of a shard, with the columns of `summarizeByUnit`. */
export function byUnitSql(snapshot: Snapshot, where = 'true'): string {
  const days = `${day('end_date')} - ${day('start_date')}`;
  return `SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
      count() AS points, min(${days}) AS min_days, max(${days}) AS max_days,
      max(${time('start_date')} + ${time('end_date')}) AS max_time,
      countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
      min(available_date) AS first_available, max(available_date) AS last_available
    FROM (${vintageSql('latest', `${imported(snapshot)} AND ${where}`)}) GROUP BY series, unit_id`;
}

/** Returns the query of the number of vintages of each series of a shard. */
export const vintagesSql = (snapshot: Snapshot, where = 'true'): string =>
  `SELECT series, toInt32(count()) AS vintages FROM point WHERE ${imported(snapshot)} AND ${where} GROUP BY series`;
