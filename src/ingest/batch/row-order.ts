/** Points as they arrive. Times are numbers, NaN for null: cheaper to fill and to sort than 64-bit integers. */
export interface RawColumns {
  readonly series: Uint32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly value: Float64Array;
  readonly unit: Int32Array;
  readonly reporting: Float64Array;
  readonly available: Float64Array;
  readonly line: Int32Array;
}

/** Row numbers in the order wanted; null where the rows are in it already. */
export type Order = Uint32Array | null;

/** Row numbers sorted by series, start, end, reporting date (null first) and available date. */
export function sortedRows(raw: RawColumns, length: number, seriesCount: number): Order {
  if (areSorted(raw, length)) return null;
  const ends = new Uint32Array(seriesCount + 1);
  for (let row = 0; row < length; row++) ends[raw.series[row]! + 1]!++;
  for (let i = 1; i <= seriesCount; i++) ends[i]! += ends[i - 1]!;
  const order = new Uint32Array(length);
  const next = ends.slice();
  for (let row = 0; row < length; row++) order[next[raw.series[row]!]!++] = row;
  for (let i = 0; i < seriesCount; i++) sortSeriesRows(raw, order, { from: ends[i]!, to: ends[i + 1]! });
  return order;
}

function areSorted(raw: RawColumns, length: number): boolean {
  for (let row = 1; row < length; row++) {
    const order = raw.series[row - 1]! - raw.series[row]!;
    if (order > 0 || (order === 0 && compareRows(raw, row - 1, row) > 0)) return false;
  }
  return true;
}

/** Sorts the rows of one series; most sources are sorted already, and have too many series to make an array for each. */
function sortSeriesRows(
  raw: RawColumns,
  order: Uint32Array,
  { from, to }: { from: number; to: number },
): void {
  for (let i = from + 1; i < to; i++) {
    if (compareRows(raw, order[i - 1]!, order[i]!) <= 0) continue;
    order.subarray(from, to).sort((a, b) => compareRows(raw, a, b));
    return;
  }
}

/** Compares two rows of one series; those that are equal stay in order of arrival. */
function compareRows(raw: RawColumns, a: number, b: number): number {
  return (
    raw.start[a]! - raw.start[b]! ||
    raw.end[a]! - raw.end[b]! ||
    reportingRank(raw.reporting[a]!) - reportingRank(raw.reporting[b]!) ||
    raw.available[a]! - raw.available[b]! ||
    a - b
  );
}

function reportingRank(reporting: number): number {
  return Number.isNaN(reporting) ? -Number.MAX_VALUE : reporting;
}
