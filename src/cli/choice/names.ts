import type { MatchedName, MatchedNames } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { isOnlyMeaning, isReplacement, toMatchedName } from '../../model/names/meaning.js';
import type { Selection } from '../../model/selection.js';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import type { Asking, ClientContext } from '../connection/with-client.js';
import type { SelectionWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';

const WORDS = [...NAMED_WORDS, SOURCE_WORD];

/** The words that name an entity. */
type NameWord = (typeof WORDS)[number]['word'];
type NamedWords = { readonly [Word in NameWord]?: string | readonly string[] | undefined };

/**
 * Finds the entities that ids, codes or names mean. Words for a source mean all sources whose names have them.
 * @returns the entities of each word, in the order in which they are named
 * @throws NothingFoundError for a name without a hit, or an id without an entity
 */
export async function matchWords(
  { client, signal }: Asking,
  words: NamedWords,
): Promise<{ readonly [Word in NameWord]: readonly MatchedName[] }> {
  const { metric, item, region, partner_region, source } = words;
  const asked = { metric, item, region, partner_region, source };
  const isAsked = Object.values(asked).some((names) => (names?.length ?? 0) > 0);
  const { names } = isAsked ? await client.resolve({ ...asked, ids: true, limit: 0, signal }) : { names: [] };
  const matched = { metric: [], item: [], region: [], partner_region: [], source: [] } as {
    [Word in NameWord]: MatchedName[];
  };
  for (const { word, requested, hits } of names) {
    if (hits.length === 0)
      throw new NothingFoundError(`no ${word.replace('_', ' ')} is called "${requested}"`);
    const sources = word === 'source' ? hits.filter((hit) => !isReplacement(hit)) : [];
    const taken = sources.length > 0 ? sources : hits.slice(0, 1);
    matched[word].push(...taken.map((hit) => toMatchedName(requested, hit)));
  }
  return matched;
}

/** Notes that a name is a guess, or that other places share it. */
function nameNote(word: NameWord, match: MatchedName): readonly string[] {
  const { requested, name, instead_of, namesakes = [] } = match;
  if (word === 'source' ? !isReplacement(match) : isOnlyMeaning(match)) return [];
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.map((other) => `"${other}"`).join(' or ')}`;
  const reason = instead_of === undefined ? '' : `: ${instead_of} has no such series`;
  return [`"${name}" was used for the ${word.replace('_', ' ')} "${requested}"${others}${reason}`];
}

/** Notes, once for each name of these results, that it is a guess or that other places share it. */
export function nameNotes(found: readonly { readonly matched?: MatchedNames | undefined }[]): string[] {
  const notes = found.flatMap(({ matched = {} }) =>
    NAMED_WORDS.flatMap(({ word }) => (matched[word] === undefined ? [] : nameNote(word, matched[word]))),
  );
  return [...new Set(notes)];
}

/** Notes that the found series are of regions within the named one. */
export function withinNotes(region: string | undefined): string[] {
  return region === undefined
    ? []
    : [`"${region}" has no such series; those of the regions that it contains are listed`];
}

/** Warns of these notes, also without a terminal. */
export function warnOfNames(
  context: CommandContext,
  found: readonly { readonly matched?: MatchedNames | undefined }[],
): Promise<void> {
  return warnOfAll(context, nameNotes(found));
}

/**
 * Resolves words to a selection. It warns of each guess, and of each name that several places have.
 * @throws NothingFoundError with the word that nothing has
 */
export async function selectionOf(
  context: ClientContext,
  words: NamedWords & Pick<SelectionWords, 'frequency'>,
): Promise<Selection> {
  const matched = await matchWords(context, words);
  const selection: Selection = { frequency_id: frequencyIds(words.frequency) };
  for (const { word, field } of WORDS)
    if (matched[word].length > 0) selection[field] = matched[word].map(({ id }) => id);
  await warnOfAll(
    context,
    WORDS.flatMap(({ word }) => matched[word].flatMap((match) => nameNote(word, match))),
  );
  return selection;
}

/** Returns the id of a named frequency, as a list for a selection; undefined without a name. */
export function frequencyIds(name: string | undefined): number | undefined {
  return FREQUENCIES.find((frequency) => frequency.name === name)?.id;
}
