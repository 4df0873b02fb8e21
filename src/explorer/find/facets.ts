import { computed, signal } from '@preact/signals';
import type { CountedHit } from '../../model/entity.js';
import { namedParts } from '../../model/names/named-parts.js';
import type { FacetValue } from '../../model/selection.js';
import { learnNames, TYPES } from '../state/names.js';
import { page, sliceOf } from '../state/page.js';
import { resource, singleFlight } from '../state/resource.js';
import { ask, askEarly } from '../state/service.js';
import { FACETS, type Facet, type Filters } from '../state/view-state.js';

/** Values of a facet that are shown, and regions whose series are listed; the others are found by typing. */
export const FACET_LIMIT = 50;

/** The selection of some filters. */
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
export const askFacets = singleFlight(
  async ({ filters, text, in: wanted = FACETS }: FacetQuestion, signal) => {
    const question = { text, limit: FACET_LIMIT, in: wanted.map((facet) => TYPES[facet]), signal };
    const found = await ask((client) => client.facets(selectionOf(filters), question), signal);
    for (const facet of wanted) learnNames(facet, found[TYPES[facet]]);
    return found;
  },
);

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

const hitOf = ({ entity_type, ...hit }: CountedHit): Hit => ({
  ...hit,
  facet: FACETS.find((facet) => TYPES[facet] === entity_type)!,
});

/**
 * The hits of the search box, with any filters: those with data first. The meaning of a text of several names precedes
 * them.
 */
export const searchHits = resource(
  sliceOf(({ query }) => query.trim() || null),
  async (text, signal): Promise<readonly (readonly Hit[])[]> => {
    const found = await ask((client) => client.searchAll(text, { limit: MAX_HITS, signal }), signal);
    const parts = namedParts(text, found);
    const together = parts === null || parts.unread !== undefined ? [] : Object.values(parts.hits);
    return [...(together.length > 1 ? [together] : []), ...found.map((hit) => [hit])].map((hits) =>
      hits.map(hitOf),
    );
  },
  { waitMs: TYPING_MS },
);
