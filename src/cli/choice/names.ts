import type { MatchedName, MatchedNames } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { isOnlyMeaning, isReplacement, toMatchedName } from '../../model/names/meaning.js';
import type { Selection } from '../../model/selection.js';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import type { ClientContext } from '../connection/with-client.js';
import type { SelectionWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { warnOfAll } from '../terminal/io.js';

const WORDS = [...NAMED_WORDS, SOURCE_WORD];

type NameWord = (typeof WORDS)[number]['word'];
type NamedWords = { readonly [Word in NameWord]?: string | readonly string[] | undefined };

/** Returns a one-element list with a note if a name was guessed or is ambiguous, and an empty list otherwise. */
function nameNote(word: NameWord, match: MatchedName): readonly string[] {
  const { requested, name, instead_of, namesakes = [] } = match;
  if (word === 'source' ? !isReplacement(match) : isOnlyMeaning(match)) return [];
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.map((other) => `"${other}"`).join(' or ')}`;
  const reason = instead_of === undefined ? '' : `: ${instead_of} has no such series`;
  return [`"${name}" was used for the ${word.replace('_', ' ')} "${requested}"${others}${reason}`];
}

/** Returns a note for each requested name that was guessed or is ambiguous. */
export function nameNotes(found: readonly { readonly matched?: MatchedNames | undefined }[]): string[] {
  const notes = found.flatMap(({ matched = {} }) =>
    NAMED_WORDS.flatMap(({ word }) => (matched[word] === undefined ? [] : nameNote(word, matched[word]))),
  );
  return [...new Set(notes)];
}

/** Returns a note that the listed series belong to regions within `region`, or no note if `region` is undefined. */
export function withinNotes(region: string | undefined): string[] {
  return region === undefined
    ? []
    : [`"${region}" has no such series; series for regions within it are listed instead`];
}

/**
 * Resolves ids, codes or names to a selection, and warns about guessed and ambiguous names. A source name selects every
 * source whose name contains it.
 * @throws NothingFoundError if a name or an id matches no entity
 */
export async function resolveSelection(
  context: ClientContext,
  words: NamedWords & Pick<SelectionWords, 'frequency'>,
): Promise<Selection> {
  const { client, signal } = context;
  const { metric, item, region, partner_region, source } = words;
  const asked = { metric, item, region, partner_region, source };
  const isAsked = Object.values(asked).some((names) => (names?.length ?? 0) > 0);
  const { names } = isAsked ? await client.resolve({ ...asked, ids: true, limit: 0, signal }) : { names: [] };
  const matches = names.flatMap(({ word, requested, hits }) => {
    if (hits.length === 0)
      throw new NothingFoundError(`no ${word.replace('_', ' ')} is called "${requested}"`);
    const sources = word === 'source' ? hits.filter((hit) => !isReplacement(hit)) : [];
    const taken = sources.length > 0 ? sources : hits.slice(0, 1);
    return taken.map((hit) => ({ word, match: toMatchedName(requested, hit) }));
  });
  const selection: Selection = { frequency_id: frequencyIds(words.frequency) };
  for (const { word, field } of WORDS) {
    const ids = matches.filter((one) => one.word === word).map(({ match }) => match.id);
    if (ids.length > 0) selection[field] = ids;
  }
  const notes = matches.flatMap(({ word, match }) => nameNote(word, match));
  await warnOfAll(context, notes);
  return selection;
}

export function frequencyIds(name: string | undefined): number | undefined {
  return FREQUENCIES.find((frequency) => frequency.name === name)?.id;
}
