import { badArgument } from './errors.js';
import { DAY_MS, startOfDay, utcDay, zoneOffsetMs } from './time.js';

/**
 * Returns a function that shifts UTC milliseconds so that they show a zone's local time when they are read as UTC.
 * @param zone an IANA name, or an offset such as `+02:00`
 * @throws ArgumentError if the zone is unknown
 */
export function localTimes(zone: string): (ms: number) => number {
  const fixed = zoneOffsetMs(zone);
  if (fixed !== null) return (ms) => ms + fixed;
  const shift = namedZone(zone);
  // Computing an offset takes microseconds, so it is cached for each day on which the offset does not change.
  const days = new Map<number, number | null>();
  return (ms) => {
    if (!(Math.abs(ms) <= MAX_DATE_MS)) return ms;
    const day = Math.floor(ms / DAY_MS);
    let offset = days.get(day);
    if (offset === undefined) {
      const [first, last] = [day * DAY_MS, (day + 1) * DAY_MS].map((end) => shift(end) - end);
      offset = first === last ? first! : null;
      days.set(day, offset);
    }
    return offset === null ? shift(ms) : ms + offset;
  };
}

/** The latest time that can be shifted by a day, because the range of JavaScript dates ends one day later. */
const MAX_DATE_MS = 8_640_000_000_000_000 - DAY_MS;

function namedZone(zone: string): (ms: number) => number {
  const format = zoneFormat(zone);
  return (ms) => {
    const parts = format.formatToParts(ms).map(({ type, value }) => [type, Number(value)] as const);
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>;
    const local = utcDay(year!, month!, day!) + ((hour! * 60 + minute!) * 60 + second!) * 1000;
    return local + (((ms % 1000) + 1000) % 1000);
  };
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...digits, ...clock, timeZone, calendar: 'gregory' });
  } catch {
    throw badArgument(
      'zone',
      `${JSON.stringify(timeZone)} is not a known time zone; convert the column to UTC, or use dates without times`,
    );
  }
}

/** Converts local midnights to UTC midnights of the same dates, in ms. Keeps NaN. Returns null if a time is neither. */
export function toLocalDays(times: ArrayLike<number>, zone: string): Float64Array | null {
  const local = localTimes(zone);
  const days = new Float64Array(times.length);
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    days[row] = startOfDay(local(time));
    // If the clocks skip midnight, the day begins at one o'clock.
    if (local(time - 1) >= days[row]!) return null;
  }
  return days;
}
