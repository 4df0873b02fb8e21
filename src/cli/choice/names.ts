import type { Client } from '../../create-client.js';
import type { MatchedName, MatchedNames, SearchableType } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import type { SelectionWords } from '../options/flag-groups.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';
import { noHitError, resolveEntity } from './series-choice.js';

/** The words that name an entity. */
type NameWord = (typeof NAMED_WORDS)[number]['word'] | 'source';

/**
 * The entity of a word, which is an id or a name.
 * @throws NothingFoundError for a name without a hit, or an id without an entity
 */
export async function resolveWord(
  client: Client,
  type: SearchableType,
  { requested, signal }: { requested: string; signal: AbortSignal },
): Promise<MatchedName> {
  const match = await resolveEntity(client, type, { requested, signal });
  if (match === undefined) throw noHitError(type, requested);
  return match;
}

/** A note where a name is a guess, or other places have it too. */
function nameNote(
  word: NameWord,
  { requested, name, exact, instead_of, namesakes = [] }: MatchedName,
): readonly string[] {
  if (exact && instead_of === undefined && namesakes.length === 0) return [];
  const others = namesakes.length === 0 ? '' : `, not ${namesakes.map((other) => `"${other}"`).join(' or ')}`;
  const reason = instead_of === undefined ? '' : `: ${instead_of} has no such series`;
  return [`"${name}" was used for the ${word.replace('_', ' ')} "${requested}"${others}${reason}`];
}

/** A note, once, for every name of these results that is a guess, or that other places have too. */
export function nameNotes(found: readonly { readonly matched?: MatchedNames | undefined }[]): string[] {
  const notes = found.flatMap(({ matched = {} }) =>
    NAMED_WORDS.flatMap(({ word }) => (matched[word] === undefined ? [] : nameNote(word, matched[word]))),
  );
  return [...new Set(notes)];
}

/** A note that found series are of the regions within the named one; none where they are of that region. */
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
 * The selection that words mean. A warning names each guess, and each name that several places have.
 * @throws NothingFoundError with the word that nothing has
 */
export async function selectionOf(
  context: CommandContext,
  client: Client,
  words: { readonly [Word in NameWord]?: string | readonly string[] | undefined } & Pick<
    SelectionWords,
    'frequency'
  >,
): Promise<Selection> {
  const selection: Selection = {};
  const notes: string[] = [];
  for (const { word, type, field } of [...NAMED_WORDS, SOURCE_WORD]) {
    const names = words[word] ?? [];
    const matches: MatchedName[] = [];
    for (const requested of typeof names === 'string' ? [names] : names)
      matches.push(await resolveWord(client, type, { requested, signal: context.signal }));
    notes.push(...matches.flatMap((match) => nameNote(word, match)));
    if (matches.length > 0) selection[field] = matches.map(({ id }) => id);
  }
  const frequency = FREQUENCIES.find(({ name }) => name === words.frequency);
  if (frequency !== undefined) selection.frequency_id = frequency.id;
  await warnOfAll(context, notes);
  return selection;
}
