import type { NewEntity } from '../../store/store.js';

/** The rows of a table in the code: a line each, with ` | ` between fields. */
export function readTable(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(/ \|/).map((field) => field.trim()));
}

/** The parts of a field, with `;` between them. */
export const listed = (field = ''): string[] =>
  field === '' ? [] : field.split(';').map((part) => part.trim());

/** Metrics or items: id, name, id of what contains it, definition, other names. */
export function readEntities(text: string): readonly NewEntity<'metrics' | 'items'>[] {
  return readTable(text).map(([id, name, container, definition, aliases]) => ({
    id: Number(id),
    name: name!,
    definition: definition!,
    belongsTo: container === '' ? [] : [Number(container)],
    aliases: listed(aliases),
  }));
}
