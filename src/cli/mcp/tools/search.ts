import * as v from 'valibot';
import { SEARCHABLE_TYPES } from '../../../model/entity.js';
import { plural } from '../../../model/names/plural.js';
import { FIELDS } from '../../../model/schema/fields.js';
import { oneOf, TEXT, withMeaning } from '../../../model/schema/schemas.js';
import { SEARCH as SEARCH_COMMAND } from '../../commands/discovery.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { defineTool } from '../tool.js';

export const SEARCH = defineTool({
  name: 'search',
  title: 'Search names',
  description:
    'Search the names of metrics, items, regions and sources. Each hit shows its number of series; a hit with 0 series has no data. Start here to look up names.',
  input: v.strictObject({
    text: withMeaning('words of a name, a synonym or a code, in any order', TEXT),
    types: v.optional(
      withMeaning(
        'types to search; all by default',
        v.pipe(v.array(oneOf(SEARCHABLE_TYPES)), v.minLength(1)),
      ),
    ),
    limit: v.optional(FIELDS.hits, 20),
  }),
  async run({ text, types, limit }, { client, signal, commandLine }) {
    const found = await client.searchAll(text, { types, limit, signal });
    if (found.length === 0)
      throw new NothingFoundError(
        `nothing is called "${text}"; try fewer words, the singular form, or the English name`,
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
    return {
      heading: `${hits.length} ${plural('hit', hits.length)} for "${text}"`,
      table: ['hits', 'type', 'id', 'name', 'series', 'exact', 'matched'],
      structured: { hits, notes, command },
    };
  },
});
