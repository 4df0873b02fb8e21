import { seriesKeyText } from '../../model/series.js';
import { plural } from '../parts/format.js';
import { colourOf } from '../series/drawn-order.js';
import { fewestNames } from '../series/labels.js';
import { namesOf, seriesName } from '../state/names.js';
import { choose, page } from '../state/page.js';
import { MAX_SERIES } from '../state/view-state.js';
import { toggleSeries } from './pick.js';

/** The series that are drawn, each with its colour and a button that takes it away. */
export function Chips() {
  const { series } = page.value;
  const labels = fewestNames(series.map(namesOf));
  return (
    <section class="chips" aria-label="Chosen series">
      <header>
        <h2>{plural(series.length, 'series', 'series')}</h2>
        {series.length > 0 && (
          <button type="button" class="quiet" onClick={() => choose({ series: [] })}>
            Remove all
          </button>
        )}
      </header>
      <ul>
        {series.map((one, at) => (
          <li key={seriesKeyText(one)} class="chip">
            <span class={`swatch ${colourOf(one)}`} aria-hidden="true" />
            <span class="chip-name" title={seriesName(one)}>
              {labels[at]}
            </span>
            <button type="button" aria-label={`Remove ${seriesName(one)}`} onClick={() => toggleSeries(one)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      {series.length >= MAX_SERIES && (
        <p class="quiet-text">{MAX_SERIES} series are the most that a view shows.</p>
      )}
    </section>
  );
}
