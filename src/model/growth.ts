/** The number of bytes to which any file may be unpacked, regardless of `MAX_GROWTH`. */
const FREE_BYTES = 2 ** 28;

/**
 * How many times larger than the packed file the unpacked file may be. Data tables typically expand about fortyfold. A
 * file that expands far more was probably crafted to exhaust memory.
 */
const MAX_GROWTH = 255;

/** Returns the maximum number of bytes to which a file of this size may be unpacked. */
export function maxUnpackedBytes(bytes: number): number {
  return Math.max(FREE_BYTES, MAX_GROWTH * bytes);
}

/** The minimum number of bytes that a table value takes in memory, however small it is in the file. */
export const VALUE_BYTES = 8;

/** The maximum number of columns in an imported table. Excel has the same limit. */
export const MAX_COLUMNS = 16_384;
