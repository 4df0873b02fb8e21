import { splitUnit } from '../../charts/language.js';
import { isLate, isOfImport, periodKey, reportsOf } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/frame.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { frameSeries, unitOf } from '../../frame/table/series-view.js';
import { groupedBy } from '../../model/grouping.js';
import { formatDay } from '../../model/time.js';

/** The maximum number of values in a table of periods by vintages. A larger table would be slow to create. */
const MAX_VALUES = 1_000_000;

/**
 * Returns the values that were reported on each of the latest days with a report (see `reportsOf`). Each row is a period
 * with a value on at least one of these days: NaN for null, or `undefined` if no value was reported on that day.
 * @param history a frame of one series' points from `complete_history`, with available dates. If the unit changes, only
 * values in the first unit are returned.
 * @param max the maximum number of days; by default, as many as add up to a million values
 */
export function triangleOf(history: LongFrame, max?: number) {
  const view = frameSeries(history)[0]!;
  const all = reportsOf(history);
  const days = [...new Set(all.map(({ saidMs }) => formatDay(saidMs)))].sort();
  const inFirstUnit = all.filter(({ unit_id }) => unit_id === view.unit_id);
  const periods = groupedBy(inFirstUnit, periodKey);
  const shown = days.slice(-(max ?? Math.max(1, Math.floor(MAX_VALUES / periods.size))));
  const rows = [...periods.values()].map((vintages) => {
    const byDay = new Map(vintages.map(({ saidMs, value }) => [formatDay(saidMs), value]));
    const [{ startMs: start, endMs: end }] = vintages as [(typeof vintages)[number]];
    return { start, end, values: shown.map((day) => byDay.get(day)) };
  });
  return {
    ...{ total: days.length, shown, isImport: isOfImport(all), hasLate: all.some(isLate) },
    ...{ unit: splitUnit(unitOf(view, readProvenance(history))).unit },
    figures: inFirstUnit.map(({ value }) => value),
    rows: rows
      .filter(({ values }) => values.some((value) => value !== undefined))
      .sort((a, b) => a.start - b.start || a.end - b.end),
  };
}
