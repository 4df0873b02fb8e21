import { isValid } from '../../columns/bitmap.js';
import type { LongFrame } from '../../frame/frame.js';
import { readColumn } from '../../frame/table/columns.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { frameSeries, unitOf } from '../../frame/table/series-view.js';
import { groupedBy } from '../../model/grouping.js';
import { endOfDay, formatDay, parseTime } from '../../model/time.js';

/**
 * Returns a series' values as known at the end of the latest days on which vintages became available, as the service
 * would return them for `at_time`. There is a row for each period, latest first, with a value for each day, which is
 * NaN for null, or `undefined` if no value was available yet.
 * @param history a frame with points of one series from `complete_history`, with available dates. If its unit changes, only values
 * in the first unit are returned.
 * @param max the maximum number of days
 */
export function triangleOf(history: LongFrame, max: number) {
  const numbers = (name: string, missing = Number.NaN) => {
    const column = readColumn(history, name);
    return Float64Array.from({ length: history.numRows }, (_, row) =>
      isValid(column.valid, row) ? Number(column.values[row]) : missing,
    );
  };
  const [start, end, value] = [numbers('start_date'), numbers('end_date'), numbers('value')];
  const available = numbers('available_date');
  // A missing reporting date counts as the earliest.
  const reported = numbers('reporting_date', -Number.MAX_VALUE);
  const days = [...new Set([...available].sort((a, b) => a - b).map(formatDay))];
  const shown = days.slice(-max);
  const ends = shown.map((day) => parseTime(endOfDay(day), 'day'));
  const units = numbers('unit_id');
  const inFirstUnit = [...available.keys()].filter((row) => Object.is(units[row], units[0]));
  const periods = groupedBy(inFirstUnit, (row) => `${start[row]} ${end[row]}`);
  const rows = [...periods.values()].map((vintages) => {
    vintages.sort((a, b) => reported[a]! - reported[b]! || available[a]! - available[b]!);
    const [first] = vintages;
    return {
      start: start[first!]!,
      end: end[first!]!,
      values: ends.map((ms) => value[vintages.findLast((row) => available[row]! <= ms) ?? -1]),
    };
  });
  return {
    total: days.length,
    shown,
    unit: unitOf(frameSeries(history)[0]!, readProvenance(history)),
    rows: rows.sort((a, b) => b.start - a.start || b.end - a.end),
  };
}
