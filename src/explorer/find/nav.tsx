import { signal, useComputed, useSignal } from '@preact/signals';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { fewestNames } from '../../model/names/short-labels.js';
import type { FacetValue } from '../../model/selection.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { Dialog } from '../controls/dialog.js';
import { DateField } from '../controls/fields.js';
import { formatNumber, plural } from '../controls/format.js';
import { useIsWide } from '../controls/media.js';
import { VirtualList } from '../controls/virtual-list.js';
import { Failure } from '../controls/waiting.js';
import { nameOf, namesOf, seriesName } from '../state/names.js';
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
import { FACETS, type Facet, NO_FILTERS } from '../state/view-state.js';
import { facetHits, facets, facetTexts, withFilter } from './facets.js';
import { matching, pickFilters, pickProblem, proposeFirstView, toggleSeries } from './matching.js';

/** Whether the dialog with the lists is open, where there is no room for them. */
export const isChoosing = signal(false);

/** The chosen series, and the lists that narrow them down: next to the figure, or in a dialog where there is no room. */
export function Nav() {
  const isWide = useIsWide();
  if (isWide)
    return (
      <nav class="nav" aria-label="Choose series">
        <Choices />
      </nav>
    );
  return (
    <nav class="nav-narrow" aria-label="Choose series">
      <AsOfField />
      {isChoosing.value && (
        <Dialog title="Choose series" className="full" onClose={() => (isChoosing.value = false)}>
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
function Chips() {
  const { series } = page.value;
  const labels = fewestNames(series.map(namesOf));
  return (
    <section class="chips" aria-label="Chosen series">
      <header>
        <h2>{series.length === 0 ? 'No series' : plural(series.length, 'series', 'series')}</h2>
        {series.length > 0 && (
          <button type="button" class="quiet" onClick={() => choose({ series: [] })}>
            Remove all
          </button>
        )}
      </header>
      <ul>
        {series.map((one, at) => (
          <li key={seriesKeyText(one)} class="chip">
            <span class="swatch" style={{ background: colourOf(one) }} aria-hidden="true" />
            <span class="chip-name" title={seriesName(one)}>
              {labels[at]}
            </span>
            <button type="button" aria-label={`Remove ${seriesName(one)}`} onClick={() => toggleSeries(one)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      {series.length >= MAX_SERIES && <p class="quiet-text">A view shows at most {MAX_SERIES} series.</p>}
    </section>
  );
}

/** The selections that were saved, and the latest ones. They are kept in this browser alone. */
function SavedViews() {
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

const TITLES: Readonly<Record<Facet, string>> = {
  metric: 'Metric',
  item: 'Item',
  region: 'Region',
  source: 'Source',
  frequency: 'Frequency',
};

const ROW_REMS = 1.875;

/** The values of a facet that have data under the other filters, with counts. */
function FacetList({ facet }: { facet: Facet }) {
  const chosen = page.value.filters[facet];
  const isOpen = useSignal(facet !== 'source' && facet !== 'frequency');
  const values = useComputed(() => valuesOf(facet));
  const toggle = (id: number) => {
    const ids = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    void pickFilters(withFilter(facet, ids));
  };
  const text = facetTexts[facet];
  const hasMore = (facets.loaded.value.value?.more[facet] ?? 0) > 0;
  return (
    <details
      class="facet"
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>
        {TITLES[facet]}
        {chosen.length > 0 && <span class="count">{formatNumber(chosen.length)} chosen</span>}
      </summary>
      {(hasMore || text.value !== '') && (
        <input
          type="search"
          aria-label={`Search in ${TITLES[facet].toLowerCase()}`}
          placeholder={`Search ${TITLES[facet].toLowerCase()} …`}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      )}
      <VirtualList rows={values.value} rowRems={ROW_REMS} visibleRows={8} label={TITLES[facet]}>
        {(value) => (
          <label class="facet-value">
            <input type="checkbox" checked={chosen.includes(value.id)} onChange={() => toggle(value.id)} />
            <span class="facet-name" title={value.name}>
              {value.name}
            </span>
            <span class="count">{formatNumber(value.series)}</span>
          </label>
        )}
      </VirtualList>
      {values.value.length === 0 && <p class="quiet-text">{emptyNote(facet)}</p>}
    </details>
  );
}

/** The chosen values first, also those that other filters leave without series. */
function valuesOf(facet: Facet): readonly FacetValue[] {
  const text = (facetTexts[facet].value ?? '').trim();
  const found = text === '' ? facets.loaded.value.value?.values[facet] : facetHits[facet].loaded.value.value;
  const values = found ?? [];
  const chosen = page.value.filters[facet].map(
    (id) => values.find((value) => value.id === id) ?? { id, name: nameOf(facet, id), series: 0 },
  );
  return [...chosen, ...values.filter(({ id }) => !chosen.some((one) => one.id === id))];
}

function emptyNote(facet: Facet): string {
  if (facets.loaded.value.isLoading || facetHits[facet].loaded.value.isLoading) return 'Loading …';
  return (facetTexts[facet].value ?? '') === ''
    ? 'Nothing has data here.'
    : 'Nothing with data has this name.';
}

const SERIES_ROW_REMS = 2.75;

/** The series that fit the filters; each can be drawn or removed. */
function MatchingList() {
  const { filters, series } = page.value;
  const restricting = FACETS.filter((facet) => filters[facet].length > 0);
  if (restricting.length === 0) return null;
  const found = matching.loaded.value.value ?? [];
  const total = facets.loaded.value.value?.series;
  const drawn = new Set(series.map(seriesKeyText));
  return (
    <section class="matching" aria-label="Series that fit">
      <header>
        <h2>{total === undefined ? 'Series that fit' : `${plural(total, 'series fits', 'series fit')}`}</h2>
        <button type="button" class="quiet" onClick={() => void pickFilters(NO_FILTERS)}>
          Clear filters
        </button>
      </header>
      {total === 0 && (
        <p class="notice">
          Nothing has all of these. Lift a filter:{' '}
          {restricting.map((facet) => (
            <button key={facet} type="button" onClick={() => void pickFilters({ ...filters, [facet]: [] })}>
              any {facet} ({formatNumber(facets.loaded.value.value?.lifted[facet] ?? 0)})
            </button>
          ))}
        </p>
      )}
      <VirtualList rows={found} rowRems={SERIES_ROW_REMS} visibleRows={6} label="Series that fit">
        {(one) => (
          <label class="facet-value">
            <input
              type="checkbox"
              checked={drawn.has(seriesKeyText(one))}
              onChange={() => toggleSeries(seriesKeyOf(one))}
            />
            <span class="facet-name" title={seriesName(one)}>
              {seriesName(one)}
            </span>
            {one.data_count_estimate !== undefined && (
              <span class="count">{formatNumber(one.data_count_estimate)}</span>
            )}
          </label>
        )}
      </VirtualList>
      {total !== undefined && total > found.length && (
        <p class="quiet-text">
          The {formatNumber(found.length)} best covered of {formatNumber(total)} are listed. Narrow them down
          by the lists below.
        </p>
      )}
    </section>
  );
}
