import * as z from 'zod';
import { checkText, meant, needed } from '../../../model/arguments/checks.js';
import { FIELDS } from '../../../model/arguments/fields.js';
import { SEARCHABLE_TYPES } from '../../../model/entity.js';
import { plural } from '../../../model/names/plural.js';
import { SEARCH as SEARCH_COMMAND } from '../../commands/discovery.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { defineTool, input } from '../tool.js';

/** Names of entities, with the number of their series. */
export const SEARCH = defineTool({
  name: 'search',
  title: 'Search names',
  description:
    'Search the names of metrics, items, regions and sources. Each hit has the number of its series; one with 0 series has no data. Start here to learn the names.',
  input: z.strictObject({
    text: input(needed(meant('words of a name, a synonym or a code, in any order', checkText))),
    types: z.array(z.enum(SEARCHABLE_TYPES)).min(1).optional().describe('types to search; all by default'),
    limit: input(needed(FIELDS.hits)).default(20),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        type: z.string(),
        id: z.number(),
        name: z.string(),
        series: z.number().describe('number of series that have it'),
        exact: z.boolean().describe('false for a guess'),
        matched: z.string().optional().describe('the synonym or code that the text was found in'),
      }),
    ),
    notes: z.array(z.string()),
    command: z.string(),
  }),
  async run({ text, types, limit }, { client, signal, commandLine }) {
    const found = await client.searchAll(text, { types, limit, signal });
    if (found.length === 0)
      throw new NothingFoundError(
        `nothing is called "${text}"; try fewer words, a singular, or the English name`,
      );
    const hits = found.map(({ entity_type, id, name, series, exact, matched }) => ({
      type: entity_type,
      id,
      name,
      series,
      exact,
      matched,
    }));
    const only = types?.length === 1 ? types[0]! : 'all';
    const command = commandLine(SEARCH_COMMAND, { limit, type: only, words: [text] });
    const notes = hits.length === limit ? [`only the first ${limit} hits are listed; there may be more`] : [];
    if (types !== undefined && types.length > 1) notes.push('the command lists the hits of all types');
    const rows = hits.map((hit) => ({ ...hit, exact: hit.exact ? 'yes' : 'guess' }));
    return {
      heading: `${hits.length} ${plural('hit', hits.length)} for "${text}"`,
      rows,
      structured: { hits, notes, command },
    };
  },
});
