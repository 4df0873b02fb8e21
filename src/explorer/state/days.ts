/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** UTC milliseconds of a day `YYYY-MM-DD`, or of a timestamp of the service; NaN for other texts. */
export function dayMs(day: string): number {
  return Date.parse(day.length === 10 ? `${day}T00:00:00Z` : day);
}

/** The day `YYYY-MM-DD` of UTC milliseconds. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(written: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(dayMs(written)) && dayOf(dayMs(written)) === written
  );
}
