import type { Line } from './lines.js';

const PARTS = [
  'metric_name',
  'item_name',
  'region_name',
  'partner_region_name',
  'frequency_name',
  'source_name',
] as const;

/** What tells each series from the others, in few words; for a single series its region. */
export function labelsOf(lines: readonly Line[]): readonly string[] {
  const differing = PARTS.filter((part) => new Set(lines.map(({ names }) => names[part])).size > 1);
  const shown = differing.length > 0 ? differing : (['item_name', 'region_name'] as const);
  const labels = lines.map(({ names }) =>
    shown
      .map((part) => names[part])
      .filter((name) => name !== '')
      .join(' · '),
  );
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isRepeated(label) ? `${label} (${lines[at]!.unit || at + 1})` : label));
}
