import { isValid } from '../../../src/columns/bitmap.js';
import type { PointColumns, VintageColumns } from '../../../src/columns/point-columns.js';
import { joinColumns, takeRows } from '../../columns/point-rows.js';

/** Which vintages are wanted. Times are UTC milliseconds; null means no restriction. */
interface RevisionRule {
  /** `latest`: one row a period; `reporting`: one row a period and reporting date; `complete`: every vintage. */
  readonly history: 'latest' | 'reporting' | 'complete';
  /** Keeps periods whose end is at or after this. */
  readonly startMs: number | null;
  /** Keeps periods whose start is at or before this. */
  readonly endMs: number | null;
  /** As-of: ignores vintages that became available after this. */
  readonly atMs: number | null;
  /** Keeps, of the chosen rows, those that became available at or after this. */
  readonly sinceMs: number | null;
}

/**
 * Chooses vintages by a rule. The result is sorted by series, start, end, reporting date (none first) and available
 * date. The latest vintage of a period has the latest reporting date, then the latest available date; a vintage without
 * reporting date is the oldest, and a revision to null is a revision. Vintages may be in any order.
 */
export function chooseRevisions(vintages: VintageColumns, rule: RevisionRule): VintageColumns {
  const existing = sortedRows(vintages, (row) => exists(vintages, row, rule));
  const chosen = existing.filter((row, i) => {
    const next = existing[i + 1];
    if (next === undefined || rule.history === 'complete') return true;
    if (comparePeriods(vintages, row, next) !== 0) return true;
    return rule.history === 'reporting' && compareReporting(vintages, row, next) !== 0;
  });
  const { sinceMs } = rule;
  const since = sinceMs === null ? null : BigInt(Math.ceil(sinceMs));
  return takeRows(
    vintages,
    chosen.filter((row) => since === null || vintages.available_date[row]! >= since),
  );
}

function exists(
  vintages: VintageColumns,
  row: number,
  { startMs, endMs, atMs }: Pick<RevisionRule, 'startMs' | 'endMs' | 'atMs'>,
): boolean {
  return (
    (startMs === null || Number(vintages.end_date[row]) >= startMs) &&
    (endMs === null || Number(vintages.start_date[row]) <= endMs) &&
    (atMs === null || Number(vintages.available_date[row]) <= atMs)
  );
}

/** The vintages that a store holds after an import, and what the import changed. */
interface MergedVintages {
  readonly vintages: VintageColumns;
  readonly added: number;
  /** Added vintages of periods that already had a vintage. */
  readonly revised: number;
  readonly unchanged: number;
  /** New vintages that repeat another new one. */
  readonly duplicates: number;
  /** New vintages that contradict another new one. */
  readonly conflicts: number;
}

/**
 * Merges new vintages into those held, both over one list of series. Of several new vintages with equal dates the last
 * one counts if they have the same value and unit, and none if they contradict each other.
 *
 * Held vintages never change. A new vintage with the dates of a held one is a correction if it is the newest new one of its
 * report (period and reporting date), unless it repeats the newest held one; without a reporting date, also unless it
 * repeats the held one of its dates. A correction becomes available with the import, after all held vintages of the report.
 * Any other new vintage is added, unless it became available by the import itself and repeats the held one before it.
 */
export function mergeVintages(
  held: VintageColumns,
  incoming: VintageColumns,
  importedMs: number,
): MergedVintages {
  const { settled, duplicates, conflicts } = settleVintages(incoming);
  const all = joinColumns([withMetadata(held), withMetadata(settled)]) as VintageColumns;
  const rows = sortedRows(all, () => true);
  const kept: number[] = [];
  const added: number[] = [];
  const isHeld = (row: number) => row < held.length;
  for (const [i, row] of rows.entries()) {
    if (!isHeld(row)) {
      const before = i > 0 && isHeld(rows[i - 1]!) && sameReport(all, rows[i - 1]!, row) ? rows[i - 1]! : row;
      const repeats = before !== row && sameContent(all, before, row);
      if (before !== row && compareAvailable(all, before, row) === 0) {
        const report = rows.filter((other) => sameReport(all, other, row));
        const newest = report.findLast(isHeld)!;
        const repeatsOwn = repeats && !isValid(all.reporting_valid, row);
        if (report.findLast((other) => !isHeld(other)) !== row) continue;
        if (repeatsOwn || sameContent(all, newest, row)) continue;
        const after = all.available_date[newest]! + 1n;
        all.available_date[row] = after > BigInt(importedMs) ? after : BigInt(importedMs);
      } else if (repeats && Number(all.available_date[row]) === importedMs) continue;
      added.push(row);
    }
    kept.push(row);
  }
  const merged = takeRows(all, Uint32Array.from(kept)) as VintageColumns;
  return {
    vintages: takeRows(
      merged,
      sortedRows(merged, () => true),
    ) as VintageColumns,
    added: added.length,
    revised: added.length - countNewPeriods(all, rows, { held: held.length, added: new Set(added) }),
    unchanged: settled.length - added.length,
    duplicates,
    conflicts,
  };
}

