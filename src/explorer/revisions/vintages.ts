import { splitUnit } from '../../charts/language.js';
import { isOfImport, reportsOf } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/frame.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { frameSeries, unitOf } from '../../frame/table/series-view.js';
import { groupedBy } from '../../model/grouping.js';
import { endOfDay, formatDay, parseTime } from '../../model/time.js';

/** The maximum number of values in a table of periods by vintages. A larger table would be slow to create. */
const MAX_VALUES = 1_000_000;

/**
 * Returns a series' values as reported by the end of each of the latest days with a report (see `reportsOf`). Each row
 * is a period with one value per day: NaN for null, or `undefined` if no value had been reported yet.
 * @param history a frame of one series' points from `complete_history`, with available dates. If the unit changes, only
 * values in the first unit are returned.
 * @param max the maximum number of days; by default, as many as add up to a million values
 */
export function triangleOf(history: LongFrame, max?: number) {
  const view = frameSeries(history)[0]!;
  const all = reportsOf(history);
  const days = [...new Set(all.map(({ saidMs }) => formatDay(saidMs)))].sort();
  const inFirstUnit = all.filter(({ unit_id }) => unit_id === view.unit_id);
  const periods = groupedBy(inFirstUnit, ({ startMs, endMs }) => `${startMs} ${endMs}`);
  const shown = days.slice(-(max ?? Math.max(1, Math.floor(MAX_VALUES / periods.size))));
  const ends = shown.map((day) => parseTime(endOfDay(day), 'day'));
  const rows = [...periods.values()].map((vintages) => ({
    ...{ start: vintages[0]!.startMs, end: vintages[0]!.endMs },
    values: ends.map((ms) => vintages.findLast(({ saidMs }) => saidMs <= ms)?.value),
  }));
  return {
    ...{ total: days.length, shown, isImport: isOfImport(all) },
    ...{ unit: splitUnit(unitOf(view, readProvenance(history))).unit },
    figures: inFirstUnit.map(({ value }) => value),
    rows: rows.sort((a, b) => a.start - b.start || a.end - b.end),
  };
}
