import type { CountedHit } from '../contract/endpoints.js';
import type { MatchedNames } from '../model/entity.js';
import { SEARCHABLE_TYPES } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import { NAMED_WORDS, SOURCE_WORD } from '../model/series.js';
import { fold } from '../search/fold.js';
import type { SearchIndexes } from './search.js';

/** The figures that are computed from several series, each with its phrases and the names of its input series. */
const COMPUTED_FIGURES = [
  {
    figure: 'degree-days',
    called: ['growing degree days', 'growing degree day', 'degree days', 'degree day', 'gdd'],
    names: [
      { word: 'item', requested: 'Temperature max' },
      { word: 'item', requested: 'Temperature min' },
    ],
  },
  {
    figure: 'stocks-to-use',
    called: ['stocks to use ratio', 'stocks to use', 'stock to use'],
    names: [
      { word: 'metric', requested: 'Ending stocks' },
      { word: 'metric', requested: 'Total use' },
    ],
  },
] as const;

/** Words that may stand between names. */
const LINKING = new Set('the of and for to all'.split(' '));
/** Words that are not names on their own, although some are codes, such as "in" for Indiana. */
const DROPPED = new Set('or in at from by with per on vs versus is what how much'.split(' '));

interface NameInText {
  readonly word: keyof MatchedNames | 'source';
  readonly requested: string;
}

interface NameHit extends NameInText, Pick<CountedHit, 'entity_type' | 'series'> {
  /** Whether the text contains the entity's own name rather than a synonym or code. */
  readonly isOwn: boolean;
}

/**
 * Finds the names of metrics, items, regions, sources and a frequency in a text, in any order, such as "corn yield iowa
 * illinois". Longer names take precedence over shorter names within them. Words that match no name are assumed to mean
 * an entity whose name contains them or is spelt similarly, preferably one with data. A number alone is not guessed at.
 */
export async function readWords(search: SearchIndexes, text: string) {
  const folded = ` ${fold(text)} `;
  const isIn = (phrase: string) => folded.includes(` ${phrase} `);
  const computed = COMPUTED_FIGURES.find(({ called }) => called.some(isIn));
  const phrase = computed?.called.find(isIn) ?? '';
  let words = folded.replace(` ${phrase} `, ' ').split(' ').filter(Boolean);
  const kept = words.length > 1 ? words.filter((word) => !DROPPED.has(word)) : words;
  if (kept.length === 0) words = [];
  const found = words.length === 0 ? [] : await search.searchCounted(SEARCHABLE_TYPES, folded.trim());
  const parts = found.flatMap(({ part, ...hit }) =>
    part === undefined || part.split(' ').every((word) => DROPPED.has(word)) ? [] : [toNamed(hit, part)],
  );
  const chosen = chooseNames(words, parts);
  const taken = new Set(chosen.flatMap(({ at }) => at));
  const complete = parts.length === 0 ? await wholeName(search, words) : undefined;
  const isFree = (name: string) => words.some((word, at) => word === name && !taken.has(at));
  // A frequency may also be part of a name, as "annual" is of "Annual value".
  const frequency =
    complete === undefined && words.length > 1 ? FREQUENCIES.find(({ name }) => isFree(name)) : undefined;
  const rest = kept.filter((word) => word !== frequency?.name);
  const isShorter = parts.length === 0 && rest.length < words.length;
  const whole = complete ?? (isShorter ? await wholeName(search, rest) : undefined);
  const exact = whole === undefined ? await withContainers(search, words, chosen) : [whole];
  const guessed: NameHit[] = [];
  const unread: string[] = [];
  const isRead = (word: string, at: number) => taken.has(at) || word === frequency?.name;
  for (const run of whole === undefined ? listUnclaimedRuns(words, isRead) : []) {
    const guesses = await guess(search, run, exact);
    guessed.push(...guesses.names);
    unread.push(...guesses.unread);
  }
  const names = [...(computed?.names ?? []), ...exact, ...guessed].map(
    ({ word, requested }): NameInText => ({ word, requested }),
  );
  return {
    names,
    frequency_id: frequency?.id,
    /** The computed figure that the text asks for, such as `degree-days`. The names of its inputs are in `names`. */
    computed: computed?.figure,
    unread,
  };
}
export type ReadText = Awaited<ReturnType<typeof readWords>>;

function toNamed(
  { entity_type, series, name }: Pick<CountedHit, 'entity_type' | 'series' | 'name'>,
  requested: string,
): NameHit {
  const { word } = [...NAMED_WORDS, SOURCE_WORD].find(({ type }) => type === entity_type)!;
  return { word, requested, entity_type, series, isOwn: fold(name) === requested };
}

async function wholeName(search: SearchIndexes, words: readonly string[]): Promise<NameHit | undefined> {
  const [best] = words.length === 0 ? [] : await search.searchAllWords(words.join(' '));
  return best && toNamed(best, words.join(' '));
}

/**
 * Chooses among overlapping names in a text, so that each word belongs to at most one name. Names whose words are
 * adjacent take precedence, then longer names. Names of sources come last, because they often contain names of metrics
 * and items. Among entities with the same name, entities with data take precedence, then entities of a type for which
 * no name has been chosen yet.
 */
