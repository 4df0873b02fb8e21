import { InvalidArgumentError } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { DAY_MS, parseTime } from '../../model/time.js';

/** A parser of whole numbers from `min` to `max`. */
export function wholeNumberParser(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

export function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Give a number.');
}

/** A share from 0 to 1. */
export function parseShare(text: string): number {
  const number = parseNumber(text);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('Give a number from 0 to 1.');
}

/** Latitude and longitude in degrees, joined by a comma. */
export function parsePlace(text: string): [latitude: number, longitude: number] {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude = Number.NaN, longitude = Number.NaN] = parts;
  if (parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
    return [latitude, longitude];
  throw new InvalidArgumentError(
    'Give a latitude from -90 to 90 and a longitude from -180 to 180, such as 47.61,-122.33.',
  );
}

/** Checks a date, and returns its text unchanged. */
export function parseDate(text: string): string {
  readTime(text);
  return text;
}

const DAYS_OF_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };

/** A time span (`12h`, `30d`, `8w`, `1y`) in milliseconds; null for any other text. */
function readSpan(text: string): number | null {
  const [, number, unit] = /^(\d+)([hdwy])$/.exec(text) ?? [];
  return unit === undefined ? null : Number(number) * DAYS_OF_UNIT[unit]! * DAY_MS;
}

/** A time span above 0, in milliseconds. */
export function parseSpan(text: string): number {
  const span = readSpan(text);
  if (span !== null && span > 0) return span;
  throw new InvalidArgumentError('Give a time span, such as 12h, 30d, 8w or 1y.');
}

/** A future time, given as a time span from now (`12h`, `30d`, `8w`, `1y`) or a date; UTC milliseconds. */
export function parseExpiry(text: string, now = Date.now()): number {
  const span = readSpan(text);
  const time = span === null ? readTime(text) : now + span;
  if (time > now) return time;
  throw new InvalidArgumentError('Give a time in the future.');
}

/** The normalized form of an email address. */
export function parseEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(address)) return address;
  throw new InvalidArgumentError('Give an email address.');
}

function readTime(text: string): number {
  try {
    return parseTime(text, 'date');
  } catch (error) {
    if (error instanceof ArgumentError) {
      throw new InvalidArgumentError('Give a date (YYYY-MM-DD) or an ISO 8601 timestamp.');
    }
    throw error;
  }
}
