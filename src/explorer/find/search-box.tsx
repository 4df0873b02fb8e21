import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../controls/announce.js';
import { WRITE } from '../controls/format.js';
import { errorSentence } from '../controls/waiting.js';
import { TYPES } from '../state/names.js';
import { drag, page } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { FACETS, type Facet } from '../state/view-state.js';
import { askMeaning, isChoosing, type Meaning, pickHit, pickMeaning } from './pick.js';

/** The delay between a key press and the search. Results should appear within 150 ms of the last key press. */
const TYPING_MS = 80;
const MAX_HITS = 20;
const facetOf = (type: string): Facet => FACETS.find((facet) => TYPES[facet] === type)!;

/** The interpretation of the search text, and its search hits, including hits that do not match the filters. */
const searchHits = resource(
  () => page.value.query.trim() || null,
  async (text, signal) => {
    const [meaning, found] = await Promise.all([
      askMeaning(text, signal),
      ask((client) => client.searchAll(text, { limit: MAX_HITS, signal })),
    ]);
    const hits = found.map(({ entity_type, ...hit }) => ({ ...hit, facet: facetOf(entity_type) }));
    return { meaning, hits: hits.filter(({ series }) => series > 0) };
  },
  { waitMs: TYPING_MS },
);

const LIST_ID = 'search-hits';
const LABEL = 'Search metrics, items, regions and sources';

interface SearchOption {
  readonly key: string;
  readonly name: string;
  /** How the service understood the text; empty if the text is exactly this option's name. */
  readonly matched: string;
  readonly kind: string;
  readonly series?: number;
  readonly pick: (adds: boolean) => Promise<void>;
}

/** Renders the search and its hits (ARIA combobox). A text may contain several names. The field keeps the focus. */
export function SearchBox() {
  const { value, isLoading } = searchHits.loaded.value;
  const { query, series } = page.value;
  const options = query.trim() === '' || value === null ? [] : listOptions(value);
  const unmet = value?.meaning?.lacking == null ? null : value.meaning;
  const [isOpen, setOpen] = useState(false);
  // The highlighted option, and whether “+ Add” beside it is highlighted instead.
  const [{ at, isAdding }, setPlace] = useState({ at: -1, isAdding: false });
  const setAt = (at: number, isAdding = false) => setPlace({ at, isAdding });
  const waiting = useRef<{ adds: boolean } | null>(null);
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const pick = (option: SearchOption, adds: boolean) => {
    void option.pick(adds);
    if (!adds) isChoosing.value = false;
    close();
  };
  // If Enter was pressed before the hits for the current text arrived, the first of these hits is picked on arrival.
  useEffect(() => {
    const wanted = waiting.current;
    const [first] = options;
    if (isLoading) return;
    waiting.current = null;
    if (wanted !== null && unmet !== null) void pickMeaning(unmet, wanted.adds);
    else if (first === undefined) return;
    else if (wanted !== null) pick(first, wanted.adds);
    // Announces an inexact first hit, so that screen-reader users hear what was matched before they choose it.
    else if (first.matched !== '') announce(`${first.name}: ${first.matched}`);
  }, [isLoading]);
  const note = noteOf(query.trim(), options.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, shiftKey } = event;
    const canAdd = isOpen && at in options && series.length > 0;
    const turn = isAdding ? key === 'ArrowLeft' : key === 'ArrowRight' || (key === 'Tab' && !shiftKey);
    const move = { ArrowDown: at + 1, ArrowUp: at <= 0 ? options.length - 1 : at - 1 }[key];
    if (move !== undefined) {
      setOpen(true);
      setAt(options.length === 0 ? -1 : move % options.length);
    } else if (canAdd && turn) setAt(at, !isAdding);
    else if (key === 'Enter' && at < 0 && isLoading) waiting.current = { adds: altKey };
    else if (key === 'Enter' && at < 0 && note !== null) {
      announce(note);
      if (unmet !== null) void pickMeaning(unmet, altKey);
    } else if (key === 'Enter' && isOpen && options.length > 0)
      pick(options[Math.max(0, at)]!, altKey || isAdding);
    else if (key === 'Escape' && (isOpen || query !== '')) {
      if (!isOpen) drag({ query: '' });
      close();
    } else return;
    event.preventDefault();
  };
  const hasList = isOpen && (options.length > 0 || note !== null);
  return (
    <div
      class="combobox"
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={LABEL}
        aria-expanded={hasList}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={
          isOpen && at in options ? `${LIST_ID}-${at}${isAdding ? '-add' : ''}` : undefined
        }
        autocomplete="off"
        spellcheck={false}
        placeholder="Search: corn yield iowa illinois …"
        value={query}
        onInput={(event) => {
          waiting.current = null;
          drag({ query: event.currentTarget.value });
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(query !== '')}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <div class="combobox-list" hidden={!hasList}>
        <div id={LIST_ID} role="listbox" aria-label={LABEL}>
          {options.map((option, i) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field
            <div
              key={option.key}
              class="combobox-row"
              role="presentation"
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setAt(i)}
            >
              {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as in an ARIA combobox */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
              <div
                id={`${LIST_ID}-${i}`}
                role="option"
                aria-selected={i === at && !isAdding}
                onClick={(event) => pick(option, event.altKey)}
              >
                <OptionContent {...option} />
              </div>
              {series.length > 0 && (
                // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as in an ARIA combobox
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <div
                  id={`${LIST_ID}-${i}-add`}
                  role="option"
                  class="add"
                  aria-selected={i === at && isAdding}
                  aria-label={`Add ${option.name}`}
                  onClick={() => pick(option, true)}
                >
                  + Add
                </div>
              )}
            </div>
          ))}
        </div>
        {note !== null && <p class="combobox-note">{note}</p>}
      </div>
    </div>
  );
}

