/** Rows `from` to `to` (exclusive). */
export interface RowRun {
  /** The first row. */
  from: number;
  /** The row after the last. */
  to: number;
}

/** Counts the rows of all runs. */
export function runLength(runs: readonly Readonly<RowRun>[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Returns the row numbers of all runs, in order. */
export function rowsOf(runs: readonly RowRun[]): Int32Array {
  const rows = new Int32Array(runLength(runs));
  let at = 0;
  for (const { from, to } of runs) for (let row = from; row < to; row++) rows[at++] = row;
  return rows;
}

/** Adds a row after all others. */
export function addRow(runs: RowRun[], row: number): void {
  const last = runs.at(-1);
  if (last?.to === row) last.to++;
  else runs.push({ from: row, to: row + 1 });
}

/** Finds the runs of rows that pass the test. */
export function runsWhere(length: number, isKept: (row: number) => boolean): RowRun[] {
  const runs: RowRun[] = [];
  for (let row = 0; row < length; row++) if (isKept(row)) addRow(runs, row);
  return runs;
}