/** The vintages of one import, each of its dates once and without contradictory ones. */
function settleVintages(incoming: VintageColumns): {
  settled: VintageColumns;
  duplicates: number;
  conflicts: number;
} {
  const rows = sortedRows(incoming, () => true);
  const kept: number[] = [];
  let conflicts = 0;
  for (let first = 0, end = 0; first < rows.length; first = end) {
    for (end = first + 1; end < rows.length && compareVintages(incoming, rows[first]!, rows[end]!) === 0; )
      end++;
    const repeats = rows.subarray(first, end);
    if (repeats.every((row) => sameFigure(incoming, row, repeats[0]!))) kept.push(repeats.at(-1)!);
    else conflicts += repeats.length;
  }
  const settled = takeRows(incoming, Uint32Array.from(kept)) as VintageColumns;
  return { settled, duplicates: incoming.length - kept.length - conflicts, conflicts };
}

/** Number of periods, in sorted rows, with added vintages and no held one. */
function countNewPeriods(
  all: VintageColumns,
  rows: Uint32Array,
  { held, added }: { held: number; added: ReadonlySet<number> },
): number {
  let count = 0;
  for (let first = 0, end = 0; first < rows.length; first = end) {
    for (end = first + 1; end < rows.length && comparePeriods(all, rows[first]!, rows[end]!) === 0; ) end++;
    const period = rows.subarray(first, end);
    if (period.some((row) => added.has(row)) && !period.some((row) => row < held)) count++;
  }
  return count;
}

function sameReport(all: VintageColumns, a: number, b: number): boolean {
  return comparePeriods(all, a, b) === 0 && compareReporting(all, a, b) === 0;
}

function sameContent(all: VintageColumns, a: number, b: number): boolean {
  return sameFigure(all, a, b) && all.metadata?.[a] === all.metadata?.[b];
}

/** Whether values and units are equal. */
function sameFigure(all: VintageColumns, a: number, b: number): boolean {
  const valueA = isValid(all.value_valid, a) ? all.value[a]! : Number.NaN;
  const valueB = isValid(all.value_valid, b) ? all.value[b]! : Number.NaN;
  const sameValue = valueA === valueB || (Number.isNaN(valueA) && Number.isNaN(valueB));
  return sameValue && all.unit_id[a] === all.unit_id[b];
}

function withMetadata(vintages: VintageColumns): VintageColumns {
  return vintages.metadata === undefined
    ? { ...vintages, metadata: Array<null>(vintages.length).fill(null) }
    : vintages;
}

function compareVintages(vintages: VintageColumns, a: number, b: number): number {
  return (
    comparePeriods(vintages, a, b) || compareReporting(vintages, a, b) || compareAvailable(vintages, a, b)
  );
}

/** Rows that pass, in the order of point columns; vintages with equal dates keep their order. */
function sortedRows(vintages: VintageColumns, passes: (row: number) => boolean): Uint32Array {
  const rows = Uint32Array.from({ length: vintages.length }, (_, row) => row).filter((row) => passes(row));
  return rows.sort((a, b) => compareVintages(vintages, a, b) || a - b);
}

/** Orders rows by series, start and end; zero for vintages of one period. */
function comparePeriods({ series, start_date, end_date }: PointColumns, a: number, b: number): number {
  return (
    series[a]! - series[b]! ||
    compareTimes(start_date[a]!, start_date[b]!) ||
    compareTimes(end_date[a]!, end_date[b]!)
  );
}

/** Orders vintages of one period by reporting date; none is the oldest. */
function compareReporting({ reporting_date, reporting_valid }: PointColumns, a: number, b: number): number {
  const validA = isValid(reporting_valid, a);
  const validB = isValid(reporting_valid, b);
  if (!validA || !validB) return Number(validA) - Number(validB);
  return compareTimes(reporting_date[a]!, reporting_date[b]!);
}

function compareAvailable({ available_date }: VintageColumns, a: number, b: number): number {
  return compareTimes(available_date[a]!, available_date[b]!);
}

function compareTimes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
