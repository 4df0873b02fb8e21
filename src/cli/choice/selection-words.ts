import type { Client } from '../../create-client.js';
import type { SearchableType } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';
import { type CommandContext, warnOfAll } from '../terminal/io.js';
import { isId, noHitError } from './series-choice.js';
import { takenText } from './taken-names.js';

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
 * The selection that words mean: each the best hit that has series and that it fits exactly, else the best hit, of which a
 * warning tells.
 * @throws NothingFoundError with the word that nothing has
 */
export async function selectionOf(
  context: CommandContext,
  client: Client,
  words: SelectionWords,
): Promise<Selection> {
  const selection: Selection = {};
  const guesses: string[] = [];
  for (const [word, type, field] of SEARCHED) {
    const given = words[word] ?? [];
    const ids: number[] = [];
    for (const asked of typeof given === 'string' ? [given] : given) {
      if (isId(asked)) ids.push(Number(asked));
      else {
        const { id, name, exact } = await hitOf(client, type, { asked, signal: context.signal });
        ids.push(id);
        if (!exact) guesses.push(takenText(word, { asked, name }));
      }
    }
    if (ids.length > 0) selection[field] = ids;
  }
  const frequency = FREQUENCIES.find(({ name }) => name === words.frequency);
  if (frequency !== undefined) selection.frequency_id = frequency.id;
  await warnOfAll(context, guesses);
  return selection;
}

async function hitOf(
  client: Client,
  type: SearchableType,
  { asked, signal }: { asked: string; signal: AbortSignal },
) {
  const hits = await client.searchAll(asked, { types: [type], signal });
  const best = hits.find(({ exact }) => exact) ?? hits[0];
  if (best === undefined) throw noHitError(type, asked);
  return best;
}
