/** Up to this size any file is unpacked; a larger one, only to `MAX_GROWTH` times its own size. */
const FREE_BYTES = 2 ** 28;

/** Tables of figures grow to some forty times their size. A file that grows far more was made to fill memory. */
const MAX_GROWTH = 255;

/** Returns the maximum number of bytes that a file of this size may unpack to. */
export function mayHold(bytes: number): number {
  return Math.max(FREE_BYTES, MAX_GROWTH * bytes);
}

/** A value of a table takes this many bytes or more, however few the file takes for it. */
export const VALUE_BYTES = 8;

/** Maximum number of columns of an imported table, the same as in a spreadsheet. */
export const MAX_COLUMNS = 16_384;