function chooseNames(words: readonly string[], parts: readonly NameHit[]) {
  /** The chosen names, each with the positions of its words. */
  const chosen: (NameHit & { readonly at: readonly number[] })[] = [];
  const order = (one: NameHit) => SEARCHABLE_TYPES.indexOf(one.entity_type);
  const adjacent = new Set(
    parts.map(({ requested }) => requested).filter((name) => hasAdjacent(words, name)),
  );
  const sorted = parts
    .filter((one) => !areTwoRegions(one, parts))
    .sort(
      (a, b) =>
        Number(a.word === 'source') - Number(b.word === 'source') ||
        Number(adjacent.has(b.requested)) - Number(adjacent.has(a.requested)) ||
        b.requested.length - a.requested.length ||
        order(a) - order(b),
    );
  for (const requested of new Set(sorted.map((one) => one.requested))) {
    const at = place(words, requested, new Set(chosen.flatMap((one) => one.at)));
    if (at === undefined) continue;
    const isFree = (one: NameHit) => !chosen.some(({ word }) => word === one.word);
    const [best] = sorted
      .filter((one) => one.requested === requested)
      .sort(
        (a, b) =>
          Number(b.series > 0) - Number(a.series > 0) ||
          Number(isFree(b)) - Number(isFree(a)) ||
          order(a) - order(b),
      );
    chosen.push({ ...best!, at });
  }
  return chosen.sort((a, b) => a.at[0]! - b.at[0]!);
}

/** Returns free positions for a name's words, preferably adjacent, or `undefined` if a word has no free position. */
function place(words: readonly string[], name: string, taken: ReadonlySet<number>): number[] | undefined {
  const adjacent = words.map((_, from) => placeFrom(words, name, from));
  const free = adjacent.find((at) => at?.every((one) => !taken.has(one)));
  if (free !== undefined) return free;
  const apart: number[] = [];
  for (const word of name.split(' '))
    apart.push(words.findIndex((one, at) => one === word && !taken.has(at) && !apart.includes(at)));
  return apart.includes(-1) ? undefined : apart;
}

/** Returns the positions of a name's words if the name begins at `from`. Linking words may stand between them. */
function placeFrom(words: readonly string[], name: string, from: number): number[] | undefined {
  const own = name.split(' ');
  const at: number[] = [];
  for (let i = from; i < words.length && at.length < own.length; i++)
    if (words[i] === own[at.length]) at.push(i);
    else if (at.length === 0 || !isLinking(words[i]!)) return undefined;
  return at.length === own.length ? at : undefined;
}

const hasAdjacent = (words: readonly string[], name: string): boolean =>
  words.some((_, from) => placeFrom(words, name, from) !== undefined);

const isLinking = (word: string): boolean => LINKING.has(word) || DROPPED.has(word);

/** Checks whether a name consists of two region names: "ohio indiana" means two states, not Ohio County in Indiana. */
function areTwoRegions({ requested, isOwn, word }: NameHit, parts: readonly NameHit[]): boolean {
  if (word !== 'region' || isOwn) return false;
  const own = parts.filter((one) => one.word === 'region' && one.isOwn).map((one) => one.requested);
  return own.some((first) => own.some((second) => requested === `${first} ${second}`));
}

/** Joins the names of two adjacent regions if the second region contains the first, as in "adams county iowa". */
async function withContainers(
  search: SearchIndexes,
  words: readonly string[],
  names: readonly NameHit[],
): Promise<NameHit[]> {
  const joined: NameHit[] = [];
  for (const name of names) {
    const before = joined.at(-1);
    const both = `${before?.requested} ${name.requested}`;
    const areRegions = before?.word === 'region' && name.word === 'region' && hasAdjacent(words, both);
    if (areRegions && !before.isOwn && (await search.searchNames('regions', both))[0]?.exact)
      joined[joined.length - 1] = { ...before, requested: both };
    else joined.push(name);
  }
  return joined;
}

/** Returns the sequences of adjacent words that belong to no name. Linking words are omitted. */
function listUnclaimedRuns(
  words: readonly string[],
  isRead: (word: string, at: number) => boolean,
): string[][] {
  const runs: string[][] = [[]];
  for (const [at, word] of words.entries())
    if (isRead(word, at) || LINKING.has(word)) runs.push([]);
    else if (!DROPPED.has(word) || words.length === 1) runs.at(-1)!.push(word);
  return runs.filter((run) => run.length > 0);
}

/** The maximum number of unknown words to try as a single name. The number is low because each attempt is a search. */
const MAX_TOGETHER = 4;

/** Finds the most likely entities for unknown words. Searches for as many adjacent words together as possible. */
async function guess(search: SearchIndexes, run: readonly string[], known: readonly NameHit[]) {
  const [names, unread]: [NameHit[], string[]] = [[], []];
  const isFree = (hit: CountedHit) => !known.some(({ entity_type }) => entity_type === hit.entity_type);
  for (let at = 0, length = 0; at < run.length; at += Math.max(1, length)) {
    for (length = Math.min(run.length - at, MAX_TOGETHER); length > 0; length--) {
      const text = run.slice(at, at + length).join(' ');
      const hits = /^\d+$/.test(text) ? [] : await search.searchAllWords(text);
      const best = hits.find((hit) => hit.series > 0 && isFree(hit)) ?? hits[0];
      if (best !== undefined) names.push(toNamed(best, text));
      if (best !== undefined) break;
    }
    if (length === 0) unread.push(run[at]!);
  }
  return { names, unread };
}
