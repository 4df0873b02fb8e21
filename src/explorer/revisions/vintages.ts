import { splitUnit } from '../../charts/language.js';
import type { LongFrame } from '../../frame/frame.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { frameSeries, unitOf } from '../../frame/table/series-view.js';
import { groupedBy } from '../../model/grouping.js';
import { endOfDay, formatDay, parseTime } from '../../model/time.js';

/** The maximum number of values in a table of periods by vintages. A larger table would be slow to create. */
const MAX_VALUES = 1_000_000;

/**
 * Returns a series' values as known at the end of the latest days on which vintages became available, as the service
 * would return them for `at_time`. Each row is a period with one value per day: NaN for null, or `undefined` if no
 * value was available yet.
 * @param history a frame of one series' points from `complete_history`, with available dates. If the unit changes, only
 * values in the first unit are returned.
 * @param max the maximum number of days; by default, as many as add up to a million values
 */
export function triangleOf(history: LongFrame, max?: number) {
  const { unit, toPlain } = splitUnit(unitOf(frameSeries(history)[0]!, readProvenance(history)));
  const all = history.toRows().map(({ start_date, end_date, unit_id, value, ...row }) => ({
    ...{ start: Number(start_date), end: Number(end_date), unit_id },
    value: toPlain(Number(value ?? Number.NaN)),
    available: Number(row.available_date),
    // A missing reporting date counts as the earliest.
    reported: Number(row.reporting_date ?? -Number.MAX_VALUE),
  }));
  const days = [...new Set(all.map(({ available }) => formatDay(available)))].sort();
  const inFirstUnit = all.filter(({ unit_id }) => unit_id === all[0]!.unit_id);
  const periods = groupedBy(inFirstUnit, ({ start, end }) => `${start} ${end}`);
  const shown = days.slice(-(max ?? Math.max(1, Math.floor(MAX_VALUES / periods.size))));
  const ends = shown.map((day) => parseTime(endOfDay(day), 'day'));
  const rows = [...periods.values()].map((vintages) => {
    vintages.sort((a, b) => a.reported - b.reported || a.available - b.available);
    const { start, end } = vintages[0]!;
    return {
      start,
      end,
      values: ends.map((ms) => vintages.findLast(({ available }) => available <= ms)?.value),
    };
  });
  return {
    total: days.length,
    shown,
    unit,
    figures: inFirstUnit.map(({ value }) => value),
    rows: rows.sort((a, b) => a.start - b.start || a.end - b.end),
  };
}
