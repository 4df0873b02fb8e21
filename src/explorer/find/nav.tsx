import { signal } from '@preact/signals';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { seriesLabels } from '../../model/names/short-labels.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { Dialog } from '../controls/dialog.js';
import { DateField } from '../controls/fields.js';
import { formatNumber, plural } from '../controls/format.js';
import { isWide } from '../controls/media.js';
import { TickList } from '../controls/tick-list.js';
import { Failure } from '../controls/waiting.js';
import { nameOf, namesOf, seriesName, TYPES } from '../state/names.js';
import { choose, page } from '../state/page.js';
import { colourOf } from '../state/points.js';
import { recentViews, savedViewOf, savedViews, withFirst } from '../state/preferences.js';
import { parseState } from '../state/url.js';
import { EMPTY_STATE, FACETS } from '../state/view-state.js';
import { facetLists, facets } from './facets.js';
import { matching, pickFilters, pickProblem, proposeFirstView, toggleSeries } from './matching.js';

/** Whether the dialog with the lists is open, where there is no room for them. */
export const isChoosing = signal(false);

/** The chosen series, and the lists that narrow them down: next to the figure, or in a dialog where there is no room. */
export function Nav() {
  if (isWide.value)
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
      {facetLists.map((list) => (
        <FacetList key={list.facet} {...list} />
      ))}
      <SavedViews />
    </>
  );
}

/** The date as known on which everything is shown. */
export function AsOfField() {
  return (
    <DateField label="As known at the end of" value={page.value.asof} onChange={(asof) => choose({ asof })} />
  );
}

/** The series that are drawn, each with its colour and a button that takes it away. */
function Chips() {
  const { series } = page.value;
  const labels = seriesLabels(series.map(namesOf)).map(({ label }) => label);
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
  const kept = [
    ...savedViews.value.map((view) => ({ view, isSaved: true })),
    ...recentViews.value.map((view) => ({ view, isSaved: false })),
  ];
  return (
    <section class="kept" aria-label="Saved and recent selections">
      <header>
        <h2>Saved and recent</h2>
        <button
          type="button"
          class="quiet"
          disabled={!isShown}
          onClick={() => (savedViews.value = withFirst(savedViewOf(page.peek()), savedViews.peek()))}
        >
          Save this one
        </button>
      </header>
      <ul>
        {kept.map(({ view, isSaved }) => (
          <li key={`${isSaved} ${view.title}`} class={isSaved ? '' : 'recent'}>
            <button
              type="button"
              class="link"
              title={view.title}
              onClick={() => choose(parseState(view.query).state)}
            >
              {view.title}
            </button>
            {isSaved && (
              <button
                type="button"
                aria-label={`Remove ${view.title}`}
                onClick={() => (savedViews.value = savedViews.peek().filter((one) => one !== view))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The values of a facet that have data under the other filters, with counts. */
function FacetList({ facet, text, hits }: (typeof facetLists)[number]) {
  const chosen = page.value.filters[facet];
  const isSought = text.value.trim() !== '';
  const { value: found, isLoading } = (isSought ? hits : facets).loaded.value;
  const values = found?.[TYPES[facet]] ?? [];
  // The chosen values come first, also those that other filters leave without series.
  const first = chosen.map(
    (id) => values.find((value) => value.id === id) ?? { id, name: nameOf(facet, id), series: 0 },
  );
  const rows = [...first, ...values.filter(({ id }) => !chosen.includes(id))];
  const toggle = (id: number) => {
    const ids = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    void pickFilters({ ...page.peek().filters, [facet]: ids });
  };
  const hasMore = (facets.loaded.value.value?.more[TYPES[facet]] ?? 0) > 0;
  const title = facet[0]!.toUpperCase() + facet.slice(1);
  return (
    <details class="facet" open={facet !== 'source' && facet !== 'frequency'}>
      <summary>
        {title}
        {chosen.length > 0 && <span class="count">{formatNumber(chosen.length)} chosen</span>}
      </summary>
      {(hasMore || text.value !== '') && (
        <input
          type="search"
          aria-label={`Search in ${facet}`}
          placeholder={`Search ${facet} …`}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      )}
      <TickList
        rows={rows}
        visibleRows={8}
        label={title}
        tickOf={({ id, name, series }) => ({
          name,
          count: series,
          isTicked: chosen.includes(id),
          toggle: () => toggle(id),
        })}
      />
      {rows.length === 0 && (
        <p class="quiet-text">
          {isLoading ? 'Loading …' : isSought ? 'Nothing with data has this name.' : 'Nothing has data here.'}
        </p>
      )}
    </details>
  );
}

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
        <button type="button" class="quiet" onClick={() => void pickFilters(EMPTY_STATE.filters)}>
          Clear filters
        </button>
      </header>
      {total === 0 && (
        <p class="notice">
          Nothing has all of these. Lift a filter:{' '}
          {restricting.map((facet) => (
            <button key={facet} type="button" onClick={() => void pickFilters({ ...filters, [facet]: [] })}>
              any {facet} ({formatNumber(facets.loaded.value.value?.lifted[TYPES[facet]] ?? 0)})
            </button>
          ))}
        </p>
      )}
      <TickList
        rows={found}
        rowRems={2.75}
        visibleRows={6}
        label="Series that fit"
        tickOf={(one) => ({
          name: seriesName(one),
          count: one.data_count_estimate,
          isTicked: drawn.has(seriesKeyText(one)),
          toggle: () => toggleSeries(seriesKeyOf(one)),
        })}
      />
      {total !== undefined && total > found.length && (
        <p class="quiet-text">
          The {formatNumber(found.length)} best covered of {formatNumber(total)} are listed. Narrow them down
          by the lists below.
        </p>
      )}
    </section>
  );
}
