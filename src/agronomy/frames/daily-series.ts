import { frequencyOf, type SeriesPoints } from '../../frame/series/series-points.js';
import { type SeriesView, seriesName } from '../../frame/table/series-view.js';
import { badArgument } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, startOfDay } from '../../model/time.js';
import { alignDays, type DailyValues, emptyDays } from '../degree-days/daily-values.js';
import { listSeasons, type SeasonBounds, type SeasonSpan } from '../degree-days/seasons.js';

export interface DailySeries extends DailyValues {
  readonly view: SeriesView;
}

export function dailySeries({ view, end, value }: SeriesPoints): DailySeries {
  const frequency = frequencyOf(view);
  if (frequency.id !== frequencyId('daily')) {
    throw badArgument('table', `${seriesName(view)} is ${frequency.name}; pass daily series`);
  }
  if (end.length === 0) return { view, startMs: 0, values: new Float64Array(0) };
  const startMs = startOfDay(end[0]!);
  const values = emptyDays({ days: (startOfDay(end.at(-1)!) - startMs) / DAY_MS + 1 });
  alignDays(values, startMs, { dateAt: (i) => end[i]!, values: value });
  return { view, startMs, values };
}

/** Lists the seasons that overlap the days of the series, at full length. Without bounds, there is a single season. */
export function seasonsOfSeries(
  series: readonly DailySeries[],
  bounds: SeasonBounds | undefined,
): SeasonSpan[] {
  let [firstMs, afterMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { startMs, values } of series) {
    if (values.length === 0) continue;
    firstMs = Math.min(firstMs, startMs);
    afterMs = Math.max(afterMs, startMs + values.length * DAY_MS);
  }
  if (afterMs < firstMs) return [];
  return listSeasons(bounds, { firstMs, days: (afterMs - firstMs) / DAY_MS });
}
