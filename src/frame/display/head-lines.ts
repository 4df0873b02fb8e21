import type { FrameSummary, ReportSummary } from './summary.js';

/** The lines above a frame: its shape, units, sources with licence, and the outcome of the retrieval. */
export function headLines(summary: FrameSummary): string[] {
  const { shape, rows, columns, series, bytes } = summary;
  const kind = shape === 'other' ? 'table' : `${shape} frame`;
  const size = `${formatCount(rows)} rows × ${formatCount(columns.length)} columns`;
  const ofSeries = shape === 'other' ? [] : [`${formatCount(series)} series`];
  const lines = [[kind, size, ...ofSeries, formatBytes(bytes)].join(' · ')];
  if (summary.units.length > 0)
    lines.push(`units: ${summary.units.map((unit) => unit.abbreviation).join(', ')}`);
  if (summary.sources.length > 0) {
    lines.push(`sources: ${summary.sources.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`);
  }
  if (summary.retrieved_at !== null)
    lines.push(`retrieved: ${summary.retrieved_at} from ${summary.api_host}`);
  if (summary.report !== null) lines.push(...reportLines(summary.report));
  if (summary.taken.length > 0)
    lines.push(`taken: ${summary.taken.map(({ asked, name }) => `${name} for "${asked}"`).join(', ')}`);
  if (summary.derived.length > 0) lines.push(`computed: ${summary.derived.join(', then ')}`);
  return lines;
}

function reportLines(report: ReportSummary): string[] {
  const parts = [
    [report.data, 'with data'],
    [report.empty, 'empty'],
    [report.failed, 'FAILED'],
    [report.truncated, 'truncated'],
    [report.dropped_duplicates, 'points dropped (same end date)'],
  ] as const;
  const counts = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${formatCount(number)} ${what}`);
  return counts.length === 0 ? [] : [`report: ${formatCount(report.series)} series, ${counts.join(', ')}`];
}

/** A whole number with thousands separators, independent of the locale. */
export function formatCount(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
