import type { Table } from 'apache-arrow';
import { fromRows } from '../../frame/formats/rows.js';
import { TEMPERATURE_SYMBOLS } from '../degree-days/plan.js';
import type { RegionDegreeDays } from './growing-degree-days.js';

/**
 * Degree-day sums as a frame, one row a region and interval: what `findDegreeDays` gives without its daily values. `total` is
 * in `unit`, `coverage` the share of days with both temperatures, `cap` null where none was in use.
 */
export function degreeDaysFrame(found: readonly RegionDegreeDays[]): Table {
  return fromRows(
    found.map(({ region_name, interval, total, coverage, tmin_series, ...rule }) => ({
      region_name,
      start_date: interval?.start_date ?? null,
      end_date: interval?.end_date ?? null,
      total,
      unit: `${TEMPERATURE_SYMBOLS[rule.temperature_unit]}·day`,
      source_name: tmin_series.source_name ?? null,
      coverage,
      method: rule.method,
      cutoff: rule.cutoff,
      base: rule.base,
      cap: rule.cap,
    })),
  );
}
