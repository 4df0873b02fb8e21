/** A range of consecutive rows. */
export interface RowRun {
  /** The first row. */
  from: number;
  /** The row after the last row. */
  to: number;
}

export function runLength(runs: readonly Readonly<RowRun>[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

export function rowsOf(runs: readonly RowRun[]): Int32Array {
  const rows = new Int32Array(runLength(runs));
  let at = 0;
  for (const { from, to } of runs) for (let row = from; row < to; row++) rows[at++] = row;
  return rows;
}

export function rowsWhere(length: number, isKept: (row: number) => boolean): Int32Array {
  return rowsOf([{ from: 0, to: length }]).filter(isKept);
}
