import { useSignal } from '@preact/signals';
import { seriesKeyText } from '../../model/series.js';
import { Dialog } from '../controls/dialog.js';
import { DateField } from '../controls/fields.js';
import { plural } from '../controls/format.js';
import { useIsWide } from '../controls/media.js';
import { Failure } from '../controls/waiting.js';
import { fewestNames } from '../state/labels.js';
import { namesOf, seriesName } from '../state/names.js';
import { choose, page } from '../state/page.js';
import { colourOf } from '../state/points.js';
import {
  recentViews,
  removeView,
  type SavedView,
  savedViews,
  saveView,
  titleOf,
} from '../state/preferences.js';
import { parseState, printState } from '../state/url.js';
import { FACETS, MAX_SERIES } from '../state/view-state.js';
import { FacetList } from './facet-list.js';
import { facets } from './facets.js';
import { pickProblem, proposeFirstView, toggleSeries } from './matching.js';
import { MatchingList } from './matching-list.js';

/** What is chosen, and the lists in which it is narrowed down: beside the figure, or in a dialog where there is no room. */
export function Nav() {
  const isWide = useIsWide();
  const isOpen = useSignal(false);
  if (isWide)
    return (
      <nav class="nav" aria-label="Choose series">
        <Choices />
      </nav>
    );
  const { series } = page.value;
  return (
    <nav class="nav-narrow" aria-label="Choose series">
      <button type="button" onClick={() => (isOpen.value = true)}>
        Series ({series.length})
      </button>
      <AsOfField />
      {isOpen.value && (
        <Dialog title="Choose series" className="full" onClose={() => (isOpen.value = false)}>
          <Choices />
        </Dialog>
      )}
    </nav>
  );
}

function Choices() {
  const { error } = facets.loaded.value;
  return (
    <>
      {pickProblem.value !== null && (
        <Failure
          error={pickProblem.value}
          what="The series could not be listed."
          onRetry={() => {
            pickProblem.value = null;
            void proposeFirstView();
          }}
        />
      )}
      <Chips />
      <MatchingList />
      {error !== null && (
        <Failure error={error} what="The lists could not be loaded." onRetry={facets.retry} />
      )}
      {FACETS.map((facet) => (
        <FacetList key={facet} facet={facet} />
      ))}
      <SavedViews />
    </>
  );
}

/** The date as known on which everything is shown. */
export function AsOfField() {
  return <DateField label="As known on" value={page.value.asof} onChange={(asof) => choose({ asof })} />;
}

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

/** The selections that were saved, and the latest ones. They are kept in this browser alone. */
export function SavedViews() {
  const isShown = page.value.series.length > 0;
  return (
    <section class="kept" aria-label="Saved and recent selections">
      <header>
        <h2>Saved and recent</h2>
        <button
          type="button"
          class="quiet"
          disabled={!isShown}
          onClick={() => saveView({ title: titleOf(page.peek()), query: printState(page.peek()) })}
        >
          Save this one
        </button>
      </header>
      <ul>
        {savedViews.value.map((view) => (
          <li key={`saved ${view.title}`}>
            <OpenButton view={view} />
            <button type="button" aria-label={`Remove ${view.title}`} onClick={() => removeView(view)}>
              ×
            </button>
          </li>
        ))}
        {recentViews.value.map((view) => (
          <li key={`recent ${view.title}`} class="recent">
            <OpenButton view={view} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenButton({ view }: { view: SavedView }) {
  return (
    <button
      type="button"
      class="link"
      title={view.title}
      onClick={() => choose(parseState(view.query).state)}
    >
      {view.title}
    </button>
  );
}
