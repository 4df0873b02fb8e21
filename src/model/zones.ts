import { badArgument } from './errors.js';
import { DAY_MS } from './time.js';

/** Offsets from UTC change at no finer steps. */
const STEP_MS = 900_000;

/**
 * Returns a function from UTC milliseconds to the reading of the clocks of a zone, as UTC milliseconds of that reading. A zone
 * is a name of the IANA database, or an offset such as `+02:00`.
 * @throws ArgumentError that names a zone which is neither
 */
export function zoneClock(zone: string): (ms: number) => number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
    return (ms) => ms + offset;
  }
  const format = formatOf(zone);
  const offsets = new Map<number, number>();
  return (ms) => {
    const step = Math.floor(ms / STEP_MS);
    const offset = offsets.get(step) ?? offsetIn(format, ms);
    offsets.set(step, offset);
    return ms + offset;
  };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (cause) {
    throw badArgument('zone', `"${zone}" is not a time zone that is known here; convert the column to UTC`, {
      cause,
    });
  }
}

/** Beyond it, dates of JavaScript end. */
const MAX_DATE_MS = 8_640_000_000_000_000;

/** Reads the offset from texts such as `1/1/2020, GMT+05:30`; UTC has none. */
function offsetIn(format: Intl.DateTimeFormat, ms: number): number {
  if (Math.abs(ms) > MAX_DATE_MS) return 0;
  const [, sign, ...parts] = /GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(format.format(ms)) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * (sign === '-' ? -1000 : 1000);
}

/** Returns the days that times begin in a zone, in UTC milliseconds; null where one is not the beginning of a day. NaN stays. */
export function daysBegun(times: ArrayLike<number>, zone: string): Float64Array | null {
  const clock = zoneClock(zone);
  const days = new Float64Array(times.length);
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    if (Number.isNaN(time)) {
      days[row] = time;
      continue;
    }
    days[row] = Math.floor(clock(time) / DAY_MS) * DAY_MS;
    // A day whose midnight the clocks skip begins at one o'clock.
    if (clock(time - 1) >= days[row]!) return null;
  }
  return days;
}
