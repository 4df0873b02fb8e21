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

type NameWord = (typeof WORDS)[number]['word'];
type NamedWords = { readonly [Word in NameWord]?: string | readonly string[] | undefined };

/**
 * Finds the entities to which ids, codes or names refer. A source name selects every source whose name contains it.
 * @returns the entities of each type, in the order in which they were requested
 * @throws NothingFoundError if a name or an id matches no entity
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

/** Returns a one-element list with a note if a name was guessed or is ambiguous; otherwise, an empty list. */
function nameNote(word: NameWord, match: MatchedName): readonly string[] {
  const { requested, name, instead_of, namesakes = [] } = match;
  if (word === 'source' ? !isReplacement(match) : isOnlyMeaning(match)) return [];
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.map((other) => `"${other}"`).join(' or ')}`;
  const reason = instead_of === undefined ? '' : `: ${instead_of} has no such series`;
  return [`"${name}" was used for the ${word.replace('_', ' ')} "${requested}"${others}${reason}`];
}

/** Returns one note for each name in the results that was guessed or is ambiguous. */
export function nameNotes(found: readonly { readonly matched?: MatchedNames | undefined }[]): string[] {
  const notes = found.flatMap(({ matched = {} }) =>
    NAMED_WORDS.flatMap(({ word }) => (matched[word] === undefined ? [] : nameNote(word, matched[word]))),
  );
  return [...new Set(notes)];
}

/** Returns a note that says that the series found belong to regions within the requested region. */
export function withinNotes(region: string | undefined): string[] {
  return region === undefined
    ? []
    : [`"${region}" has no such series; series for regions within it are listed instead`];
}

/** Warns about names that were guessed or are ambiguous, even if standard error is not a terminal. */
export function warnOfNames(
  context: CommandContext,
  found: readonly { readonly matched?: MatchedNames | undefined }[],
): Promise<void> {
  return warnOfAll(context, nameNotes(found));
}

/** Resolves words to a selection, and warns about guessed and ambiguous names. */
export async function resolveSelection(
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

export function frequencyIds(name: string | undefined): number | undefined {
  return FREQUENCIES.find((frequency) => frequency.name === name)?.id;
}
