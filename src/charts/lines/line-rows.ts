import { isAfterGap, type LineData } from './line-data.js';

/** A point of a specification: the number of its series, its time in UTC milliseconds, and its value. */
export interface LineRow {
  readonly s: number;
  readonly t: number;
  /** Null breaks the line. */
  readonly v: number | null;
  /** 1 where the point has no neighbour, so that a line does not show it. */
  readonly p?: 1 | undefined;
}

/** More points than this take seconds to draw. */
const MAX_POINTS = 20_000;

/** The points of some lines. */
export interface LineRows {
  readonly rows: readonly LineRow[];
  /** Points that are drawn, and points that the lines have. */
  readonly drawn: number;
  readonly total: number;
}

/**
 * The points to draw; where they are too many, each pixel column keeps its extremes.
 * @param width pixels of a panel
 * @param isStepped whether a value holds from the start to the end of its period
 * @param maxPoints points that are too many
 */
export function lineRows(
  lines: readonly LineData[],
  {
    width,
    isStepped,
    maxPoints = MAX_POINTS,
  }: { width: number; isStepped: (line: LineData) => boolean; maxPoints?: number | undefined },
): LineRows {
  const total = lines.reduce((sum, { value }) => sum + value.length, 0);
  const span = timeSpan(lines);
  const columns = Math.max(1, Math.floor(Math.min(width, maxPoints / (4 * lines.length))));
  const rows: LineRow[] = [];
  let drawn = 0;
  lines.forEach((line, s) => {
    const kept =
      total <= maxPoints ? Uint32Array.from(line.value.keys()) : thinRows(line, { ...span, columns });
    drawn += kept.length;
    pushRows(rows, line, { s, kept, stepped: isStepped(line) });
  });
  return { rows, drawn, total };
}

/** From the first start to the last end. */
export function timeSpan(lines: readonly LineData[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, end } of lines) {
    if (start.length === 0) continue;
    from = Math.min(from, start[0]!);
    to = Math.max(to, end[end.length - 1]!);
  }
  return { from, to };
}

/** The first and the last moment of points, which are the ends of an axis of time. */
export function timesOf(rows: readonly LineRow[]): readonly [number, number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { t } of rows) {
    first = Math.min(first, t);
    last = Math.max(last, t);
  }
  return [first, last];
}

function pushRows(
  rows: LineRow[],
  line: LineData,
  { s, kept, stepped }: { s: number; kept: Uint32Array; stepped: boolean },
): void {
  const { start, end, value } = line;
  kept.forEach((row, at) => {
    const begins = at === 0 || isAfterGap(line, row);
    const ends = at === kept.length - 1 || isAfterGap(line, kept[at + 1]!);
    const point = { s, t: start[row]!, v: value[row]! };
    rows.push(begins && ends && !stepped ? { ...point, p: 1 } : point);
    if (!ends) return;
    if (stepped) rows.push({ s, t: end[row]!, v: value[row]! });
    if (at < kept.length - 1) rows.push({ s, t: end[row]!, v: null });
  });
}

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
