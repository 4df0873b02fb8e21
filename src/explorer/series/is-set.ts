/** Whether a row has a value, by the bitmap of its column; a column without one has all values. */
export function isSet(valid: Uint8Array | null, row: number): boolean {
  return valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;
}
