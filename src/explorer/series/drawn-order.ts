import { signal } from '@preact/signals';
import { printSeries, type SeriesId } from '../state/series-id.js';

/** The series of the chart in the order of their colours. */
export const drawnOrder = signal<readonly { readonly id: SeriesId }[]>([]);

/** Colours repeat after this many series. */
const COLOURS = 8;

/** The class of a series' colour, as the chart draws it; quiet for a series that is not drawn. */
export function colourOf(series: SeriesId): string {
  const place = (key: (id: SeriesId) => string) =>
    drawnOrder.value.findIndex(({ id }) => key(id) === key(series));
  const exact = place(printSeries);
  // A resampled series has another frequency than the one that was chosen.
  const at = exact >= 0 ? exact : place((id) => printSeries({ ...id, frequency_id: 0 }));
  return at < 0 ? 'colour-none' : `colour-${at % COLOURS}`;
}
