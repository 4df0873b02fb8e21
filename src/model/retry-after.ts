/**
 * Returns a `Retry-After` header in milliseconds, or null if it is neither seconds nor a date.
 * @param dateHeader the answer's `Date`: a date to wait for is compared with the clock that named it
 */
export function readRetryAfter(header: string | null, dateHeader: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(header);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(dateHeader ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}
