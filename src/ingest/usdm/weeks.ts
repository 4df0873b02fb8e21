import type { Period } from '../../model/calendar.js';
import { DAY_MS } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { parseRowDateOfAnyForm } from '../reading/row-values.js';

/** Released on the Thursday after the map's Tuesday, at 8:30 Washington time, which is 13:30 UTC at the latest. */
const RELEASE_DAYS = 2;
const RELEASE_TIME_MS = 13.5 * 3_600_000;

/** The week of a map, and when the map was released. */
interface DroughtWeek extends Period {
  readonly reportingMs: number;
  readonly availableMs: number;
}

/** @throws RowError when a date is not in the calendar, or the dates contradict each other */
export function parseWeek(read: (field: 'mapDate' | 'validStart' | 'validEnd') => string): DroughtWeek {
  const mapMs = parseRowDateOfAnyForm(read('mapDate'), 'map date');
  const startMs = parseRowDateOfAnyForm(read('validStart'), 'start of validity');
  const endMs = parseRowDateOfAnyForm(read('validEnd'), 'end of validity');
  if (endMs < startMs) throw new RowError('the end of validity is before its start');
  if (mapMs < startMs || mapMs > endMs) throw new RowError('the map date is not in the time of validity');
  const reportingMs = mapMs + RELEASE_DAYS * DAY_MS;
  return { startMs, endMs, reportingMs, availableMs: reportingMs + RELEASE_TIME_MS };
}
