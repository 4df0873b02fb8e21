import { useComputed, useSignal } from '@preact/signals';
import type { FacetValue } from '../../model/selection.js';
import { formatCount } from '../controls/format.js';
import { VirtualList } from '../controls/virtual-list.js';
import { nameOf } from '../state/names.js';
import { page } from '../state/page.js';
import type { Facet } from '../state/view-state.js';
import { facetHits, facets, facetTexts, withFilter } from './facets.js';
import { pickFilters } from './matching.js';

const TITLES: Readonly<Record<Facet, string>> = {
  metric: 'Metric',
  item: 'Item',
  region: 'Region',
  source: 'Source',
  frequency: 'Frequency',
};

const ROW_REMS = 1.875;

/** The values of a facet that have data under the other filters, with counts. */
export function FacetList({ facet }: { facet: Facet }) {
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
        {chosen.length > 0 && <span class="count">{formatCount(chosen.length)} chosen</span>}
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
            <span class="count">{formatCount(value.series)}</span>
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
    : 'Nothing with data is called so.';
}
