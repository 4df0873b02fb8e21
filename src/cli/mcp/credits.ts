import type { z } from 'zod';
import type { Source, Unit } from '../../model/entity.js';
import { alignedTable } from '../terminal/text-table.js';
import type { CREDITS, ToolCall } from './tool.js';

/** The credits of an answer's figures. */
export type Credits = Omit<z.output<z.ZodObject<typeof CREDITS>>, 'units'>;

/** Sources as answers have them. */
export async function lookUpSources(
  { client, signal }: ToolCall,
  ids: readonly number[],
): Promise<Credits['sources']> {
  const unique = [...new Set(ids)];
  const found = await client.lookup('sources', unique, { signal });
  return sourceCredits(unique.flatMap((id) => found[id] ?? []));
}

export function sourceCredits(sources: readonly Source[]): Credits['sources'] {
  return sources.map(({ id, name, longName, licence, citation, url }) => ({
    id,
    name,
    long_name: longName,
    licence,
    citation,
    url,
  }));
}

export function unitCredits(units: readonly Unit[]): Pick<Unit, 'id' | 'name' | 'abbreviation'>[] {
  return units.map(({ id, name, abbreviation }) => ({ id, name, abbreviation }));
}

/** An answer as text: its heading, a table of the fields of its rows, then notes. */
export function answerText(
  heading: string,
  rows: readonly Readonly<Record<string, string | number | null | undefined>>[],
  credits: Credits,
): string {
  const columns = Object.keys(rows[0] ?? {}).map((title) => ({
    title,
    of: (row: (typeof rows)[0]) => row[title],
  }));
  const table = rows.length === 0 ? [] : [alignedTable(rows, columns).trimEnd()];
  const sources = credits.sources.map(
    ({ name, long_name, licence, citation }) =>
      `Source: ${name} (${long_name}). Licence: ${licence || 'not stated'}. Cite as: ${citation || long_name}`,
  );
  const notes = credits.notes.map((note) => `Note: ${note}`);
  return [heading, ...table, ...notes, ...sources, `Repeat: ${credits.command}`].join('\n\n');
}

/** A number as texts show it, without digits that the figure does not have. */
export function shownNumber(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(10)));
}

/** A share from 0 to 1 in percent. */
export function shownShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
