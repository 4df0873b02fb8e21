import { InvalidArgumentError } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { DAY_MS, parseTime } from '../../model/time.js';

/** A whole number of at least `min`, as an option's value. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

/** Any number, as an option's value. */
export function finiteNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Give a number.');
}

/** A share from 0 to 1. */
export function share(text: string): number {
  const number = finiteNumber(text);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('Give a share from 0 to 1.');
}

/** A date of the calendar; the text stays as it is. */
export function date(text: string): string {
  readTime(text);
  return text;
}

const DAYS_OF_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };

/** A time to come: a span from now (`12h`, `30d`, `8w`, `1y`) or a date; UTC milliseconds. */
export function expiry(text: string, now = Date.now()): number {
  const span = /^(\d+)([hdwy])$/.exec(text);
  const time = span === null ? readTime(text) : now + Number(span[1]) * DAYS_OF_UNIT[span[2]!]! * DAY_MS;
  if (time > now) return time;
  throw new InvalidArgumentError('Give a time to come.');
}

/** Gathers the values of an option that may be given several times. */
export function each(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

function readTime(text: string): number {
  try {
    return parseTime(text, 'date');
  } catch (error) {
    if (error instanceof ArgumentError) {
      throw new InvalidArgumentError('Give a date as YYYY-MM-DD, or an ISO 8601 timestamp.');
    }
    throw error;
  }
}
