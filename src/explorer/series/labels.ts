import { type SeriesNames, seriesLabels } from '../../model/names/short-labels.js';
import { type Line, NAME_COLUMNS } from './lines.js';

/** What tells each series from the others, in few words; where nothing does, item and region. */
export function fewestNames(series: readonly SeriesNames[]): readonly string[] {
  return seriesLabels(series).map(({ label }, at) => label || series[at]!.slice(1, 3).join(' · '));
}

/** The same for series with values, of which one may be in several units. */
export function labelsOf(lines: readonly Line[]): readonly string[] {
  const labels = fewestNames(
    lines.map(({ names }) => NAME_COLUMNS.map((part) => names[part]) as unknown as SeriesNames),
  );
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isRepeated(label) ? `${label} (${lines[at]!.unit || at + 1})` : label));
}
