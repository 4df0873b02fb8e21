import { computed, signal } from '@preact/signals';
import type { Resolution } from '../../client/discovery/resolution.js';
import type { FacetValue } from '../../model/selection.js';
import { learnNames, TYPES } from '../state/names.js';
import { page, sliceOf } from '../state/page.js';
import { askedOnce, resource } from '../state/resource.js';
import { ask, askEarly, codeOf } from '../state/service.js';
import { FACETS, type Facet, type Filters } from '../state/view-state.js';

/** Values of a facet that are shown, and regions whose series are listed; the others are found by typing. */
export const FACET_LIMIT = 50;

/** Returns the selection of some filters. */
export function selectionOf(filters: Filters): Record<string, readonly number[]> {
  const restricting = FACETS.filter((facet) => filters[facet].length > 0);
  return Object.fromEntries(restricting.map((facet) => [`${facet}_id`, filters[facet]]));
}

/** Asks for the facets of everything, with which a page without filters begins. */
export function askFacetsEarly(): void {
  const query = new URLSearchParams(FACETS.map((facet) => ['in', TYPES[facet]]));
  if (Object.keys(selectionOf(page.peek().filters)).length === 0)
    askEarly(`v2/facets?${query}&limit=${FACET_LIMIT}`);
}

/** The filters whose series are counted, and in which facets. */
interface FacetQuestion {
  readonly filters: Filters;
  readonly text?: string;
  readonly in?: readonly Facet[];
}

/** Asks which series there are, by some facets; at the first view, three parts of the page ask the same. */
export const askFacets = askedOnce(async ({ filters, text, in: wanted = FACETS }: FacetQuestion) => {
  const question = { text, limit: FACET_LIMIT, in: wanted.map((facet) => TYPES[facet]) };
  const found = await ask((client) => client.facets(selectionOf(filters), question));
  for (const facet of wanted) learnNames(facet, found[TYPES[facet]]);
  return found;
});

const filters = sliceOf(({ filters }) => filters);

/** The facets of the page's filters, each counted without its own filter. */
export const facets = resource(
  computed(() => ({ filters: filters.value })),
  askFacets,
);

/** Each facet with the text that the user types in its list, and the values that fit it. */
export const facetLists = FACETS.map((facet) => {
  const text = signal('');
  const question = computed(() => {
    const typed = text.value.trim();
    return typed === '' ? null : { filters: filters.value, text: typed, in: [facet] };
  });
  return { facet, text, hits: resource(question, askFacets, { waitMs: 150 }) };
});

/** A key is waited for this long, so that hits are there within 150 ms of the last one. */
const TYPING_MS = 80;

/** A hit of the search box. */
export interface Hit extends FacetValue {
  readonly facet: Facet;
}

const MAX_HITS = 20;

const facetOf = (type: string): Facet => FACETS.find((facet) => TYPES[facet] === type)!;

/** What a text of several names means: one or several entities of each kind. */
export interface Meaning {
  readonly text: string;
  readonly named: readonly (Pick<Hit, 'facet' | 'id' | 'name'> & {
    readonly requested: string;
    readonly isGuess: boolean;
  })[];
  readonly computed: Resolution['computed'];
  readonly unread: readonly string[];
}

/** The answer to a text of the search box. */
interface Found {
  readonly meaning: Meaning | null;
  /** The hits with any filters, those with data first. */
  readonly hits: readonly Hit[];
}

/** The meaning of the text of the search box, and its hits. */
export const searchHits = resource(
  sliceOf(({ query }) => query.trim() || null),
  async (text, signal): Promise<Found> => {
    const [meaning, found] = await Promise.all([
      meaningOf(text, signal),
      ask((client) => client.searchAll(text, { limit: MAX_HITS, signal }), signal),
    ]);
    return {
      meaning,
      hits: found.map(({ entity_type, ...hit }) => ({ ...hit, facet: facetOf(entity_type) })),
    };
  },
  { waitMs: TYPING_MS },
);

/** Asks the service what a text means; null for a single name, and where the service reads no plain words. */
async function meaningOf(text: string, signal: AbortSignal): Promise<Meaning | null> {
  try {
    const answer = await ask((client) => client.resolve({ text, limit: 0, signal }), signal);
    const named = answer.names.flatMap(({ word, requested, hits: [best] }) => {
      if (best === undefined || word === 'partner_region') return [];
      const { id, name, label = name, exact } = best;
      return [{ facet: word, id, name: label, requested, isGuess: !exact }];
    });
    const { computed, unread = [] } = answer;
    return named.length < 2 && computed === undefined ? null : { text, named, computed, unread };
  } catch (error) {
    if (codeOf(error) === 'not_found') return null;
    throw error;
  }
}
