import { type SeriesNames, seriesLabels } from '../../model/names/short-labels.js';

/** What tells each series from the others, in few words; where nothing does, item and region. */
export function fewestNames(series: readonly SeriesNames[]): readonly string[] {
  return seriesLabels(series).map(({ label }, at) => label || series[at]!.slice(1, 3).join(' · '));
}
