import type { LongFrame } from '../../frame/table/frame-types.js';
import type { SeriesKey } from '../../model/series.js';
import { nameOf, seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { requestOf } from '../state/request.js';
import { EMPTY_STATE } from '../state/view-state.js';
import type { Taken } from '../take/taken.js';

/** Every vintage of the shown series, and of all chosen ones. */
export function takenVintages(shown: SeriesKey, own: LongFrame, all: LongFrame): Taken {
  const { series, unit } = page.peek();
  const { metric_id, item_id, region_id } = shown;
  return {
    title: `vintages ${nameOf('metric', metric_id)} ${nameOf('item', item_id)} ${nameOf('region', region_id)}`,
    shown: own,
    whole: series.length > 1 ? all : null,
    labels: { shown: 'Every vintage of this series', whole: 'Every vintage of the chosen series' },
    cited: own,
    request: { ...requestOf(EMPTY_STATE), series: [shown], unit, vintages: true },
    names: [seriesName(shown)],
    notes: [],
  };
}
