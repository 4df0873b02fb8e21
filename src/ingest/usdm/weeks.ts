import type { Period } from '../../model/calendar.js';
import { calendarDay, DAY_MS } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { parseRowDate } from '../reading/row-values.js';

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
  const mapMs = parseDate(read('mapDate'), 'map date');
  const startMs = parseDate(read('validStart'), 'start of validity');
  const endMs = parseDate(read('validEnd'), 'end of validity');
  if (endMs < startMs) throw new RowError('the end of validity is before its start');
  if (mapMs < startMs || mapMs > endMs) throw new RowError('the map date is not in the time of validity');
  const reportingMs = mapMs + RELEASE_DAYS * DAY_MS;
  return { startMs, endMs, reportingMs, availableMs: reportingMs + RELEASE_TIME_MS };
}

/** `20240102`, `2024-01-02` or `1/2/2024`, the last two also with a time. */
function parseDate(text: string, what: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(text)?.slice(1) ?? usDateParts(text);
  if (parts === undefined) return parseRowDate(text.replace(/[T ].*$/, ''), what);
  const [year, month, day] = parts.map(Number);
  const ms = calendarDay(year!, month!, day!);
  if (ms === null) throw new RowError(`the ${what} "${text}" is not a date`);
  return ms;
}

function usDateParts(text: string): string[] | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/.exec(text);
  return match === null ? undefined : [match[3]!, match[1]!, match[2]!];
}
