import { Combobox } from '../controls/combobox.js';
import { formatNumber } from '../controls/format.js';
import { errorSentence } from '../controls/waiting.js';
import { drag, page } from '../state/page.js';
import { type Hit, type Meaning, searchHits } from './facets.js';
import { pickHit, pickMeaning } from './pick.js';

/** The id of the search field, which the `/` key focuses. */
export const SEARCH_ID = 'search';

/** Renders a field for searching metrics, items, regions and sources. It can interpret several names at once. */
export function SearchBox() {
  const { value, error, isLoading } = searchHits.loaded.value;
  const { query } = page.value;
  const { meaning, hits } = query.trim() === '' || value === null ? NOTHING : value;
  const options = [
    ...(meaning === null
      ? []
      : [
          {
            key: 'meaning',
            name: meaningText(meaning),
            content: <MeaningRow meaning={meaning} />,
            pick: (adds: boolean) => pickMeaning(meaning, adds),
          },
        ]),
    ...hits.map((hit) => ({
      key: `${hit.facet} ${hit.id}`,
      name: hit.name,
      content: <HitRow hit={hit} />,
      pick: (adds: boolean) => pickHit(hit.facet, hit.id, adds),
    })),
  ];
  return (
    <Combobox
      inputId={SEARCH_ID}
      label="Search metrics, items, regions and sources"
      placeholder="Search: corn yield iowa illinois …"
      text={query}
      onText={(text) => drag({ query: text })}
      options={options}
      isStale={isLoading}
      note={noteOf({ query, error, isLoading, count: options.length })}
      onPick={({ pick }, adds) => void pick(adds)}
      canAdd={page.value.series.length > 0}
    />
  );
}

const NOTHING = { meaning: null, hits: [] };

const COMPUTED_LABELS = { 'degree-days': 'Growing degree days', 'stocks-to-use': 'Stocks to use' } as const;

function meaningText({ named, computed }: Meaning): string {
  const places = named.filter(({ facet }) => facet === 'region');
  const shown = computed === undefined ? named : places;
  return [
    ...(computed === undefined ? [] : [COMPUTED_LABELS[computed]]),
    ...shown.map(({ name }) => name),
  ].join(' · ');
}

function MeaningRow({ meaning }: { meaning: Meaning }) {
  const { unread, named } = meaning;
  const guesses = named.filter(({ isGuess }) => isGuess).map(({ requested }) => `“${requested}” is a guess`);
  return (
    <>
      <span class="hit-name">
        {meaningText(meaning)}
        <Comma />
      </span>
      <span class="hit-matched">
        {[...guesses, ...unread.map((word) => `“${word}” is ignored`)].join(', ')}
      </span>
      <span class="hit-kind">all of these</span>
    </>
  );
}

function HitRow({ hit: { name, matched, facet, series } }: { hit: Hit }) {
  return (
    <>
      <span class="hit-name">
        {name}
        <Comma />
      </span>
      {matched !== undefined && (
        <span class="hit-matched">
          {matched}
          <Comma />
        </span>
      )}
      <span class="hit-kind">{facet}</span>
      <span class="count">
        <Comma />
        {formatNumber(series)}
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
  if (found.error !== null) return `The search failed. ${errorSentence(found.error)}`;
  if (found.isLoading && found.count === 0) return 'Searching …';
  if (found.count > 0) return null;
  return `Nothing with data is called “${found.query.trim()}”. Try fewer or different words, or a code.`;
}
