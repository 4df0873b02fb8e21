import { dateParts } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { Hook } from '../document/hook.js';
import { monthByPrefix } from '../reading/row-values.js';
import { releaseTime, usdaReleaseMs } from './calendar.js';

/** Determines a report's release by month or day. The setting `released` gives the day of a month. */
export const wasdeRelease: Hook = {
  takes: ['released'],
  answers: ['reporting_date', 'available_date'],
  async prepare({ settings: { released: setting } }) {
    const saidMs = setting === undefined ? null : parseTime(setting, 'settings.released');
    return ({ released = '' }) => {
      const availableMs = /^\d{4}-\d\d-\d\d$/.test(released)
        ? releaseOfDay(parseTime(released, 'ReleaseDate'), saidMs)
        : releaseOfMonth(released, saidMs);
      return { reportingMs: availableMs - (availableMs % DAY_MS), availableMs };
    };
  },
};

/** Returns the time of release on the given day. @throws IngestError if the setting says another day */
function releaseOfDay(dayMs: number, saidMs: number | null): number {
  if (saidMs === null || saidMs === dayMs) return releaseTime(dayMs);
  const what = `the file says that the report was released on ${formatDay(dayMs)}; omit the setting "released"`;
  throw new IngestError('wasde', what);
}

/** Returns a month's release time. @throws RowError for an invalid month; IngestError if the set day is in another */
function releaseOfMonth(text: string, saidMs: number | null): number {
  const [, name, digits] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
  const month = monthByPrefix(name ?? '');
  if (month === 0) throw new RowError(`"${text}" is not a valid report month`);
  const year = Number(digits);
  if (saidMs === null) return usdaReleaseMs(year, month);
  const day = dateParts(saidMs);
  if (day.year === year && day.month === month) return releaseTime(saidMs);
  const what = `the report of ${text} was not released on ${formatDay(saidMs)}; import it separately, with its own release day`;
  throw new IngestError('wasde', what);
}
