import type { LongFrame } from '../../browser.js';
import { nameOf } from '../state/names.js';
import { page } from '../state/page.js';
import type { SeriesId } from '../state/series-id.js';
import { host } from '../state/service.js';
import { clientProgram } from '../take/code/code-typescript.js';
import { literal } from '../take/code/quote.js';
import type { Taken } from '../take/taken.js';

/** Every vintage of the shown series, and of all chosen ones. */
export function takenVintages(shown: SeriesId, own: LongFrame, all: LongFrame): Taken {
  const { series, unit } = page.peek();
  const options = {
    include_names: true,
    complete_history: true,
    show_available_date: true,
    unit_id: unit ?? undefined,
  };
  const { metric_id, item_id, region_id } = shown;
  return {
    title: `vintages ${nameOf('metric', metric_id)} ${nameOf('item', item_id)} ${nameOf('region', region_id)}`,
    shown: own,
    whole: series.length > 1 ? all : null,
    labels: { shown: 'Every vintage of this series', whole: 'Every vintage of the chosen series' },
    cited: own,
    request: null,
    names: [],
    notes: [],
    typescript: clientProgram(host, {
      body: [
        ...series.map((one) => `client.addSingleDataSeries(${literal(one)});`),
        `console.log(await client.getDf(${literal(options)}));`,
      ],
    }),
  };
}
