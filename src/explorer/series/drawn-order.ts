import { signal } from '@preact/signals';
import { COLOURS } from '../../charts/theme.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';

/** The series of the chart in the order of their colours. */
export const drawnOrder = signal<readonly { readonly key: SeriesKey }[]>([]);

/** The class of a series' colour, as the chart draws it; quiet for a series that is not drawn. */
export function colourOf(series: SeriesKey): string {
  const place = (textOf: (key: SeriesKey) => string) =>
    drawnOrder.value.findIndex(({ key }) => textOf(key) === textOf(series));
  const exact = place(seriesKeyText);
  // A resampled series has another frequency than the one that was chosen.
  const at = exact >= 0 ? exact : place((key) => seriesKeyText({ ...key, frequency_id: 0 }));
  return at < 0 ? 'colour-none' : `colour-${at % COLOURS.length}`;
}
