import { shownList } from '../../model/errors.js';
import type { RowMark } from '../../store/store.js';
import type { MissingTexts } from './form.js';

const NINES = [2, 3, 4, 5, 6, 7, 8, 9].map((digits) => 10 ** digits - 1);
const FRACTIONS = [99.9, 99.99, 99.999, 999.9, 999.99, 999.999, 9999.9, 9999.99, 99_999.9];
const REPDIGITS = [777, 888, 7777, 8888, 77_777, 88_888];
/** Limits of integer types, and fill values used in NetCDF, GRIB and GeoTIFF files. */
const FILLS = [32_767, 32_768, 2_147_483_647, 2_147_483_648, 1e15, 1e20, 1e30, 1e34, 1e35, 1e36, 1e37];
const FLOATS = [9.96920996838687e36, 9.96921e36, 3.4028234663852886e38, 3.4028235e38, 3.40282347e38];

export const MISSING_MARKS: readonly number[] = [
  ...NINES,
  ...FRACTIONS,
  ...REPDIGITS,
  ...FILLS,
  ...FLOATS,
].flatMap((number) => [number, -number]);

/** The distance from the other values at which a number is suspect, as a share of their largest absolute value. */
const MIN_DISTANCE = 0.1;

/** Checks whether a number is far from the column's other values, or more frequent than those near it. */
function isLikely({ number, count, near, min, max }: CountedMark): boolean {
  if (min === null || max === null) return count > 1;
  const distance = Math.max(min - number, number - max);
  const isFar = distance >= Math.max(max - min, MIN_DISTANCE * Math.max(Math.abs(min), Math.abs(max)));
  return (distance > 0 && isFar) || (count > 1 && count > 2 * near);
}

/** Returns a note on numbers that probably stand for missing values, with a proposal for the key `missing`. */
export function noteOnMarks(column: string, marks: readonly CountedMark[], missing: MissingTexts): string[] {
  const likely = marks.filter(isLikely);
  if (likely.length === 0) return [];
  const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
  const counted = shownList(
    likely.map(({ number, count }) => `${number} ${times(count)}`),
    MAX_LISTED,
    ', ',
  );
  const { min, max } = likely[0]!;
  const others = min === null ? '' : `, while its other values range from ${min} to ${max}`;
  const proposed = proposeMissing(
    missing,
    likely.map(({ number }) => String(number)),
  );
  return [`"${column}" has ${counted}${others}; if that means "no value", set ${proposed} in the document`];
}

export function proposeMissing({ nulls, absent }: MissingTexts, further: readonly string[]): string {
  const all = [...nulls, ...further];
  const meanings = [...all.map((text) => [text, null]), ...absent.map((text) => [text, 'no point'])];
  return `"missing": ${JSON.stringify(absent.length === 0 ? all : Object.fromEntries(meanings))}`;
}

const MAX_LISTED = 5;

type CountedMark = Omit<RowMark, 'value'>;
