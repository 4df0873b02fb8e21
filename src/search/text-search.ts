import { fold } from './fold.js';
import { MATCH_KINDS, parseQuery, type Query, unmatchedWords } from './match.js';
import { compareHits, type Hit } from './order.js';
import type { SearchIndex } from './search-index.js';
import { meaningOf } from './words.js';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** With this many hits nobody needs misspelt ones. */
const ENOUGH_HITS = 5;
/** Entities of which it is asked what they lie in. */
const MAX_WITHIN = 100;

/** Entities of one type of which a whole name stands in the text, best first. */
export interface NamedWithin {
  readonly index: SearchIndex;
  readonly hits: readonly Hit[];
}

/**
 * One text sought in indexes of one or several types. Exact and beginning words first. Where nothing has all words, names
 * with what they lie in, and at the end names that stand in a longer text. Misspelt words between the two, and whenever
 * little is found.
 */
export class TextSearch {
  readonly #query: Query;
  readonly #exact: readonly Hit[];
  readonly #partial: readonly NamedWithin[];

  readonly #indexes: readonly SearchIndex[];

  constructor(indexes: readonly SearchIndex[], text: string) {
    this.#indexes = indexes;
    this.#query = parseQuery(LETTER_OR_DIGIT.test(text) ? fold(text) : '');
    const { folded, terms } = this.#query;
    this.#exact = folded === '' ? [] : indexes.flatMap((index) => index.findExact(this.#query));
    const longer = this.#exact.length === 0 && folded !== '' && terms.length > 1;
    this.#partial = longer ? indexes.map((index) => ({ index, hits: index.findPartial(this.#query) })) : [];
  }

  /** Entities that the text names whole beside other words, which may say what they lie in. */
  findNamedWithin(): NamedWithin[] {
    return this.#partial.map(({ index, hits }) => {
      const within = hits.filter(({ match }) => match.kind === 'within').sort(compareHits);
      return { index, hits: within.slice(0, MAX_WITHIN) };
    });
  }

  /**
   * Of entities named whole those around which the rest of the text names what they lie in.
   * @param around ids of what each entity lies in, by its own id
   */
  findInContext({ index, hits }: NamedWithin, around: ReadonlyMap<number, readonly number[]>): Hit[] {
    return hits.flatMap((hit) => {
      const surroundings = (around.get(hit.document.id) ?? []).flatMap((id) => index.textsOf(id));
      const known = new Set(surroundings.flatMap(meaningOf));
      const left = unmatchedWords(this.#query, index.textsOf(hit.document.id));
      const explained = left.some((words) => words.length > 0 && words.every((word) => known.has(word)));
      return explained ? [{ ...hit, match: { ...hit.match, kind: 'context' as const } }] : [];
    });
  }

  /**
   * Every entity once, best first; none for a text without letters or digits.
   * @param inContext what `findInContext` found
   */
  bestFirst(inContext: readonly Hit[] = []): Hit[] {
    if (this.#query.folded === '') return [];
    const found = new Found(this.#exact);
    found.add(inContext);
    if (found.isPoor) found.add(this.#indexes.flatMap((index) => index.findNear(this.#query)));
    found.add(this.#partial.flatMap(({ hits }) => hits));
    return found.bestFirst();
  }
}

/** Whether the text is the name, an alias, or the same words: no other entity was rather meant. */
export function isNameMatch({ match }: Hit): boolean {
  return MATCH_KINDS.indexOf(match.kind) <= MATCH_KINDS.indexOf('same');
}

/** Whether the entity accounts for every word of the text, if only as a beginning or misspelt. */
export function matchesAllWords({ match }: Hit): boolean {
  return MATCH_KINDS.indexOf(match.kind) <= MATCH_KINDS.indexOf('near-part');
}

/** Hits so far, each entity once, by the first way in which it was found. */
class Found {
  readonly #byKey = new Map<string, Hit>();

  constructor(hits: readonly Hit[]) {
    this.add(hits);
  }

  /** Few hits, and none of them the thing itself. */
  get isPoor(): boolean {
    return this.#byKey.size < ENOUGH_HITS && ![...this.#byKey.values()].some(isNameMatch);
  }

  add(hits: readonly Hit[]): void {
    for (const hit of hits) {
      const key = `${hit.type} ${hit.document.id}`;
      if (!this.#byKey.has(key)) this.#byKey.set(key, hit);
    }
  }

  bestFirst(): Hit[] {
    return [...this.#byKey.values()].sort(compareHits);
  }
}
