/** Any file may unpack to this many bytes. Beyond this, it may grow at most `MAX_GROWTH` times. */
const FREE_BYTES = 2 ** 28;

/** Data tables typically expand about fortyfold. A file that expands far more was crafted to exhaust memory. */
const MAX_GROWTH = 255;

/** Returns the maximum number of bytes that a file of this size may unpack to. */
export function maxUnpackedBytes(bytes: number): number {
  return Math.max(FREE_BYTES, MAX_GROWTH * bytes);
}

/** The minimum number of bytes that a table value takes in memory, however small it is in the file. */
export const VALUE_BYTES = 8;

/** The maximum number of columns in an imported table. Excel has the same limit. */
export const MAX_COLUMNS = 16_384;