type Found = NonNullable<typeof searchHits.loaded.value.value>;

/** Lists the options: one for all names together if the text contains several, followed by one for each hit. */
function listOptions({ meaning, hits }: Found): readonly SearchOption[] {
  const isOnly = (hit: Found['hits'][number]) =>
    meaning?.named.length === 1 && meaning.named[0]!.id === hit.id && meaning.named[0]!.facet === hit.facet;
  const found = hits
    .filter((hit) => !isOnly(hit))
    .map(({ facet, id, name, matched = '', series }): SearchOption => {
      const pick = (adds: boolean) => pickHit(facet, id, adds);
      return { key: `${facet} ${id}`, name, matched, kind: facet, series, pick };
    });
  return meaning === null || meaning.lacking !== null ? found : [meaningOption(meaning), ...found];
}

const COMPUTED_LABELS = { 'degree-days': 'Growing degree days', 'stocks-to-use': 'Stocks to use' } as const;

function meaningOption(meaning: Meaning): SearchOption {
  const { named, computed, unread } = meaning;
  // The label of a computed value stands for the metrics or temperatures from which it is computed.
  const sourced = named.filter(({ facet }) => facet === (computed === 'degree-days' ? 'item' : 'metric'));
  const shown = computed === undefined ? named : named.filter((one) => !sourced.slice(0, 2).includes(one));
  const labels = [computed && COMPUTED_LABELS[computed], ...shown.map(({ name }) => name)];
  const guesses = named.filter(({ isGuess }) => isGuess).map(({ requested }) => `“${requested}” is a guess`);
  return {
    key: 'meaning',
    name: labels.filter(Boolean).join(' · '),
    matched: [...guesses, ...unread.map((word) => `“${word}” is ignored`)].join(', '),
    kind: named.length > 1 ? 'all of these' : named[0]!.facet,
    pick: (adds) => pickMeaning(meaning, adds),
  };
}

function OptionContent({ name, matched, kind, series }: SearchOption) {
  const parts = Object.entries({ 'hit-name': name, 'hit-matched': matched, 'hit-kind': kind });
  return (
    <>
      {parts
        .filter(([, text]) => text !== '')
        .map(([part, text]) => (
          <span key={part} class={part}>
            {text}
            <span class="visually-hidden">, </span>
          </span>
        ))}
      {series !== undefined && (
        <span class="count">
          {WRITE.number(series)}
          <span class="visually-hidden"> series</span>
        </span>
      )}
    </>
  );
}

function noteOf(text: string, listed: number): string | null {
  const { value, error, isLoading } = searchHits.loaded.value;
  if (text === '') return null;
  if (value?.meaning?.lacking != null) return value.meaning.lacking;
  if (listed > 0) return null;
  if (error !== null) return `The search failed. ${errorSentence(error)}`;
  if (isLoading) return 'Searching …';
  return `Nothing with data is called “${text}”. Try fewer or different words, or a code.`;
}
