import type { Client } from '../../create-client.js';
import type { SearchableType, TakenName } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';
import { nameNote, resolveWord } from './names.js';

/** The words that restrict a selection. Each is a name to search for, or an id; the first three may be several. */
export interface SelectionWords {
  readonly metric?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly region?: readonly string[] | undefined;
  readonly partner_region?: string | undefined;
  readonly source?: string | undefined;
  readonly frequency?: string | undefined;
}

const SEARCHED = [
  ['metric', 'metrics', 'metric_id'],
  ['item', 'items', 'item_id'],
  ['region', 'regions', 'region_id'],
  ['partner_region', 'regions', 'partner_region_id'],
  ['source', 'sources', 'source_id'],
] as const satisfies readonly (readonly [keyof SelectionWords, SearchableType, keyof SeriesKey])[];

/**
 * The selection that words mean. A warning names each guess, and each name that several places have.
 * @throws NothingFoundError with the word that nothing has
 */
export async function selectionOf(
  context: CommandContext,
  client: Client,
  words: SelectionWords,
): Promise<Selection> {
  const selection: Selection = {};
  const notes: string[] = [];
  for (const [word, type, field] of SEARCHED) {
    const names = words[word] ?? [];
    const matches: TakenName[] = [];
    for (const asked of typeof names === 'string' ? [names] : names)
      matches.push(await resolveWord(client, type, { asked, signal: context.signal }));
    notes.push(...matches.flatMap((match) => nameNote(word, match)));
    if (matches.length > 0) selection[field] = matches.map(({ id }) => id);
  }
  const frequency = FREQUENCIES.find(({ name }) => name === words.frequency);
  if (frequency !== undefined) selection.frequency_id = frequency.id;
  await warnOfAll(context, notes);
  return selection;
}
