/** Solves linear equations by Gauss and Jordan's elimination. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at]!;
    for (const [i] of pivot.entries()) pivot[i]! /= scale;
    for (const row of rows) {
      const factor = row[at]!;
      if (row !== pivot) for (const [i, value] of pivot.entries()) row[i]! -= factor * value;
    }
  }
  return rows.map((row) => row.at(-1)!);
}
