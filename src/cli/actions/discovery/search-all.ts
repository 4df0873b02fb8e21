import { withClient } from '../../connection/with-client.js';
import type { ConnectionOptions } from '../../options/connection.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';
import type { SearchOptions } from './search.js';

const COLUMNS: readonly TextColumn[] = [
  { title: 'type' },
  { title: 'id', align: 'right' },
  { title: 'name' },
  { title: 'series', align: 'right' },
  { title: 'found as' },
];

/** The most hits that a service returns of a search of all types. */
const MAX_HITS = 100;

export function searchAll(
  context: CommandContext,
  connection: ConnectionOptions,
  { terms, limit, json }: SearchOptions & { readonly terms: string },
): Promise<void> {
  return withClient(context, connection, async (client) => {
    const { signal } = context;
    const found = await client.searchAll(terms, { limit: Math.min(limit, MAX_HITS), signal });
    if (found.length === 0) throw new NothingFoundError(`nothing found for "${terms}"`);
    if (json === true) return writeJson(context.stdout, found);
    const rows = found.map(({ entity_type, id, name, series, matched = '' }) => [
      ...[entity_type, String(id), name],
      ...[String(series), matched],
    ]);
    const isFound = found.some(({ matched }) => matched !== undefined);
    await writeTable(context, isFound ? COLUMNS : COLUMNS.slice(0, -1), rows);
  });
}
