import { Combobox } from '../controls/combobox.js';
import { formatNumber } from '../controls/format.js';
import { sentenceOf } from '../controls/waiting.js';
import { drag, page } from '../state/page.js';
import { EMPTY_STATE } from '../state/view-state.js';
import { type Hit, searchHits } from './facets.js';
import { pickFilters, pickHit } from './matching.js';

/** The id of the field, to which `/` moves. */
export const SEARCH_ID = 'search';

/** One field that finds metrics, items, regions and sources. */
export function SearchBox() {
  const { value, error, isLoading } = searchHits.loaded.value;
  const { query } = page.value;
  const options = (query.trim() === '' ? [] : (value ?? [])).map((hits) => ({
    hits,
    key: hits.map(({ facet, id }) => `${facet} ${id}`).join(' '),
    content: <HitRow hits={hits} />,
  }));
  return (
    <Combobox
      inputId={SEARCH_ID}
      label="Search metrics, items, regions and sources"
      placeholder="Search: corn yield, Iowa, rain …"
      text={query}
      onText={(text) => drag({ query: text })}
      options={options}
      isStale={isLoading}
      note={noteOf({ query, error, isLoading, count: options.length })}
      onPick={({ hits }, adds) => {
        const [{ facet, id }] = hits as [Hit];
        if (hits.length === 1) void pickHit(facet, id, adds);
        else
          void pickFilters({
            ...EMPTY_STATE.filters,
            ...Object.fromEntries(hits.map((hit) => [hit.facet, [hit.id]])),
          });
      }}
    />
  );
}

/** A hit, or the meaning of all words of a text together. */
function HitRow({ hits }: { hits: readonly Hit[] }) {
  const [{ matched, facet, series }, ...others] = hits as [Hit, ...Hit[]];
  return (
    <>
      <span class="hit-name">
        {hits.map(({ name }) => name).join(' · ')}
        <Comma />
      </span>
      {matched !== undefined && others.length === 0 && (
        <span class="hit-matched">
          {matched}
          <Comma />
        </span>
      )}
      <span class="hit-kind">{others.length > 0 ? 'all of these' : facet}</span>
      {others.length === 0 && (
        <span class="count">
          <Comma />
          {formatNumber(series)}
          <span class="visually-hidden"> series</span>
        </span>
      )}
    </>
  );
}

/** Separates the parts of a hit for screen readers. */
function Comma() {
  return <span class="visually-hidden">{', '}</span>;
}

function noteOf(found: { query: string; error: unknown; isLoading: boolean; count: number }): string | null {
  if (found.query.trim() === '') return null;
  if (found.error !== null) return `The search failed. ${sentenceOf(found.error)}`;
  if (found.isLoading && found.count === 0) return 'Searching …';
  if (found.count > 0) return null;
  return `Nothing with data is called “${found.query.trim()}”. Try fewer or other words, or a code.`;
}
