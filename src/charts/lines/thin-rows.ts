import { isAfterGap, type LineData } from './line-data.js';

/**
 * The rows to draw so that every pixel column shows its first, lowest, highest and last value, and every gap: a line
 * through them covers the same pixels as a line through all rows (M4; Jugel et al., VLDB 2014).
 * @param columns the number of pixel columns between `from` and `to`, UTC milliseconds
 */
export function thinRows(
  line: LineData,
  { from, to, columns }: { from: number; to: number; columns: number },
): Uint32Array {
  const { start, value } = line;
  const rows: number[] = [];
  const width = Math.max(1, to - from) / columns;
  const columnOf = (row: number) => Math.floor((start[row]! - from) / width);
  for (let first = 0, next = 0; first < value.length; first = next) {
    const column = columnOf(first);
    let [low, high] = [first, first];
    for (next = first; next < value.length && columnOf(next) === column; next++) {
      if (next > first && isAfterGap(line, next)) break;
      if (value[next]! < value[low]!) low = next;
      if (value[next]! > value[high]!) high = next;
    }
    const kept = new Set([first, ...[low, high].sort((a, b) => a - b), next - 1]);
    rows.push(...kept);
  }
  return Uint32Array.from(rows);
}
