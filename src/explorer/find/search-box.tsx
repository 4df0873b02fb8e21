import { Combobox } from '../controls/combobox.js';
import { formatCount } from '../controls/format.js';
import { sentenceOf } from '../controls/waiting.js';
import { drag, page } from '../state/page.js';
import { type Hit, searchHits } from './facets.js';
import { pickHit } from './matching.js';

/** The id of the field, to which `/` moves. */
export const SEARCH_ID = 'search';

/** One field that finds metrics, items, regions and sources. */
export function SearchBox() {
  const { value, error, isLoading } = searchHits.loaded.value;
  const { query } = page.value;
  const options = (query.trim() === '' ? [] : (value ?? [])).map((hit) => ({
    hit,
    key: `${hit.facet} ${hit.id}`,
    content: <HitRow hit={hit} />,
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
      onPick={({ hit }, adds) => void pickHit(hit.facet, hit.id, adds)}
    />
  );
}

function HitRow({ hit }: { hit: Hit }) {
  return (
    <>
      <span class="hit-name">
        {hit.name}
        <Comma />
      </span>
      {hit.matched !== undefined && (
        <span class="hit-matched">
          {hit.matched}
          <Comma />
        </span>
      )}
      <span class="hit-kind">
        {hit.facet}
        <Comma />
      </span>
      <span class="count">
        {formatCount(hit.series)}
        <span class="visually-hidden"> series</span>
      </span>
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
