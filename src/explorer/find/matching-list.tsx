import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { formatCount, plural } from '../controls/format.js';
import { VirtualList } from '../controls/virtual-list.js';
import { seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { FACETS, NO_FILTERS } from '../state/view-state.js';
import { facets } from './facets.js';
import { matching, pickFilters, toggleSeries } from './matching.js';

const ROW_REMS = 2.75;

/** The series that fit the filters; each can be drawn or removed. */
export function MatchingList() {
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
              any {facet} ({formatCount(facets.loaded.value.value?.lifted[facet] ?? 0)})
            </button>
          ))}
        </p>
      )}
      <VirtualList rows={found} rowRems={ROW_REMS} visibleRows={6} label="Series that fit">
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
              <span class="count">{formatCount(one.data_count_estimate)}</span>
            )}
          </label>
        )}
      </VirtualList>
      {total !== undefined && total > found.length && (
        <p class="quiet-text">
          The {formatCount(found.length)} best covered of {formatCount(total)} are listed. Narrow them down by
          the lists below.
        </p>
      )}
    </section>
  );
}
