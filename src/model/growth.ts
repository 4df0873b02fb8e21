/** The unpacked size, in bytes, that is allowed for every file, regardless of `MAX_GROWTH`. */
const FREE_BYTES = 2 ** 28;

/**
 * The maximum ratio of a file's unpacked size to its packed size. Data tables typically expand about fortyfold. A file
 * that expands far more was probably crafted to exhaust memory.
 */
const MAX_GROWTH = 255;

/** Returns the maximum unpacked size, in bytes, of a file with this packed size. */
export function maxUnpackedBytes(bytes: number): number {
  return Math.max(FREE_BYTES, MAX_GROWTH * bytes);
}

/** The minimum number of bytes that a table value occupies in memory, however small it is in the file. */
export const VALUE_BYTES = 8;

/** The maximum number of columns in an imported table. Excel has the same limit. */
export const MAX_COLUMNS = 16_384;
