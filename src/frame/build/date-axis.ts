import type { DateAxis, DateSpan } from './date-span.js';
import { dayGrid, gridAxis } from './day-grid.js';
import { mergedAxis } from './merged-axis.js';

/**
 * The axis of these spans. When all dates have the same time of day, rows are looked up by day number; otherwise in the
 * sorted list of all dates. Both produce the same axis.
 */
export function dateAxis(spans: readonly DateSpan[]): DateAxis {
  const grid = dayGrid(spans);
  return grid === null ? mergedAxis(spans) : gridAxis(spans, grid);
}
