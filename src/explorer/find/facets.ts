import { computed, signal } from '@preact/signals';
import type { CountedHit } from '../../model/entity.js';
import { namedParts } from '../../model/names/named-parts.js';
import type { FacetValue } from '../../model/selection.js';
import { learnNames } from '../state/names.js';
import { page, sliceOf } from '../state/page.js';
import { resource, singleFlight } from '../state/resource.js';
import { ask, askEarly } from '../state/service.js';
import { FACETS, type Facet, type Filters } from '../state/view-state.js';

/** The counts of series, by each facet. */
interface CountedFacets {
  /** How many series fit all filters. */
  readonly series: number;
  readonly values: Readonly<Record<Facet, readonly FacetValue[]>>;
  /** How many further values each facet has. */
  readonly more: Readonly<Record<Facet, number>>;
  /** How many series fit when a facet is not restricted. */
  readonly lifted: Readonly<Record<Facet, number>>;
}

/** Values of a facet that are shown; the others are found by typing. */
const FACET_LIMIT = 50;

const PLURALS = {
  metric: 'metrics',
  item: 'items',
  region: 'regions',
  source: 'sources',
  frequency: 'frequencies',
} as const satisfies Readonly<Record<Facet, string>>;

/** The selection of some filters. */
export function selectionOf(filters: Filters): Record<string, readonly number[]> {
  const entries = FACETS.filter((facet) => filters[facet].length > 0).map((facet) => [
    `${facet}_id`,
    filters[facet],
  ]);
  return Object.fromEntries(entries);
}

/** Which facets are asked for. */
interface FacetQuestion {
  readonly filters: Filters;
  readonly text?: string | undefined;
  readonly limit: number;
  readonly wanted: readonly Facet[];
}

/** Asks for the facets of everything, with which a page without filters begins. */
export function askFacetsEarly(): void {
  const query = new URLSearchParams(FACETS.map((facet) => ['in', PLURALS[facet]]));
  if (Object.keys(selectionOf(page.peek().filters)).length === 0)
    askEarly(`v2/facets?${query}&limit=${FACET_LIMIT}`);
}

/** Asks which series there are, by some facets; at the first view, three parts of the page ask the same. */
export function askFacets(
  filters: Filters,
  options: {
    text?: string | undefined;
    limit: number;
    in?: readonly Facet[] | undefined;
    signal: AbortSignal;
  },
): Promise<CountedFacets> {
  const { text, limit, in: wanted = FACETS, signal } = options;
  return countFacets({ filters, text, limit, wanted }, signal);
}

const countFacets = singleFlight(async ({ filters, text, limit, wanted }: FacetQuestion, signal) => {
  const answer = await ask(
    (client) =>
      client.facets(selectionOf(filters), {
        text,
        limit,
        in: wanted.map((facet) => PLURALS[facet]),
        signal,
      }),
    signal,
  );
  for (const facet of wanted) learnNames(facet, answer[PLURALS[facet]]);
  const byFacet = (numbers: Record<string, number>) =>
    Object.fromEntries(wanted.map((facet) => [facet, numbers[PLURALS[facet]]]));
  return {
    series: answer.series,
    values: Object.fromEntries(wanted.map((facet) => [facet, answer[PLURALS[facet]]])),
    more: byFacet(answer.more),
    lifted: byFacet(answer.lifted),
  } as unknown as CountedFacets;
});

const filters = sliceOf(({ filters }) => filters);

/** The facets of the page's filters, each counted without its own filter. */
export const facets = resource(filters, (wanted, signal) =>
  askFacets(wanted, { limit: FACET_LIMIT, signal }),
);

/** The text that the user types in the list of a facet. */
export const facetTexts = Object.fromEntries(FACETS.map((facet) => [facet, signal('')])) as Record<
  Facet,
  ReturnType<typeof signal<string>>
>;

/** The values of each facet that fit its text. */
export const facetHits = Object.fromEntries(
  FACETS.map((facet) => {
    const key = computed(() => {
      const text = (facetTexts[facet].value ?? '').trim();
      return text === '' ? null : { text, filters: filters.value };
    });
    const hits = resource(
      key,
      async (wanted, signal) =>
        (await askFacets(wanted.filters, { text: wanted.text, limit: FACET_LIMIT, in: [facet], signal }))
          .values[facet],
      { waitMs: 150 },
    );
    return [facet, hits];
  }),
) as unknown as Record<Facet, ReturnType<typeof resource<unknown, readonly FacetValue[]>>>;

/** A key is waited for this long, so that hits are there within 150 ms of the last one. */
const TYPING_MS = 80;

const query = sliceOf(({ query }) => query.trim());

/** A hit of the search box. */
export interface Hit extends FacetValue {
  readonly facet: Facet;
}

const FACET_OF = { metrics: 'metric', items: 'item', regions: 'region', sources: 'source' } as const;
const MAX_HITS = 20;

const hitOf = ({ entity_type, ...hit }: CountedHit): Hit => ({ ...hit, facet: FACET_OF[entity_type] });

/**
 * The hits of the search box, with any filters: those with data first. The meaning of a text of several names precedes
 * them.
 */
export const searchHits = resource(
  computed(() => (query.value === '' ? null : query.value)),
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

/** The filters of the page with another list of ids for a facet. */
export function withFilter(facet: Facet, ids: readonly number[]): Filters {
  return { ...page.peek().filters, [facet]: ids };
}
